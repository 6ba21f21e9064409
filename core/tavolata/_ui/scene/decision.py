"""The decision of a scene: what is asked, the choices and where they lie, and what the act button says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from tavolata._text import Verbatim
from tavolata._ui.answers import is_go, limits, own_words
from tavolata._ui.scene.faces import thing_colour
from tavolata._ui.scene.items import thing_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import (
    AmountField,
    ChoicePlace,
    Decision,
    FieldEntry,
    Option,
    SceneItem,
    TextField,
)
from tavolata._ui.scene.viewpoint import Begun, Viewpoint
from tavolata.boards import Spot
from tavolata.cards import Card
from tavolata.choices import Choice
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Writing
from tavolata.messages import N_, NN_
from tavolata.ring import SEATS, Seat
from tavolata.table import NEXT as NEXT_PLAYER
from tavolata.table import NEXT_CARD

YOUR_MOVE = N_("your move")
MOVE_OF = N_("{name}'s move")
OWN = "{choice}"
CHOOSE = N_("Choose {choice}")
TAKE = NN_("Choose this one", "Choose these {n}")
NONE_TAKEN = N_("Choose none")
TAKE_ALL = N_("Pick {n}")
TAKE_SOME = N_("Choose {low} to {high}")
GIVE = N_("Say {choice}")
WRITE = N_("Write")
NEXT = N_("Next: {label}")
GO_ON = N_("Continue")
YOUR_TURN = N_("It's your turn.")
SOME = N_("Pick {low} to {high} (Space)")
EXACTLY = N_("Pick {low} (Space)")
SOME_IN_ORDER = N_("Pick {low} to {high}, in order (Space)")
ALL_IN_ORDER = N_("Pick {low}, in order (Space)")


def make_decision(
    point: Viewpoint, say: SceneWords, items: Sequence[SceneItem], about: tuple[str, ...]
) -> Decision:
    """Return the decision of this moment.

    Choices may be on `items`. `about` has the zones that the question is about, of those on view.
    """
    begun = point.question
    if begun is None:
        title, text, act = map(say.plainly, point.waiting)
        return Decision("window" if point.window else "wait", title, text, act, note="\n".join(point.window))
    ask, own = begun.ask, begun.ask is None
    title, preview = "" if own else say(YOUR_MOVE), tuple(map(say.plainly, point.preview))
    if ask is not None and len(point.people) > 1:
        title = say(MOVE_OF, {"name": SEATS[ask.seat]})
    prompt = say.plainly(begun.prompt)
    if is_go(begun.kind):
        if ask is None:
            return Decision("go", title, prompt, say(GO_ON), own=True)
        act, text = (
            say(said, {"seat": ask.seat, **ask.params})
            for said in ((ask.verb, ask.you) if ask.verb else (ask.you, ask.others))
        )
        if len(point.people) == 1 and ask.others in (NEXT_PLAYER, NEXT_CARD):
            text = say(YOUR_TURN)
        return Decision("go", title, text, act or say(GO_ON), about)
    entries = _entries(begun, say)
    shape = begun.fields[len(begun.given)][1].shape()
    match shape:
        case Number() | Writing():
            kind = "number" if isinstance(shape, Number) else "text"
            return _typed(shape, begun, say, Decision(
                kind, title, prompt, "", about, entries=entries, preview=preview, own=own,
            ))  # fmt: skip
        case Choices():
            pass
        case Fieldset() | Branching():
            raise AssertionError(shape)  # a form is split into its fields before
        case _ as never:
            assert_never(never)
    options = tuple(_options(shape, begun, say, items))
    act = options[begun.pointed].verb
    note = ""
    if shape.several:
        some, exactly = (SOME_IN_ORDER, ALL_IN_ORDER) if shape.ordered else (SOME, EXACTLY)
        note = say(exactly if shape.low == shape.high else some, {"low": shape.low, "high": shape.high})
        if begun.marked and len(begun.marked) >= shape.low:
            own_verb = "" if ask is None or "{choice}" in ask.verb else ask.verb
            act = say(own_verb or TAKE, {"n": len(begun.marked)})
        elif not (shape.low == shape.high == 1 or (begun.typed and shape.low < 2)):
            least, most = {"n": shape.low}, {"low": shape.low, "high": shape.high}
            act = say(TAKE_ALL, least) if shape.low == shape.high else say(TAKE_SOME, most)
            act = act if shape.low else say(NONE_TAKEN)
    if not begun.decides:
        act = _next(begun, say)
    cannot = tuple((say(no.label, no.params), say(no.reason, no.params)) for no in shape.unavailable)
    unfit = [option for option in options if option.why]
    if len(unfit) > 1 or (unfit and len(options) > 4):  # said once below, so that the choices stay short
        cannot = ((", ".join(option.text for option in unfit), unfit[0].why), *cannot)
        options = tuple(
            replace(option, text=f"({option.text})", why="") if option.why else option for option in options
        )
    return Decision(
        "several" if shape.several else "choices", title, prompt, act, about, options, begun.pointed,
        entries, note=note, cannot=cannot, preview=preview, own=own,
        later=tuple(sorted(begun.later)), held=begun.held,
    )  # fmt: skip


def _next(begun: Begun, say: SceneWords) -> str:
    """Return what the button says where another field follows."""
    after = begun.fields[len(begun.given) + 1 :]
    return say(NEXT, {"label": say(after[0][0])}) if after else say(GO_ON)


def _typed(shape: Number | Writing, begun: Begun, say: SceneWords, bare: Decision) -> Decision:
    usual = "" if isinstance(shape, Writing) or shape.default is None else str(shape.default)
    typed = begun.typed or usual
    verb = begun.ask.verb if begun.ask is not None and begun.ask.verb else GIVE
    act = say(verb, {"choice": Verbatim(typed or "?")})
    if not begun.decides:
        act = _next(begun, say)
    if isinstance(shape, Writing):
        act = act if typed or not begun.decides else say(WRITE)
        field = TextField(shape.low, shape.high, typed)
        return replace(bare, act=act, writing=field, note=say.plainly(own_words(shape, say.words)))
    amount = AmountField(shape.low, shape.high, shape.step, typed)
    return replace(bare, act=act, amount=amount, note=say.plainly(limits(shape, say.words)))


def _entries(begun: Begun, say: SceneWords) -> tuple[FieldEntry, ...]:
    if len(begun.fields) < 2:
        return ()
    entries = []
    for at, (label, kind) in enumerate(begun.fields):
        value = ""
        if at < len(begun.given):
            shape, given = kind.shape(), begun.given[at]
            if isinstance(shape, Choices):
                value = ", ".join(say.choice(shape.choices[place]) for place in given)
            else:
                value = say.name(kind.value_of(given))
        entries.append(FieldEntry(say(label) if label else "", value, at == len(begun.given)))
    return tuple(entries)


def _options(shape: Choices, begun: Begun, say: SceneWords, items: Sequence[SceneItem]) -> list[Option]:
    ask = begun.ask
    things = {lane.thing: item.id for item in items for lane in item.lanes}
    faces = {card.card: (item.id, card) for item in items for card in item.cards}
    cards = {card: zone for card, (zone, _) in faces.items()}
    boards = {item.id for item in items if item.cells}
    verb = OWN if ask is None else ask.verb or CHOOSE
    options = []
    for place, choice in enumerate(shape.choices if begun.choices is None else begun.choices):
        text = say.choice(choice)
        at = place_of(choice, things, cards, boards)
        if at is not None and at.column:  # a message id, such as "to win"
            at = replace(at, column=say(at.column))
        if not choice.label and at is not None and at.card is not None:
            face = faces[at.card][1]
            text = f"{face.corner}{face.sign}" or text
        fits = place >= len(begun.fits) or begun.fits[place]
        why = "" if fits or ask is None or ask.claim is None else say(ask.claim.reason)
        options.append(Option(
            place + 1, text, say(choice.verb or verb, {**choice.params, "choice": text}),
            thing_colour(thing_of(choice)), at, choice.key, choice.mood,
            say(choice.more, choice.params) if choice.more else "",
            can=fits,
            why=why,
            order=list(begun.marked).index(place) + 1 if place in begun.marked else 0,
        ))  # fmt: skip
    return options


def place_of(
    choice: Choice, things: Mapping[str, str], cards: Mapping[int, str], boards: Collection[str]
) -> ChoicePlace | None:
    """Return a choice's place; None if it's on nothing that is on view."""
    what, column = thing_of(choice), choice.at[1] if isinstance(choice.at, tuple) else ""
    if isinstance(what, Card):
        return ChoicePlace(cards[what.id], what.id, column=column) if what.id in cards else None
    if isinstance(what, Spot):
        return ChoicePlace(what.board, column=column, cells=what.cells) if what.board in boards else None
    if isinstance(what, Seat):
        return ChoicePlace(seat=int(what), column=column)
    thing = getattr(what, "value", what)
    if not isinstance(thing, str) or thing not in things:
        return None
    square = int(column) if column.isdecimal() else None
    return ChoicePlace(things[thing], thing=thing, column="" if square is not None else column, square=square)
