"""Input of the code of a private table: at a prompt, in a file or in an invitation link.

The code is never an argument of the command, because every process of a machine can list arguments.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._engine.table.invitations import SCHEME, Invitation, read_invitation
from tavolata._machine import disk
from tavolata._streams import put
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata._ui.streams import held
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.network.table_errors import CodeRefused, CodeWanted

CODE = N_("Table code: ")
NO_CODE = N_("A code is six letters and digits, like K7F-3QX.")


def invited_by(context: CommandContext, address: str | None, file: str | None, *, link: bool) -> Invitation:
    """Return the address and the code, as far as the command line gives them.

    Raise UsageError if the arguments contradict each other, or the text read is not an invitation.
    """
    given = Invitation()
    if address is not None and address.startswith(SCHEME):
        found = read_invitation(address)
        if found is None:
            raise UsageError(
                N_("{link} isn't an invitation. Copy the whole line."), link=one_line(address, 80)
            )
        if found.code:
            raise UsageError(
                N_(
                    "An invitation contains the code, and other users of this computer can see your "
                    "commands. Run tt join --link and paste it there, or save it in a file and use "
                    "--code-file FILE."
                )
            )  # fmt: skip
        return found
    if file is not None:
        given = _from_file(file)
    elif link:
        given = _asked(
            context, N_("Paste the invitation: "), N_("That isn't an invitation. Copy the whole line.")
        )
    if address is None:
        return given
    return Invitation(address, given.code, given.key)


def ask_code(context: CommandContext, wanted: CodeWanted, *, typed: bool) -> str:
    """Ask for the code of a private table.

    Raise CodeWanted if there is nobody to ask, UsageError if the text from a pipe is not a code.
    """
    if not typed:
        raise wanted
    context.note(context.text(N_("{name}'s table is private."), {"name": wanted.name}))
    return _asked(context, CODE, NO_CODE, wanted).code


def ask_code_again(context: CommandContext, wrong: CodeRefused) -> str:
    """Ask for the code of a private table after a wrong one; raise CodeRefused if there is nobody to ask."""
    if not context.on_terminal:
        raise wrong
    context.note(context.text(wrong.message, wrong.params))
    return _asked(context, CODE, NO_CODE).code


def _asked(context: CommandContext, question: str, no: str, otherwise: Exception | None = None) -> Invitation:
    """Ask until an invitation is typed; from a pipe only the first line is read."""
    while True:
        if context.on_terminal:
            put(context.text(question), sys.stderr, end="", flush=True)
        stdin = held(context.stdin) or context.stdin
        line = stdin.readline() if stdin is not None else ""
        if not line:
            if context.on_terminal:
                raise KeyboardInterrupt
            raise otherwise or UsageError(no)
        found = read_invitation(line)
        if found is not None:
            return found
        if not context.on_terminal:
            raise UsageError(no)
        context.note(context.text(no))


def _from_file(path: str) -> Invitation:
    from tavolata_protocol.admission import Entrance

    try:
        found = read_invitation(disk().read(Path(path), Entrance.INVITATIONS).decode())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            N_("Couldn't read the code from {path}: {problem}."), path=path, problem=trouble(error)
        ) from error
    if found is None:
        raise UsageError(N_("{path} contains neither a code nor an invitation."), path=path)
    return found
