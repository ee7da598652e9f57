"""Making a rule of a user's answer."""

from __future__ import annotations

from pydantic import ValidationError

from acp_sidecar.config import PermissionRule
from acp_sidecar.features.permission.choices import KNOWN_KINDS
from acp_sidecar.features.permission.messages import SuggestedRule
from acp_sidecar.features.ports import Json
from acp_sidecar.session.permissions import PermissionOption


def rule_of_answer(
    remember: Json, option: PermissionOption, suggested: list[SuggestedRule]
) -> PermissionRule | str:
    """The rule, or why the answer cannot become one.

    Args:
        remember: A `RememberPayload` from the editor.
        option: What the user chose; decides whether the rule allows or denies.
        suggested: The rules that were offered, the narrowest first.
    """
    if not isinstance(remember, dict) or not set(remember) <= {"scope", "match"}:
        return "it is not told how."
    if option.kind not in KNOWN_KINDS:
        return "the option is of an unknown kind."
    match = remember.get("match")
    if match is None and suggested:
        match = suggested[0]["match"]
    if not match or not isinstance(match, dict) or all(each is None for each in match.values()):
        return "nothing is certain enough here to be recognised again."
    do = "allow" if option.kind.startswith("allow") else "deny"
    raw = {"match": match, "do": do, "scope": remember.get("scope", "session")}
    try:
        return PermissionRule.model_validate(raw)
    except ValidationError as error:
        return "; ".join(each["msg"] for each in error.errors(include_url=False))
