"""Renamed words in the source of a game: what is rewritten, and what isn't."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tavolata.testing.renaming import Renaming, renamed

CASES = {
    # tables: parameters that are called `t` or annotated
    "def f(t): t.open(x)": "def f(t): t.reveal(x)",
    "async def f(g: G, t: T): await t.settle()": "async def f(g: G, t: T): await t.judge()",
    "def f(table: Table[O]): table.window(x)": "def f(table: Table[O]): table.react(x)",
    "def f(a: 'Table[O]', /): return lambda: a.open": "def f(a: 'Table[O]', /): return lambda: a.reveal",
    "f = lambda t: t.window": "f = lambda t: t.react",
    "def f(t):\n    def g(a): a.open(); t.open()": "def f(t):\n    def g(a): a.open(); t.reveal()",
    "def f(file): file.open(); window.open(); t.open()": None,
    "def f(t): t.open_floor(); open(t)": None,
    "def f(t):\n    def g(t: Table): t.open()": "def f(t):\n    def g(t: Table): t.reveal()",
    # rings and piles: anything but `self`
    "t.ring.from_(s, where=f)": "t.ring.starting(s, where=f)",
    "x = [*view.ring.those(f)]": "x = [*view.ring.where(f)]",
    "self.hands[0].pass_on(self.laid, [card])": "self.hands[0].move_to(self.laid, [card])",
    "self.deck.pass_under(to)": "self.deck.move_to(to, under=True)",
    "a.pass_under(\n    b.of(1),  # below\n)": "a.move_to(\n    b.of(1), under=True,  # below\n)",
    "a.pass_on(b); c.pass_under(d(e))": "a.move_to(b); c.move_to(d(e), under=True)",
    "self.pass_on(t, layer)": None,
    "from_ = those = pass_on = None": None,
    # games
    "class A(Game): best = 3": "class A(Game): best_with = 3",
    "class A(tavolata.Game[O]): alone: X = {}": "class A(tavolata.Game[O]): local: X = {}",
    "class A(B): seats, table = (2, 4), Layout()": "class A(B): seats, layout = (2, 4), Layout()",
    "class A(B): best, table = 1, 2": None,
    "class A(Game): pass\nclass B(A): best = 3": "class A(Game): pass\nclass B(A): best_with = 3",
    "class A(Game):\n    best = 3\n    def f(self): return self.best": (
        "class A(Game):\n    best_with = 3\n    def f(self): return self.best_with"
    ),
    "class A(Game):\n    def f(self): self.best = self.table": None,
    "class A(Game): best = 3\nA.best, B.best": "class A(Game): best_with = 3\nA.best_with, B.best",
    "class A(Game):\n    version = '1'\n    seats = (1, 2)": "class A(Game):\n    seats = (1, 2)",
    "class A(Game):\n    seats = (1, 2); version = '1'": None,
    "class A(Game): name, version, seats = 'è', '1', (1, 2)": "class A(Game): name, seats = 'è', (1, 2)",
    "class A(Game): (name, version) = ('a', '1')": "class A(Game): (name) = ('a')",
    "class A(Game):\n    version = (1, 2)\nclass B:\n    version = '1'": None,
    "async def f(t): return await t.lot(6)": "async def f(t): return await t.randrange(6)",
    "def f(t): t.hands('Hand', remix=True, sort=x); t.hand('a', s, remix=x)": (
        "def f(t): t.hands('Hand', sort=x); t.hand('a', s)"
    ),
    "def f(t):\n    t.hands(\n        'Hand',\n        remix=True,\n        sort=x,\n    )": (
        "def f(t):\n    t.hands(\n        'Hand',\n        sort=x,\n    )"
    ),
    "def f(t):\n    t.tell(\n        N_('a'),\n        beat='b', seat=s)": (
        "def f(t):\n    t.tell(\n        N_('a'),\n        seat=s)"
    ),
    "def f(t, u): t.tell('{beat}', beat=1); u.tell('', beat=1)": None,
    # texts stay, and so does what is before a name
    "def f(t): '''t.open'''; t.open()  # t.open": "def f(t): '''t.open'''; t.reveal()  # t.open",
    "def f(t): print('è', t.open, '😀', t.open)": "def f(t): print('è', t.reveal, '😀', t.reveal)",
    "a.from_(1)\r\na.those(2)\r\n": "a.starting(1)\r\na.where(2)\r\n",
}


@pytest.mark.parametrize("before", CASES)
def test_names_are_rewritten_where_they_are_old(before: str) -> None:
    """Code changes at the places of old names alone; what is new already stays."""
    after = before if CASES[before] is None else CASES[before]
    source, found = renamed(before)
    assert source == after
    assert bool(found) is (after != before)
    assert renamed(source) == (source, [])


def test_each_change_is_listed_with_its_place() -> None:
    """A change has line and column, old and new name; what is only added isn't one."""
    code = dedent("""
        def setup(t):
            t.open(x); a.pass_under(b)
    """)
    assert renamed(code)[1] == [Renaming(3, 6, "open", "reveal"), Renaming(3, 17, "pass_under", "move_to")]


def test_what_is_not_python_is_refused() -> None:
    """A syntax error has its line."""
    with pytest.raises(SyntaxError) as error:
        renamed("a\nb c\n")
    assert error.value.lineno == 2
