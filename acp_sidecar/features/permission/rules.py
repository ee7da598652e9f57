"""Permission rules: in order, the first that matches decides; in doubt the user is asked.

The settings' rules come first, then the remembered ones, the newest first. A rule that denies or
asks and *may* match ends the search with asking: a later rule must not allow what an earlier one
perhaps forbids. A rule that allows counts only where it certainly matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from acp_sidecar.config import PermissionRule, RuleMatch
from acp_sidecar.features.permission.command_facts import CommandFact
from acp_sidecar.features.permission.facts import Facts
from acp_sidecar.features.permission.globs import name_matches, path_matches, words_match

Resolve = Callable[[str], str]

MOST_REMEMBERED: Final = 500


class Match(IntEnum):
    """Whether a rule applies; the smallest of its criteria's is the rule's."""

    NO = 0
    MAYBE = 1
    YES = 2


@dataclass(frozen=True, slots=True)
class Remembered:
    """A rule that the user made from a prompt or by command; of one session if it says so."""

    rule: PermissionRule
    number: int
    session: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules say: allow, deny or ask, and which rule; `rule` is empty if none spoke."""

    do: str
    rule: str = ""
    reason: str = ""


class Rules:
    """The settings' rules and what the user has added since."""

    def __init__(self, configured: list[PermissionRule], resolve: Resolve) -> None:
        self._configured = list(configured)
        self._resolve = resolve
        self._remembered: list[Remembered] = []
        self._count = 0

    def configure(self, configured: list[PermissionRule]) -> None:
        """The settings have changed."""
        self._configured = list(configured)

    def remember(self, rule: PermissionRule, session: str | None) -> Remembered:
        """Add a rule; the oldest remembered ones that allow give way when there are too many."""
        self._count += 1
        added = Remembered(rule, self._count, session)
        self._remembered.insert(0, added)
        if len(self._remembered) > MOST_REMEMBERED:
            allowing = [each for each in self._remembered if each.rule.do == "allow"]
            if allowing:
                self._remembered.remove(allowing[-1])
        return added

    def forget(self, number: int) -> Remembered | None:
        """Take a remembered rule away; `None` if there is none of this number."""
        found = next((each for each in self._remembered if each.number == number), None)
        if found is not None:
            self._remembered.remove(found)
        return found

    def forget_session(self, session: str) -> None:
        """Rules of a session end with it."""
        self._remembered = [each for each in self._remembered if each.session != session]

    def remembered(self) -> list[Remembered]:
        """The newest first."""
        return list(self._remembered)

    def decide(self, facts: Facts, session: str) -> Decision:
        """What the first matching rule says; "ask" if none does."""
        for label, rule in self._in_order(session):
            match = matches(rule, facts, self._resolve)
            if match is Match.YES:
                return Decision(rule.do, label, _DONE[rule.do].format(label))
            if match is Match.MAYBE:
                return Decision("ask", label, f"asked, because {label} may apply")
        return Decision("ask")

    def _in_order(self, session: str) -> Iterator[tuple[str, PermissionRule]]:
        for number, rule in enumerate(self._configured, 1):
            yield f"rule {number}", rule
        for each in self._remembered:
            if each.session in {None, session}:
                yield f"remembered rule {each.number}", each.rule


def unless_outside(decision: Decision, facts: Facts) -> Decision:
    """Allow what no rule speaks of, if all of it is certainly within the workspace."""
    certain = not facts.outside and all(fact.real is not None for fact in facts.paths)
    if decision.do != "ask" or decision.rule or not certain:
        return decision
    return Decision("allow", "", "allowed because it is within the workspace")


_DONE: Final = {"allow": "allowed by {}", "deny": "denied by {}", "ask": "asked by {}"}


def matches(rule: PermissionRule, facts: Facts, resolve: Resolve) -> Match:
    """Whether a rule applies to an operation. A rule that allows never *may* apply: `NO`."""
    wanted = rule.match
    if rule.do == "allow":
        return Match.YES if _certainly(wanted, facts, resolve) else Match.NO
    return min(
        _name(wanted, facts),
        _subject(wanted, facts),
        _kind(wanted, facts),
        _path(wanted, facts, resolve),
        _command(wanted, facts),
    )


def _certainly(wanted: RuleMatch, facts: Facts, resolve: Resolve) -> bool:
    """Every criterion holds for all that the operation does, on verified facts."""
    if facts.subject is None:
        return False
    words = None if facts.command is None else facts.command.words
    return all(
        (
            wanted.agent is None or name_matches(wanted.agent, facts.agent, broad=False),
            wanted.subject in {None, facts.subject},
            wanted.kind is None or facts.kinds == {wanted.kind},
            _all_places(wanted, facts, resolve),
            wanted.command is None or (words is not None and words_match(wanted.command, words)),
        )
    )


def _all_places(wanted: RuleMatch, facts: Facts, resolve: Resolve) -> bool:
    """What lies outside the workspace is covered only by a rule that names where."""
    if wanted.path is None:
        return not facts.outside
    if facts.command is None:
        return _all_paths(wanted, facts, resolve)
    if wanted.command is None:
        return False  # whatever paths the agent names, a command may touch others
    cwd = facts.command.cwd
    within = cwd is not None and path_matches(wanted.path, cwd, facts.roots, resolve, broad=False)
    within = within or not facts.command.cwd_outside
    return within and (not facts.paths or _all_paths(wanted, facts, resolve))


def _all_paths(wanted: RuleMatch, facts: Facts, resolve: Resolve) -> bool:
    pattern = wanted.path or ""
    return facts.complete and all(
        fact.real is not None
        and path_matches(pattern, fact.real, facts.roots, resolve, broad=False)
        for fact in facts.paths
    )


def _from(found: bool) -> Match:
    return Match.YES if found else Match.NO


def _name(wanted: RuleMatch, facts: Facts) -> Match:
    return _from(wanted.agent is None or name_matches(wanted.agent, facts.agent, broad=True))


def _subject(wanted: RuleMatch, facts: Facts) -> Match:
    if wanted.subject is not None and facts.subject is None:
        return Match.MAYBE
    return _from(wanted.subject in {None, facts.subject})


def _kind(wanted: RuleMatch, facts: Facts) -> Match:
    if wanted.kind is not None and facts.subject is None:
        return Match.MAYBE
    return _from(wanted.kind is None or wanted.kind in facts.kinds)


def _path(wanted: RuleMatch, facts: Facts, resolve: Resolve) -> Match:
    if wanted.path is None:
        return Match.YES
    pattern = wanted.path

    def hit(real: str) -> bool:
        return path_matches(pattern, real, facts.roots, resolve, broad=True)

    if any(fact.real is not None and hit(fact.real) for fact in facts.paths):
        return Match.YES
    if facts.command is not None:
        return _path_in_command(facts.command, hit, resolve)
    return Match.NO if facts.complete else Match.MAYBE


def _path_in_command(command: CommandFact, hit: Callable[[str], bool], resolve: Resolve) -> Match:
    """The words of a command may be paths; of a command in doubt nothing is known.

    This finds what is named. What a program reaches without naming it is beyond any rule.
    """
    if command.words is None or command.cwd is None:
        return Match.MAYBE
    for word in command.words:
        for part in {word, word.rpartition("=")[2], word.rpartition(":")[2], word.lstrip("-")[1:]}:
            if part and hit(resolve(part if part[0] == "/" else f"{command.cwd}/{part}")):
                return Match.MAYBE
    return Match.NO


def _command(wanted: RuleMatch, facts: Facts) -> Match:
    if wanted.command is None:
        return Match.YES
    if facts.command is None:
        runs = facts.subject is None or "execute" in facts.kinds
        return Match.MAYBE if runs else Match.NO
    words = facts.command.words
    if words is None:
        return Match.MAYBE
    named = (words[0].replace("\\", "/").rpartition("/")[2], *words[1:])
    if any(words_match(wanted.command, each, broad=True) for each in (words, named)):
        return Match.YES
    return Match.MAYBE if _runs_within(wanted.command, named) else Match.NO


def _runs_within(pattern: str, words: tuple[str, ...]) -> bool:
    """Programs that run programs (`sudo`, `env`, `xargs`, `sh -c "..."`) may run what is meant."""
    flat = " ".join(words).split()
    if len(flat) > 200:
        return True
    tails = (flat[at:] for at in range(len(flat)))
    return any(
        words_match(pattern, [tail[0].rpartition("/")[2], *tail[1:]], broad=True) for tail in tails
    )
