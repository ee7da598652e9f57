"""What an agent asks of its client: to read and write files, and to run commands.

Only agents of ACP v1 ask this; the protocol's second version leaves both to the agent.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from acp_sidecar.session.base import AcpModel, Meta

MOST: int = 2**64 - 1
"""The largest number that the protocol's schema allows anywhere."""


class ReadTextFile(AcpModel):
    """`fs/read_text_file`: `limit` lines from `line` on, which counts from 1; or all of it."""

    session_id: str
    path: str
    line: Annotated[int, Field(ge=0, le=MOST)] | None = None
    limit: Annotated[int, Field(ge=0, le=MOST)] | None = None
    meta: Meta = None


class WriteTextFile(AcpModel):
    """`fs/write_text_file`: `content` is the whole file."""

    session_id: str
    path: str
    content: str
    meta: Meta = None


class EnvVariable(AcpModel):
    name: str
    value: str
    meta: Meta = None


class CreateTerminal(AcpModel):
    """`terminal/create`: run a command. Without `args` it may be a whole command line.

    `output_byte_limit` is in bytes of UTF-8; of longer output the end is kept.
    """

    session_id: str
    command: str
    args: list[str] = Field(default_factory=list)
    env: list[EnvVariable] = Field(default_factory=list)
    cwd: str | None = None
    output_byte_limit: Annotated[int, Field(ge=0, le=MOST)] | None = None
    meta: Meta = None

    @field_validator("args", "env", mode="before")
    @classmethod
    def _null_is_empty(cls, value: object) -> object:
        return [] if value is None else value


TerminalVerb = Literal["output", "wait_for_exit", "kill", "release"]


class TerminalRequest(AcpModel):
    """`terminal/output`, `wait_for_exit`, `kill` and `release`: which one, and of which."""

    session_id: str
    terminal_id: str
    verb: TerminalVerb
    meta: Meta = None


ClientRequest = ReadTextFile | WriteTextFile | CreateTerminal | TerminalRequest
