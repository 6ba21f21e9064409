"""The entry point of the command `tt`. It must start fast, so everything else is imported when needed."""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run `tt` with these words (those of the command line if None); return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if "--version" in (words[: words.index("--")] if "--" in words else words):
        import errno

        from tavolata._version import __version__

        try:
            if not sys.stdout:
                raise OSError(errno.EBADF, "")  # noqa: TRY301 - closed by the caller: reported as a full disk is
            print("tavolata", __version__, flush=True)
        except OSError as error:
            from tavolata._cli.failures import report
            from tavolata._text import fill

            return report(error, fill)
        return 0
    import gc

    from tavolata._cli.run import run

    gc.set_threshold(10_000)  # nearly all objects made at the start stay, so collecting early wastes time
    return run(words)
