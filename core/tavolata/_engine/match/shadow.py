"""Shadows: replicas of a match that know what one viewer knows, and copies of the match made from them.

The script of a match can't be copied, because it waits in the middle of a turn. So a copy begins with the
state at the end of a turn and follows the log from there; the shorter the turns, the cheaper. What is hidden
takes no part in that. When the copy has caught up, the hidden faces are put in: the true ones for a clone,
others that may be true for an imagined world. A match that goes back to an answer follows its own log again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from typing_extensions import override

from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import (
    ANSWER,
    DECLARED,
    OPENED,
    RETURNED,
    SEALED,
    SEAT,
    SHOWN,
    TIMEOUT,
    MatchEntry,
)  # fmt: skip
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, MatchSource, SeatKnowledge, TakenBack
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.source import faces_left, hidden
from tavolata._engine.match.unseen import DrawnFaces, UnseenCards
from tavolata.asks import Ask
from tavolata.assertions import Assertion, Declaration, Narration
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.cups import DiceDeck
from tavolata.errors import GameError
from tavolata.facts import faced
from tavolata.kinds.question import RandomNumbers
from tavolata.ring import Seat
from tavolata.secret import Narrated
from tavolata.source import Dealt
from tavolata.table import Table

EXCHANGES = 400
"""The most faces that are exchanged so that a world fits what was claimed."""

TRIES = 100
"""The most sealed answers that are tried out, so that a world fits what was claimed with them."""
UNSEEN = -1
"""Stands for the face of a card that a seat knows and the viewer doesn't."""


class TurnEnd(NamedTuple):
    """A place that copies begin at: the end of a turn, after `at` entries of the log.

    `known` has, by seat and card, the face number, or UNSEEN; `closed`, by number, the questions with answers
    under seal; `lots` the unseen cards that no one can tell apart.
    """

    at: int
    state: Mapping[str, Any]
    known: Mapping[int, Mapping[int, int]]
    closed: Mapping[int, Ask]
    lots: Sequence[Sequence[int]]


class ShadowSource(LogSource):
    """The source of a replica: it follows a log, and notes who may know what.

    It may use the knowledge of the viewer; None for a spectator's. `unseen` are the unseen cards, as the
    viewer can tell, unless no one wants to know; `lots` as everyone can tell. `closed` has, by number, the
    questions with answers under seal.
    """

    def __init__(
        self,
        of: MatchSource,
        seats: int,
        viewer: int | None = None,
        unseen: UnseenCards | None = None,
    ) -> None:
        super().__init__(seats, OneDealer())
        self.words = Table
        self.viewer = viewer
        self.unseen, self.lots = unseen, UnseenCards()
        self.closed: dict[int, Ask] = {}
        self._settling = _AsItWas(of.said_by)  # type: ignore[assignment] # its two methods are all that is called
        self._forgot = of.forgotten
        self._opened = of.opened
        self._shuffles = 0

    def begin_at(self, closed: Sequence[Ask], before: SeatKnowledge) -> None:
        """Begin where the match was loaded: of its hidden cards of a kind nothing else is known."""
        self.closed = {ask.id: ask for ask in closed}
        self._match.status = ["here" if one == "here" else "away" for one in self._match.status]
        for seat, answers in before.sealed.items():
            for number in answers:
                ask = self.closed.get(number)
                if ask is not None and seat != ask.seat:
                    ask.shown_to = (*ask.shown_to, Seat(seat))
        for seat, seen in before.known.items():
            self.known[seat] = {card: face if seat == self.viewer else UNSEEN for card, face in seen.items()}
        mine = {} if self.viewer is None else before.known.get(self.viewer, {})
        cards = self._match.table._pieces.cards
        public = {card.id: card.deck.number[card.face] for card in cards if card.is_public}
        for deck, of_a_kind in hidden(cards).items():
            if isinstance(deck, DiceDeck):
                continue  # they fall again in each world
            ids = [card.id for card in of_a_kind]
            self.lots.hide(ids, faces_left(cards, deck, public))
            if self.unseen is not None:
                unseen = [number for number in ids if number not in mine]
                self.unseen.hide(unseen, faces_left(cards, deck, {**mine, **public}))

    @override
    def _acts(self, entry: MatchEntry, fits: Callable[[MatchEntry], bool]) -> bool:
        if entry[0] == RETURNED:
            self._match.returned(entry)
            return False
        if entry[0] == SEAT and entry[2] == "blind":
            entry = (SEAT, entry[1], "away")  # what was closed then has entries of its own
        return super()._acts(entry, fits)

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        public = {card.id: card.deck.number[card.face] for card in cards if card.is_public}
        mine, ids = self._mine(cards), [card.id for card in cards]
        if not super().shuffle(cards):
            return False
        if self.unseen is not None:
            for number, face in mine.items():
                self.unseen.see(number, face)
            self.unseen.shuffle(ids, mine | public)
        self._shuffles += 1
        self.lots.shuffle(ids, public)
        return True

    def _mine(self, cards: Sequence[Card[Any]]) -> dict[int, int]:
        """Return the faces of these hidden cards that the viewer knows until they are shuffled."""
        if self.viewer is None:
            return {}
        known = self.known[self.viewer]
        mine = {card.id: face for card in cards if (face := known.get(card.id, UNSEEN)) != UNSEEN}
        if self._shuffles < len(self._forgot):
            mine |= self._forgot[self._shuffles].get(self.viewer, {})
        return mine

    @override
    def reveal(self, card: Card[Any]) -> bool:
        done = super().reveal(card)
        if done:
            face = card.deck.number[card.face]
            self.lots.see(card.id, face)
            if self.unseen is not None:
                self.unseen.see(card.id, face)
        return done

    @override
    def show(self, what: Dealt, number: int) -> bool:
        if not super().show(what, number):
            return False
        faces = zip(self.entries[self.at - 1][2], what, strict=True)
        mine = tuple(face if seat == self.viewer else UNSEEN for face, (_, seat) in faces)
        self.entries[self.at - 1] = (SHOWN, number, mine)
        for card, seat in what:
            face = self.known[seat].get(card.id, UNSEEN) if seat == self.viewer else UNSEEN
            self.known[seat][card.id] = face
            if face != UNSEEN and self.unseen is not None:
                self.unseen.see(card.id, face)
        return True

    @override
    def may_see(self, card: Card[Any], seat: Seat) -> bool:
        return card.id in self.known[seat]

    @override
    def narrate(self, what: Narration) -> bool:
        if what.ask is not None:
            self.closed[what.id] = what.ask
        return super().narrate(what)

    @override
    def seal(self, asks: list[Ask]) -> bool:
        self.closed |= {ask.id: ask for ask in asks}
        return super().seal(asks)

    @override
    def unseal(self, asks: list[Ask]) -> bool:
        for ask in asks:
            if ask.answer is None and ask.box is None:  # where one process plays, no entry says it
                ask.answer = self._opened.get(ask.id)
        if not super().unseal(asks):
            return False
        for ask in asks:
            self.closed.pop(ask.id, None)
        return True


class _AsItWas:
    """Takes answers as they were taken before: nothing has to be proven again."""

    def __init__(self, said_by: Mapping[int, int | None]) -> None:
        self._by = said_by

    def settles(self, match: Match, entry: MatchEntry, waiting: list[Ask]) -> bool:
        kind = entry[0]
        if kind not in (ANSWER, SEALED, OPENED, TIMEOUT):
            return False
        number = entry[1] if kind == TIMEOUT else entry[2]
        for ask in waiting:
            if ask.id == number:
                if kind == SEALED:
                    ask.box, ask.by = entry[3], self._by.get(number, 0)
                elif kind == OPENED:
                    ask.answer, ask.by = ask.question.check(entry[-1]), self._by.get(number, 0)
                elif kind == TIMEOUT:
                    ask.answer = ask.late
                else:
                    answer, by = ask.question.check(entry[3]), self._by.get(number, 0)
                    ask.answer, ask.by = answer, None if ask.is_late(answer) else by
                return True
        return False

    def declares(self, match: Match, entry: MatchEntry, waiting: list[Declaration]) -> bool:
        if entry[0] != DECLARED:
            return False
        _, _, number, said = entry
        for one in waiting:
            if one.id == number:
                by = self._by.get(number, 0)
                one.say(one.otherwise if by is None and said is None else match.read_said(said), by)
                return True
        return False


class Shadow:
    """A replica of a running match that knows what one viewer knows (None: a spectator), and follows it."""

    def __init__(self, match: Match[Any], viewer: int | None) -> None:
        self._viewer = viewer
        self._unseen = UnseenCards()
        self._source = ShadowSource(match.source, len(match.status), viewer, self._unseen)
        self._match: Match[Any] = Match(match.rules, match.terms, self._source, match.replicas)
        self._end: TurnEnd | None = None
        self._match.on_turn = self._turn_ended
        if match.origin is not None:
            self._source.begin_at(self._match.load(match.origin), match.source.before)
            self._turn_ended()

    def _turn_ended(self) -> None:
        self._end = turn_end(self._match, self._source)

    def follow(self, match: Match[Any]) -> ShadowSource:
        """Return the source of this replica when it is where the match is."""
        log, source = match.source.log, self._source
        source.entries += log[len(source.entries) :]
        self._match.run()
        mine = {} if self._viewer is None else match.source.known[self._viewer]
        for card, face in mine.items():
            self._unseen.see(card, face)
            source.known[self._viewer][card] = face  # type: ignore[index] # a spectator was shown nothing
        return source

    def imagine(
        self, match: Match[Any], chance: RandomNumbers
    ) -> tuple[Match[OpenSource], TurnEnd | None, int]:
        """Return a copy of the match in which everything that the viewer doesn't know is drawn.

        With it, return the end of a turn from which its log continues, None for the beginning of the match,
        and how many of the open claims are false in it.
        """
        source = self.follow(match)
        mine = {} if self._viewer is None else match.source.known[self._viewer]
        end = self._end
        replica = caught_up(match, end, source.entries[end.at if end else 0 : source.at])
        drawn = self._unseen.drawn(chance)
        throw(replica, mine, drawn, chance)
        known = {} if self._viewer is None else match.source.sealed[self._viewer]
        untrue = agree(replica, drawn, mine, known, chance)
        cards = replica.table._pieces.cards
        public = {card.id: card.deck.number[card.face] for card in cards if card.is_public}
        faces = drawn.faces | mine | public
        dealt = [faces[card.id] for card in cards]
        own = OpenSource(chance.below(1 << 64), [None] * len(match.status))
        return put_in(match, replica, own, dealt, known, chance), end, untrue


def turn_end(match: Match[Any], source: ShadowSource) -> TurnEnd:
    return TurnEnd(
        source.at,
        match.state(),
        {seat: dict(known) for seat, known in source.known.items()},
        dict(source.closed),
        [sorted(lot.cards) for lot in source.lots.lots if lot.cards],
    )


def caught_up(
    match: Match[Any],
    end: TurnEnd | None,
    entries: Sequence[MatchEntry],
    on_turn: Callable[[Match[ShadowSource]], object] | None = None,
) -> Match[ShadowSource]:
    """Return a replica that has followed these entries from the end of a turn, or from the beginning."""
    source = ShadowSource(match.source, len(match.status))
    replica = Match(match.rules, match.terms, source, match.replicas)
    if end is not None:
        for ask in replica.load(end.state):
            ask.shown_to = end.closed[ask.id].shown_to
            source.closed[ask.id] = ask
        for seat, known in end.known.items():
            source.known[seat].update(known)
        for lot in end.lots:
            source.lots.hide(lot, ())
    if on_turn is not None:
        replica.on_turn = partial(on_turn, replica)
    source.entries += entries
    replica.run()
    replica.on_turn = None
    return replica


def put_in(
    match: Match[Any],
    replica: Match[ShadowSource],
    source: OpenSource,
    faces: list[int],
    answers: Mapping[int, Answer],
    chance: RandomNumbers,
) -> Match[OpenSource]:
    """Put what is hidden into a replica that has caught up, which then runs on its own.

    It continues from `source`, from which nothing was drawn yet. `answers` has, by number, the sealed answers
    that are known; any legal ones stand for the others, by `chance`.
    """
    shadow, seats = replica.source, range(len(match.status))
    sealed: dict[int, dict[int, Answer]] = {seat: {} for seat in seats}
    waiting = {ask.id for ask in shadow.open if ask.box is None}  # the others wait to be opened
    drawn = dict(answers)
    for ask in shadow.closed.values():
        if ask.id not in waiting:
            answer = answers.get(ask.id)
            if answer is None and isinstance(ask.question, Narrated):
                answer = _told(replica, ask.id, faces, drawn)
            elif answer is None:
                answer = _any_answer(ask, faces, chance)
            drawn[ask.id] = ask.answer = answer
            for seat in (ask.seat, *ask.shown_to):
                sealed[seat][ask.id] = answer
    known = {seat: {card: faces[card] for card in shadow.known[seat]} for seat in seats}
    source.deal_from(faces, known, sealed)
    source.log.extend(shadow.entries)
    source.opened.update(match.source.opened)
    replica.status = list(match.status)
    copy: Match[Any] = replica
    copy.go_on_from(source)
    copy.run()
    return copy


def _told(replica: Match[Any], number: int, faces: Sequence[int], answers: Mapping[int, Answer]) -> Answer:
    """Return the value that a narrator would have given in this world; None if no one can work it out."""
    facts = replica.table._facts
    said = next((one for one in facts.said if one.ask == number), None)
    if said is None or said.kept:
        return (None,)
    try:
        return facts.worked_out(said, lambda card: card.deck.faces[faces[card.id]], answers)
    except Exception:  # noqa: BLE001 - the rules' fault, if these faces are the true ones
        return (None,)


def _any_answer(ask: Ask, faces: Sequence[int], chance: RandomNumbers) -> Answer:
    """Return a legal answer to a question; its claim is true, if such an answer is found soon."""
    question, claim = ask.question, ask.claim
    answer = question.answer_at(0)
    for _ in range(TRIES):
        answer = question.answer_at(chance.below(question.count()))
        if claim is None:
            break
        chosen, about = (
            faced(one, lambda card: card.deck.faces[faces[card.id]])
            for one in (question.value_of(answer), claim.about)
        )
        if claim.fact(chosen, about, *claim.args):
            break
    return answer


def throw(replica: Match[Any], known: Mapping[int, int], drawn: DrawnFaces, chance: RandomNumbers) -> None:
    """Throw again the hidden dice that the viewer doesn't know."""
    for card in replica.table._pieces.cards:
        if isinstance(card.deck, DiceDeck) and not card.is_public and card.id not in known:
            drawn.sides[card.id] = sides = card.deck.sides
            drawn.faces[card.id] = sides[chance.below(len(sides))]


def agree(
    replica: Match[Any],
    drawn: DrawnFaces,
    known: Mapping[int, int],
    answers: Mapping[int, Answer],
    chance: RandomNumbers,
) -> int:
    """Exchange faces until all that was said of hidden cards is true; return how much still isn't.

    Statements about cards that were shuffled since, or about answers under seal that the viewer doesn't know,
    stay as they are. `answers` has those that it knows, and narrations to it. No one is convicted in an
    imagined world.
    """
    facts = replica.table._facts
    facts.convicts = False
    tests: dict[int, Callable[[Callable[[Card[Any]], Any]], bool]] = {}

    def face(card: Card[Any]) -> Any:
        number = said_of.get(card.id)
        if number is None:
            number = drawn.faces.get(card.id)
        return card.face if number is None and card.is_public else card.deck.faces[
            known[card.id] if number is None else number
        ]  # fmt: skip

    def fits(said: Assertion) -> bool:
        """Return True if it would be true with these faces; not where the fact itself raises."""
        try:
            if said.ask not in tests:
                tests[said.ask] = facts.test_of(said, answers)
            return tests[said.ask](face)
        except Exception:  # noqa: BLE001 - the rules' fault, if these faces are the true ones
            return False

    wrong: dict[int, Assertion] = {}
    about: dict[int, list[Assertion]] = {}
    for one in facts.said:
        if one.kept or any(secret.id not in answers for secret in facts.seals_of([one])):
            continue
        said_of = one.faces
        if not fits(one):
            wrong[one.ask] = one
        for card in one.missing:
            if card.id in drawn.faces:
                about.setdefault(card.id, []).append(one)
    cards = sorted(drawn.faces)
    for _ in range(EXCHANGES if about else 0):
        if not wrong:
            break
        lie = list(wrong.values())[chance.below(len(wrong))]
        mine = [card.id for card in lie.missing if card.id in drawn.faces]
        if not mine:
            break
        one_card, other = mine[chance.below(len(mine))], cards[chance.below(len(cards))]
        before = drawn.at(one_card), drawn.at(other)
        drawn.change(one_card, other, chance)
        touched = {said.ask: said for card in (one_card, other) for said in about.get(card, ())}
        now = {}
        for number, said in touched.items():
            said_of = said.faces
            if not fits(said):
                now[number] = said
        if len(now) <= len(wrong.keys() & touched.keys()):
            wrong = {number: said for number, said in wrong.items() if number not in touched} | now
        else:
            drawn.put(one_card, before[0])
            drawn.put(other, before[1])
    return len(wrong)


def go_back(match: Match[Any], to: TakenBack) -> None:
    """Follow the log again up to an answer, in front of which the match then is.

    Nothing was dealt, shown or sealed since, so the live source holds all that it held then. Raise
    `GameError` if the game has state outside its attributes, so it can't be followed.
    """
    match.back_to = match.undo_request = None
    live, on_turn, status = match.source, match.on_turn, list(match.status)
    mark = (RETURNED, to.seat, match.table._asks)
    match._close()
    source = ShadowSource(live, len(status))
    source.entries += live.log[: to.at]
    match.source, match.on_turn, match._goes_back = source, None, True
    match.status = ["here"] * len(status)  # the log says when that changed
    del match.events[match._before_origin :]
    match._lay()
    source.attach(match)
    try:
        if match.origin is not None:
            source.begin_at(match.load(match.origin), live.before)
        match._run()
    finally:
        match.source, match.on_turn, match._goes_back = live, on_turn, False
    match.status = status
    if not any(ask.id == to.ask for ask in source.open):
        raise GameError(f"{match.rules.name} can't be followed back: it has state outside its attributes.")
    match.table._draw_from(live)
    match.table._pace = match.terms.pace
    match.table.__class__ = live.words if match.terms.pace is None else Table
    match._views.clear()
    match.shadows.clear()
    live.go_back(to.at, mark, source.closed)
    match.undone += 1
    match.returned(mark)
