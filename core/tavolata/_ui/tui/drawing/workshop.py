"""The workshop of a frame: the characters, the words, and the choices by the things on which they lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tavolata._ui.scene.scene import Option, Scene
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata.messages import N_, NN_

Cells = tuple[tuple[int, int], ...]
EMPTY = N_("empty")
CARDS = NN_("{n} card", "{n} cards")
DICE = NN_("{n} die", "{n} dice")
YOURS = N_("yours")
NOTHING_YOURS = N_("nothing before you")


class Workshop:
    """The context of every drawing function of one frame.

    In a `large` window an undeclared game is drawn larger (`roomy`).
    """

    def __init__(self, scene: Scene, glyphs: Glyphs, say: Callable[..., str], *, large: bool = False) -> None:
        self.scene, self.glyphs, self.say = scene, glyphs, say
        self.roomy = large and scene.undeclared
        self.empty = say(EMPTY)
        self.yours = say(YOURS)
        self.nothing_yours = say(NOTHING_YOURS)
        decision = scene.decision
        options = decision.options
        self.pointed: Option | None = options[decision.pointed] if options else None
        self._cards: dict[str, dict[int, Option]] = {}
        self._places: dict[str, list[tuple[Cells, Option]]] = {}
        self.lanes: dict[tuple[str, str], list[Option]] = {}
        for option in options:
            at = option.at
            if at is not None and at.card is not None:
                self._cards.setdefault(at.zone, {})[at.card] = option
            elif at is not None and at.cells:
                self._places.setdefault(at.zone, []).append((at.cells, option))
            elif at is not None and at.thing:
                self.lanes.setdefault((at.zone, at.thing), []).append(option)

    def cards(self, count: int, *, dice: bool = False) -> str:
        return self.say(DICE if dice else CARDS, {"n": count})

    def on_cards(self, zone: str) -> Mapping[int, Option]:
        return self._cards.get(zone, {})

    def on_cells(self, zone: str) -> Mapping[tuple[int, int], Option]:
        return {cells[0]: option for cells, option in self._places.get(zone, ()) if len(cells) == 1}

    def on_columns(self, zone: str) -> list[tuple[Cells, Option]]:
        return [(cells, option) for cells, option in self._places.get(zone, ()) if len(cells) > 1]

    def role_on(self, option: Option) -> str:
        return "cursor" if option is self.pointed else "key" if option.can else "dim"

    def pointed_card(self, zone: str) -> int | None:
        at = None if self.pointed is None else self.pointed.at
        return at.card if at is not None and at.zone == zone else None

    def pointed_words(self) -> list[tuple[str, str]]:
        """Return what there is to know of the choice pointed at, each sentence with its role."""
        option = self.pointed
        if option is None:
            return []
        at = option.at
        shown = () if at is None or at.card is None else self.scene.yours
        words = [
            (card.text, "strong") for item in shown for card in item.cards if at and card.card == at.card
        ]
        words += [(option.more, "dim")] if option.more else []
        return [*words, (option.why, "dim")] if option.why else words
