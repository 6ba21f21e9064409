"""The entry point of the command `tt`. It must start fast, so everything else is imported when needed."""

from __future__ import annotations

import gc
import sys


def main(arguments: list[str] | None = None) -> int:
    """Run `tt` with these words (those of the command line if None); return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if "--version" in (words[: words.index("--")] if "--" in words else words):
            import errno

            from tavolata._version import __version__

            if not sys.stdout:
                raise OSError(errno.EBADF, "")  # noqa: TRY301 - closed by the caller: reported as a full disk is
            print("tavolata", __version__, flush=True)
            return 0
        if arguments is None and not sys.warnoptions:
            import warnings

            warnings.simplefilter("ignore")  # not on a screen: `python -W default -m tavolata` shows them
        gc.set_threshold(100_000)  # nearly all objects made at the start stay: collecting among them is waste
        gc.callbacks.append(_collect_more_often)
        from tavolata._cli.run import run
    except (OSError, KeyboardInterrupt) as error:
        from tavolata._cli.failures import report
        from tavolata._text import fill

        return report(error, fill)
    return run(words)


def _collect_more_often(phase: str, _info: object) -> None:
    """End the long wait after the first collection: at a table, this many objects in cycles would be felt."""
    if phase == "stop":
        gc.callbacks.remove(_collect_more_often)
        gc.set_threshold(10_000)
