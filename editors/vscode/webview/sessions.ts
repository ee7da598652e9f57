/** The header: which session is on screen, and the list of all, open and remembered. */
import type { SessionRow, ViewState } from "../src/view/messages";
import { ago } from "../src/view/render/words";
import { button, element, icon, part } from "./dom";
import { post } from "./host";

export class SessionMenu {
  readonly #switcher = part("switcher") as HTMLButtonElement;
  readonly #menu = part("sessions");
  readonly #list = part("session-list");
  #state: ViewState | undefined;
  #drawn = "";
  /** Which row the keyboard is at, by its key. */
  #at = "";
  /** Which row asks whether it really is to be deleted. */
  #deleting = "";

  constructor() {
    this.#switcher.addEventListener("click", () => this.#toggle(this.#menu.hidden));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    part("new-in-list").addEventListener("click", () => {
      this.#close(true);
      post({ type: "run", command: "newSession" });
    });
    this.#menu.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") {
        this.#close(true);
      }
    });
    document.addEventListener("mousedown", ({ target }) => {
      const inside = [this.#menu, this.#switcher].some((each) => each.contains(target as Node));
      if (!inside) {
        this.#close(false);
      }
    });
  }

  setState(state: ViewState): void {
    this.#state = state;
    const { current, sessions } = state;
    const title = current?.title ?? "No session";
    part("switcher-title").textContent = title;
    // A session without a title is called by its agent already.
    const isNamed = current !== null && !title.startsWith(current.agent);
    part("switcher-agent").textContent = isNamed ? current.agent : "";
    part("switcher-doing").textContent = current?.doing ?? "";
    part("switcher-state").replaceChildren(stateIcon(current));
    const others = sessions.filter((row) => row.waits && !row.current).length;
    part("switcher-others").textContent = others > 0 ? String(others) : "";
    part("switcher-others").hidden = others === 0;
    this.#switcher.title = current === null ? "Sessions" : `${title}\n${current.cwd}`;
    if (!this.#menu.hidden) {
      this.#draw();
    }
  }

  #toggle(open: boolean): void {
    if (!open) {
      this.#close(true);
      return;
    }
    this.#menu.hidden = false;
    this.#switcher.setAttribute("aria-expanded", "true");
    this.#at = this.#state?.current?.sessionId ?? "";
    this.#deleting = "";
    this.#draw();
    this.#focusRow();
    post({ type: "list" });
  }

  #close(focus: boolean): void {
    if (!this.#menu.hidden) {
      this.#menu.hidden = true;
      this.#switcher.setAttribute("aria-expanded", "false");
      this.#drawn = "";
      if (focus) {
        this.#switcher.focus();
      }
    }
  }

  #draw(): void {
    const state = this.#state;
    const wanted = JSON.stringify([state?.sessions, state?.listing, state?.more, this.#deleting]);
    if (state === undefined || wanted === this.#drawn) {
      return;
    }
    this.#drawn = wanted;
    const hadFocus = this.#list.contains(document.activeElement);
    const open = state.sessions.filter((row) => row.open);
    const remembered = state.sessions.filter((row) => !row.open);
    this.#list.replaceChildren(
      ...group(
        "Open",
        open.map((row) => this.#row(row)),
      ),
      ...group(
        "Remembered",
        remembered.map((row) => this.#row(row)),
      ),
    );
    part("no-sessions").hidden = state.sessions.length > 0 || state.listing;
    part("listing").hidden = !state.listing;
    part("more-sessions").hidden = !state.more;
    if (hadFocus) {
      this.#focusRow();
    }
  }

  #row(row: SessionRow): HTMLElement {
    const key = row.sessionId;
    const when = ago(row.updatedAt, Date.now());
    const facts = [row.agent, row.doing, when].filter(Boolean).join(" · ");
    const made = element(
      "div",
      {
        role: "row",
        class: "row",
        tabindex: "-1",
        "data-key": key,
        "aria-selected": String(row.current),
        title: row.cwd,
      },
      icon(row.current ? "check" : row.open ? "comment-discussion" : "history"),
      element(
        "span",
        { class: "names", role: "gridcell" },
        element("span", { class: "label" }, row.title),
        element("span", { class: "detail" }, facts),
      ),
      element("span", { class: "buttons", role: "gridcell" }, ...this.#buttons(row)),
    );
    made.addEventListener("click", (event) => {
      if ((event.target as Element).closest("button") === null) {
        this.#go(row);
      }
    });
    return made;
  }

  #buttons(row: SessionRow): HTMLElement[] {
    const { sessionId, agent, title } = row;
    if (this.#deleting === sessionId) {
      const sure = () => this.#delete(sessionId, agent);
      return [
        button({ label: "Delete for good", className: "danger", press: sure }),
        button({ label: "Keep", press: () => this.#ask("") }),
      ];
    }
    const close = button({
      label: `Close ${title}`,
      icon: "close",
      iconOnly: true,
      press: () => post({ type: "close", sessionId }),
    });
    const remove = button({
      label: `Delete ${title}`,
      icon: "trash",
      iconOnly: true,
      press: () => this.#ask(sessionId),
    });
    const forget = button({
      label: `Forget ${title}`,
      icon: "eye-closed",
      iconOnly: true,
      press: () => post({ type: "forget", sessionId, agent }),
    });
    return [
      ...(row.open ? [close] : []),
      ...(row.forgettable ? [forget] : []),
      ...(row.deletable ? [remove] : []),
    ];
  }

  #ask(sessionId: string): void {
    this.#at = sessionId === "" ? this.#deleting : sessionId;
    this.#deleting = sessionId;
    this.#draw();
    this.#focusRow();
  }

  #delete(sessionId: string, agent: string): void {
    this.#deleting = "";
    post({ type: "delete", sessionId, agent });
    this.#draw();
    this.#focusRow();
  }

  #go({ sessionId, agent, cwd, open, resumable }: SessionRow): void {
    if (!open && !resumable) {
      return;
    }
    post(open ? { type: "select", sessionId } : { type: "resume", sessionId, agent, cwd });
    this.#close(true);
  }

  #rows(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>("[role=row]")];
  }

  #focusRow(): void {
    const rows = this.#rows();
    const row = rows.find((each) => each.dataset["key"] === this.#at) ?? rows[0];
    if (row === undefined) {
      (part("new-in-list") as HTMLButtonElement).focus();
      return;
    }
    rows.forEach((each) => (each.tabIndex = each === row ? 0 : -1));
    row.focus();
  }

  #key(event: KeyboardEvent): void {
    const rows = this.#rows();
    const index = rows.findIndex((row) => row === document.activeElement);
    const row = this.#state?.sessions.find(
      ({ sessionId }) => sessionId === rows[index]?.dataset["key"],
    );
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[
      event.key
    ];
    if (index === -1 || row === undefined) {
      return; // the focus is on a button in a row
    }
    if (to !== undefined) {
      this.#at = rows[Math.max(0, Math.min(to, rows.length - 1))]?.dataset["key"] ?? "";
      this.#focusRow();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#go(row);
    } else if (event.key === "Delete" && row.deletable) {
      this.#ask(row.sessionId);
    } else {
      return;
    }
    event.preventDefault();
  }
}

function group(name: string, rows: HTMLElement[]): HTMLElement[] {
  const label = element("div", { class: "group-name", "aria-hidden": "true" }, name);
  const made = element("div", { role: "rowgroup", "aria-label": name }, label, ...rows);
  return rows.length === 0 ? [] : [made];
}

function stateIcon(current: ViewState["current"]): HTMLElement {
  if (current === null) {
    return icon("comment-discussion");
  }
  return icon(current.busy ? "loading" : "comment-discussion");
}
