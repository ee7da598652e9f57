"""Adds a file, deletes one and changes one that is no text, and tells of it when it is done."""

from pathlib import Path

from tests.e2e.programs.agent import Agent, Json

ADDED = "notes.txt"
DELETED = "docs/usage.txt"
PICTURE = "logo.png"
NOTES = ("first\n", "second\n")
PICTURE_AFTER = b"\x89PNG\r\n\x1a\n\0after"


class Changes(Agent):
    def on_session_new(self, request: Json) -> None:
        self.folder = Path(request["params"]["cwd"])
        super().on_session_new(request)

    def turn(self, request: Json) -> None:
        added, deleted = self.folder / ADDED, self.folder / DELETED
        gone = deleted.read_text(encoding="utf-8").splitlines(keepends=True)
        added.write_text("".join(NOTES), encoding="utf-8")
        deleted.unlink()
        (self.folder / PICTURE).write_bytes(PICTURE_AFTER)
        patch = section(added, "new file mode 100644", "+", NOTES)
        patch += section(deleted, "deleted file mode 100644", "-", gone)
        changes = [
            {"operation": "add", "path": str(added), "fileType": "text"},
            {"operation": "delete", "path": str(deleted), "fileType": "text"},
            {"operation": "modify", "path": str(self.folder / PICTURE), "fileType": "binary"},
        ]
        diff = {
            "type": "diff",
            "changes": changes,
            "patch": {"format": "git_patch", "text": patch},
        }
        self.call("call", title="Tidy up", kind="edit", status="completed", content=[diff])
        self.message("tidied")
        self.end()


def section(path: Path, mode: str, mark: str, lines: tuple[str, ...] | list[str]) -> str:
    """A file that comes or goes as a whole, in git's form."""
    count = f"1,{len(lines)}"
    old, new = ("/dev/null", str(path)) if mark == "+" else (str(path), "/dev/null")
    ranges = f"@@ -0,0 +{count} @@" if mark == "+" else f"@@ -{count} +0,0 @@"
    body = "".join(mark + line for line in lines)
    return f"diff --git {path} {path}\n{mode}\n--- {old}\n+++ {new}\n{ranges}\n{body}"


if __name__ == "__main__":
    Changes().serve()
