"""Error reports: every error becomes a sentence on stderr and an exit code here, never a traceback.

The table below is the contract of exit codes. It names classes instead of importing them, so that
a command without network does not import the errors of the network. A test resolves each name.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress

from tavolata._streams import put
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata.errors import MessageError, TavolataError
from tavolata.messages import N_

FINISHED, INTERNAL, USAGE, NO_SUCH_GAME, PLUGIN, UNREACHABLE, REFUSED, LOST, BOT, WRONG = range(10)
UNFINISHED = USAGE
"""What `tt verify` returns if everything in a file is right, but the file ends before its match."""
INTERRUPT = 130

EXIT_CODES = {
    "tavolata._cli.failures:UsageError": USAGE,
    "tavolata._ui.i18n:UnknownLanguage": USAGE,
    "tavolata._ui.tui.input.keys:UnknownKey": USAGE,
    "tavolata.errors:Refused": USAGE,
    "tavolata._engine.storage.match_file:StoreError": USAGE,
    "tavolata.errors:Diverged": USAGE,
    "tavolata._engine.match.campaign:WrongLegacy": USAGE,
    "tavolata._engine.match.header:OtherRules": PLUGIN,
    "tavolata._engine.match.rules_fault:RulesFault": PLUGIN,
    "tavolata._engine.network.table_errors:Unreachable": UNREACHABLE,
    "tavolata._engine.network.table_errors:PortTaken": UNREACHABLE,
    "tavolata._engine.network.identities:IdentityError": USAGE,
    "tavolata._engine.network.table_errors:TableRefused": REFUSED,
    "tavolata._engine.network.table_errors:TableLost": LOST,
    "tavolata._engine.match.open_source:BotFault": BOT,
    "tavolata._engine.match.open_source:Unended": PLUGIN,
    "tavolata._ui.seat_programs:ProgramFault": BOT,
    "tavolata._engine.review.findings:Wrong": WRONG,
    "tavolata._engine.network.table_errors:ReplicasDiffer": WRONG,
    "tavolata._engine.plugins.installer:NotInstalled": USAGE,
    "tavolata._engine.plugins.clean_environment:NotClean": PLUGIN,
    "tavolata._cli.fetching:NotFetched": UNREACHABLE,
    "tavolata._lab.cluster:NoCluster": UNREACHABLE,
    "tavolata._lab.cluster:NoDask": USAGE,
    "tavolata._lab.crew:CrewError": LOST,
    "tavolata._lab.crew:UnfitWorker": PLUGIN,
    "tavolata._engine.plugins.loader:NoSuchGame": NO_SUCH_GAME,
    "tavolata._engine.plugins.loader:BrokenPlugin": PLUGIN,
}
"""Exit codes by class. The nearest listed base class decides; any other error is internal."""

WRITING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF})
"""What the system says of an output that can't be written. Files of ours have errors with a name."""

Say = Callable[..., str]
"""A function that translates a message id, with its parameters and package, into the person's language."""


class UsageError(MessageError):
    """The command line, an environment variable or the config file can't be understood."""


def exit_code(error: BaseException) -> int:
    for base in type(error).__mro__:
        code = EXIT_CODES.get(f"{base.__module__}:{base.__qualname__}")
        if code is not None:
            return code
    return INTERNAL


def report(error: BaseException, say: Say) -> int:
    """Print one sentence about the error on stderr; return the exit code."""
    if os.environ.get("TT_DEBUG") == "1" and not isinstance(error, KeyboardInterrupt):
        put("".join(traceback.format_exception(error)), sys.stderr, end="")
    if isinstance(error, BrokenPipeError):
        _let_go_of_stdout()
        return FINISHED  # the reader of the output has closed it, as in `tt rules zompa | head`
    if isinstance(error, OSError) and error.filename is None and error.errno in WRITING:
        _let_go_of_stdout()
        _tell(say(N_("Couldn't write the output: {problem}."), {"problem": trouble(error)}))
        return USAGE
    if isinstance(error, KeyboardInterrupt):
        _tell(say(N_("Interrupted."), {}))
        return INTERRUPT
    if isinstance(error, MessageError):
        _tell(say(error.message, error.params, error.package))
    elif isinstance(error, TavolataError):
        _tell(str(error))
    elif isinstance(error, OSError) and error.filename is not None:
        said = {"path": one_line(error.filename), "problem": trouble(error)}
        _tell(say(N_("Couldn't use {path}: {problem}."), said))
        return USAGE
    else:
        problem = one_line(f"{type(error).__name__}: {error}")
        _tell(say(N_("Internal error: {problem} (TT_DEBUG=1 shows where.)"), {"problem": problem}))
    return exit_code(error)


def _tell(sentence: str) -> None:
    with suppress(OSError):  # nobody reads stderr either; the exit code still tells
        from tavolata._ui.wrapping import fitted

        put(fitted(f"tt: {sentence}", sys.stderr), sys.stderr, flush=True)


def _let_go_of_stdout() -> None:
    # Python flushes stdout again at exit and would print an error then, so it gets a sink to flush to.
    with suppress(AttributeError, OSError, ValueError):  # no stdout, or it is not a file, as in a test
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
