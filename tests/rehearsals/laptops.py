"""The laptops of a rehearsal: each with its clocks, its randomness, its disk and its sockets."""

from __future__ import annotations

import asyncio
import enum
import random
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

from tests.rehearsals.disk import Died, MemoryDisk
from typing_extensions import override

from tavolata._machine import MACHINE
from tavolata._machine import Computer as AnyComputer

if TYPE_CHECKING:
    from tests.rehearsals.network import VirtualSocket

T = TypeVar("T")
EPOCH = 1_700_000_000.0
"""The time of day when a world begins, in seconds since 1970."""


class Power(enum.Enum):
    """Whether a computer runs."""

    ON = enum.auto()
    ASLEEP = enum.auto()
    OFF = enum.auto()
    ENDS = enum.auto()
    """The evening is over: its tasks end, and nothing that they do counts."""


class Laptop(AnyComputer):
    """One computer. After a crash another one stands in its place, with the same name, address and disk.

    `rate` is how fast its clock goes, and `offset` where it began. Everything on it runs in `context`.
    """

    def __init__(
        self, name: str, host: str, chance: random.Random, disk: MemoryDisk, clock: Callable[[], float]
    ) -> None:
        self.disk: MemoryDisk = disk
        self.name = name
        self.hosts: tuple[str, ...] = (host,)
        """The addresses of its interfaces; it sends from the first."""
        self.chance = chance
        self.loses_power = False
        """Whether it goes off by a power cut, which takes what the drive hasn't got."""
        self.power = Power.ON
        self.rate, self.offset = 1.0, chance.uniform(0, 1000)
        self.held: list[tuple[object, Context]] = []
        self.sockets: dict[tuple[str, int], VirtualSocket] = {}
        self.tasks: list[asyncio.Task[Any]] = []
        self.dies_at_datagram: int | None = None
        self.when_dead: Callable[[], object] = lambda: None
        self.context = copy_context()
        self.context.run(MACHINE.set, self)
        self._clock = clock
        self._ahead = 0.0
        self._next_port = 40000

    @property
    def host(self) -> str:
        return self.hosts[0]

    @override
    def wall(self) -> float:
        return EPOCH + self._ahead + self._clock()

    @override
    def token(self, size: int) -> bytes:
        return self.chance.randbytes(size)

    def set_clock(self, seconds: float) -> None:
        """Have the time of day jump by so many seconds."""
        self._ahead += seconds

    def monotonic(self, now: float) -> float:
        """Return its own clock at a time of the world."""
        return self.offset + now * self.rate

    def in_world(self, when: float, now: float) -> float:
        """Return the time of the world at which its own clock shows `when`."""
        return max(now, (when - self.offset) / self.rate)

    def run(self, task: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin a task on this computer."""
        begun = asyncio.get_running_loop().create_task(task, context=self.context.copy())
        self.tasks.append(begun)
        return begun

    def within(self, what: Callable[..., T], *args: Any) -> T:
        """Call something as if it ran on this computer."""
        return self.context.copy().run(what, *args)

    def disk_left(self) -> MemoryDisk:
        """Return the disk that the next run of a machine finds that went off."""
        return self.disk.power_cut(self.chance) if self.loses_power else self.disk.kill()

    def free_port(self) -> int:
        self._next_port += 1
        taken = any(port == self._next_port for _, port in self.sockets)
        return self.free_port() if taken else self._next_port

    def before_datagram(self) -> None:
        """Die if it was to die at this datagram."""
        if self.dies_at_datagram is not None:
            self.dies_at_datagram -= 1
            if self.dies_at_datagram <= 0 and self.power is Power.ON:
                self.turn_off()
                self.when_dead()
        if self.power in (Power.OFF, Power.ENDS):
            raise Died

    def turn_off(self, power: Power = Power.OFF) -> None:
        """End everything on it at once, as `kill -9` does."""
        self.power = power
        self.disk.dead = True
        for sock in [*self.sockets.values()]:
            sock.closed = True
        self.sockets.clear()


def here() -> Laptop | None:
    """Return the computer of the code that runs now; None for the world's own."""
    machine = MACHINE.get()
    return machine if isinstance(machine, Laptop) else None
