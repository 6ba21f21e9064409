"""The loader of one plugin: it imports the plugin, checks its hooks and calls them.

Each plugin has its own pluggy manager, so a hook that is misspelled, raises or returns nonsense is known to
belong to this plugin and does not affect others. `catalogue` decides which plugin owns which name.
"""

from __future__ import annotations

import difflib
import inspect
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from types import FrameType
from typing import Any, NamedTuple

import pluggy

from tavolata import hookspecs
from tavolata._engine.plugins.manifest import EntryPoint
from tavolata._text import fill, one_line
from tavolata._version import __version__
from tavolata.errors import MessageError
from tavolata.messages import N_


class NoSuchGame(MessageError):
    """No plugin brings a game of this name, or there's no such file."""


class BrokenPlugin(MessageError):
    """The game is there, but its plugin, or its file, can't be used; the sentence says why."""


class PluginProblem(NamedTuple):
    """Why something was left out: the plugin at fault, and the sentence as a message id and its fields."""

    plugin: str
    distribution: str
    message: str
    params: dict[str, Any]

    @property
    def sentence(self) -> str:
        return fill(self.message, self.params)


class Plugin:
    """A plugin that was found; `load` imports it.

    `brings` has the names it got: "games", "bots" as game/level, "commands".
    """

    def __init__(self, entry: EntryPoint) -> None:
        self.entry = entry
        self.problems: list[PluginProblem] = []
        self.usable = False
        self._loaded = False
        self._called: dict[str, list[Any]] = {}
        self.brings: dict[str, list[str]] = {"games": [], "bots": [], "commands": []}
        self._manager = pluggy.PluginManager(hookspecs.GROUP)
        self._manager.add_hookspecs(hookspecs)

    def __str__(self) -> str:
        return f"{self.entry.name} ({self.entry.distribution} {self.entry.version})"

    @property
    def package(self) -> str:
        """The package that holds its rules texts and translations; "" for a lone module."""
        name = self.entry.value.partition(":")[0].strip()
        return name if hasattr(sys.modules.get(name), "__path__") else name.rpartition(".")[0]

    def complain(self, message: str, **params: object) -> None:
        """Note that something of this plugin is left out, and why; `{plugin}` is filled in."""
        said = {"plugin": str(self), **params}
        self.problems.append(PluginProblem(self.entry.name, self.entry.distribution, message, said))

    def load(self) -> None:
        """Import the plugin and check its hooks, once; afterwards it is usable or has a problem."""
        if self._loaded:
            return
        self._loaded = True
        try:
            with strangers_code():
                thing = _import(self.entry.value)
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            if isinstance(problem, ImportError) and (problem.name or "").split(".")[0] == "tavolata":
                message = N_("{plugin} asks for something that Tavolata {version} doesn't have: {problem}.")
                self.complain(message, version=__version__, problem=one_line(problem))
            else:
                self.complain(N_("{plugin} can't be imported: {problem}."), problem=what(problem))
            return
        try:
            with strangers_code():
                self._manager.register(thing, self.entry.name)
                self._manager.check_pending()
                said = getattr(thing, "__dict__", {})
                unmarked = [name for name, value in said.items() if _looks_like_a_hook(name, value)]
                has_hooks = bool(self._manager.get_hookcallers(thing))
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            self._complain_of_hooks(thing, problem)
            return
        if unmarked:
            self.complain(
                N_("{plugin} has {hook} without @hookimpl, so it would never be called."), hook=unmarked[0]
            )
        elif not has_hooks:
            self.complain(N_("{plugin} has no hook that Tavolata knows."))
        else:
            self.usable = True

    def _complain_of_hooks(self, thing: object, problem: Exception) -> None:
        known = [name for name in vars(hookspecs) if name.startswith("tavolata_")]
        is_misspelled = isinstance(problem, pluggy.PluginValidationError)
        for caller in (is_misspelled and self._manager.get_hookcallers(thing)) or []:
            if not caller.has_spec():
                near = difflib.get_close_matches(caller.name, known, n=1) or [", ".join(known)]
                message = N_("{plugin} has an unknown hook: {hook}. Did you mean {near}?")
                self.complain(message, hook=caller.name, near=near[0])
                return
        self.complain(N_("{plugin} has a malformed hook: {problem}."), problem=one_line(problem))

    def offers(self, hook: str) -> list[Any]:
        """Return the result of this plugin's hook without arguments, which is called once."""
        if hook not in self._called:
            self._called[hook] = self.call(hook)
        return self._called[hook]

    def call(self, hook: str, **arguments: object) -> list[Any]:
        """Return the result of this plugin's hook as one list; empty if it's missing or fails."""
        self.load()
        if not self.usable:
            return []
        try:
            with strangers_code():
                return [
                    thing
                    for things in getattr(self._manager.hook, hook)(**arguments)
                    for thing in things or ()
                ]
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            self.complain(N_("{plugin} failed in {hook}: {problem}."), hook=hook, problem=what(problem))
            return []


class Outburst(Exception):
    """A stranger's code raised what is no `Exception`, such as `SystemExit`; that is its cause."""


@contextmanager
def strangers_code() -> Iterator[None]:
    """Run a stranger's code: all that it raises is an `Exception`; the person's Ctrl+C stays what it is.

    Its prints go to stderr.

    Raises:
        Outburst: it raised something else.
        KeyboardInterrupt: the person interrupted it. A signal has arrived then.
    """
    arrived: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        arrived.append(number)
        assert callable(before)
        before(number, frame)

    before = signal.getsignal(signal.SIGINT)
    watched = callable(before) and threading.current_thread() is threading.main_thread()
    if watched:
        signal.signal(signal.SIGINT, note)
    try:
        with redirect_stdout(sys.stderr):
            yield
    except Exception:
        raise
    except BaseException as problem:
        if arrived:
            raise
        raise Outburst(str(problem)).with_traceback(problem.__traceback__) from problem
    finally:
        if watched:
            signal.signal(signal.SIGINT, before)


def _import(value: str) -> object:
    module, _, path = value.partition("[")[0].partition(":")
    thing: object = import_module(module.strip())
    for name in path.strip().split(".") if path.strip() else ():
        thing = getattr(thing, name)
    return thing


def _looks_like_a_hook(name: str, value: object) -> bool:
    return (
        name.startswith("tavolata_")
        and inspect.isfunction(value)
        and not hasattr(value, f"{hookspecs.GROUP}_impl")
    )


def what(problem: BaseException) -> str:
    """What a stranger's code raised, in one line without a full stop."""
    if isinstance(problem, Outburst) and problem.__cause__ is not None:
        problem = problem.__cause__
    return one_line(f"{type(problem).__name__}: {problem}".removesuffix(": ")).removesuffix(".")
