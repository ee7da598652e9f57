"""Rules that would cover a request, offered to be remembered: never wider than they say."""

from __future__ import annotations

import shlex
from pathlib import PurePosixPath

from acp_sidecar.config import PermissionRule
from acp_sidecar.features.permission.facts import Facts
from acp_sidecar.features.permission.globs import literal
from acp_sidecar.features.permission.messages import MatchPayload, SuggestedRule
from acp_sidecar.features.permission.rules import Match, Resolve, matches
from acp_sidecar.features.sanitize import visible_line


def suggestions(facts: Facts, resolve: Resolve) -> list[SuggestedRule]:
    """The narrowest first; empty where no rule could be certain."""
    if facts.subject is None or len(facts.kinds) != 1:
        return []
    found = _for_command(facts) if facts.command is not None else _for_paths(facts)
    return [each for each in found if _covers(each["match"], facts, resolve)]


def _covers(match: MatchPayload, facts: Facts, resolve: Resolve) -> bool:
    try:
        rule = PermissionRule.model_validate({"do": "allow", "match": match})
    except ValueError:  # a path or command that no pattern can express
        return False
    return matches(rule, facts, resolve) is Match.YES


def _for_command(facts: Facts) -> list[SuggestedRule]:
    command = facts.command
    if command is None or command.words is None:
        return []
    pattern = " ".join(shlex.quote(literal(word)) for word in command.words)
    label = f"Exactly this command: {visible_line(command.text, 200)}"
    match: MatchPayload = {"agent": literal(facts.agent), "command": pattern}
    if command.cwd_outside and command.cwd is not None:
        match["path"] = literal(command.cwd)
        label += f" (in {visible_line(command.cwd, 200)})"
    return [{"label": label, "match": match}]


def _for_paths(facts: Facts) -> list[SuggestedRule]:
    if not facts.complete:
        return []
    (kind,) = facts.kinds
    agent = literal(facts.agent)
    reals = {fact.real for fact in facts.paths if fact.real is not None}
    found: list[SuggestedRule] = []
    if len(reals) == 1:
        (real,) = reals
        name = visible_line(PurePosixPath(real).name, 100)
        match: MatchPayload = {"agent": agent, "kind": kind, "path": literal(real)}
        found.append({"label": f"{kind} this file: {name}", "match": match})
    if all(fact.inside for fact in facts.paths):
        everywhere: MatchPayload = {"agent": agent, "kind": kind, "path": "**"}
        found.append({"label": f"{kind} anything in the workspace", "match": everywhere})
    return found
