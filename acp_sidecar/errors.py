"""Every error, grouped by whose fault it is, and problems: errors that do not stop anything.

An exception here carries text for a person: what happened, and (`advice`) what to do about it.
It never carries payloads; what an agent or a file contains stays out of logs and messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """Whose fault a problem is; decides where it is shown and what is advised."""

    AGENT = "agent"
    EDITOR = "editor"
    CONFIG = "config"
    ENVIRONMENT = "environment"
    US = "us"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was not as it should be, and that was survived.

    Attributes:
        fault: Whose fault it is.
        code: A stable name for counting and testing, e.g. "invalid-json".
        message: One sentence for a person.
        where: What it concerns: a method, a field path, a file; empty if nothing in particular.
        excerpt: A short, printable piece of the input, for the trace and the doctor.
    """

    fault: Fault
    code: str
    message: str
    where: str = ""
    excerpt: str = ""


class SidecarError(Exception):
    """Base of all errors that are meant for a person. Raise one of its subclasses."""

    fault: Fault = Fault.US

    def __init__(self, message: str, *, advice: str = "") -> None:
        if type(self) is SidecarError:
            raise TypeError("raise a subclass that says whose fault it is")
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()


class AgentError(SidecarError):
    """The agent did not do what the protocol asks, or said that it cannot."""

    fault = Fault.AGENT


class AgentRefused(AgentError):
    """The agent answered a request with an error; `code` is JSON-RPC's or ACP's."""

    def __init__(self, message: str, *, code: int, advice: str = "") -> None:
        super().__init__(message, advice=advice)
        self.code = code


class AgentExited(AgentError):
    """The agent process ended or never became one."""


class AuthRequired(AgentError):
    """The agent wants the user to sign in first."""


class NotSupported(AgentError):
    """The agent, or the version of the protocol it speaks, has no such ability."""


class EditorError(SidecarError):
    """The editor sent a command or a parameter that makes no sense."""

    fault = Fault.EDITOR


class ConfigError(SidecarError):
    """A setting cannot be used as it is."""

    fault = Fault.CONFIG


class EnvironmentProblem(SidecarError):
    """The machine refused: a missing program, a full disk, a denied permission."""

    fault = Fault.ENVIRONMENT
