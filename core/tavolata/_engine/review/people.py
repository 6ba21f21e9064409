"""The record of what was decided about people in a match, counted again from the entries alone.

The replay has worked out every decision once. This record counts the votes a second time, in the plainest
way, and compares: whoever was away, aside or left out of keys was so by its own word, by
evidence, or by t votes that was then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import MOST_REFUSALS, PATIENCE, AuthorityEvent, Motion, VoteKind
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.key_making import EpochKeys
from tavolata._engine.dealing.piles import PileMaking
from tavolata._engine.match.entries import DEAL, MatchEntry
from tavolata._engine.match.header import STRICT
from tavolata._engine.review.coins import CoinRecord, CoinsRecord
from tavolata._engine.review.findings import Findings, Wrong
from tavolata.messages import N_, Text
from tavolata_protocol.fair.chain import Chain
from tavolata_protocol.identity import PeerId, fingerprint

BELIEVES: Final = N_(
    "Assumptions: voters reported only what they had seen; too few machines conspired to open a "
    "card; no one deliberately cut others off. No file can prove any of this."
)
UNDECIDED: Final = N_("Entry {number} of the log: {name} counts as {what}; that takes {t} votes, not {n}.")


_LEAST: Final = {VoteKind.AWAY: PATIENCE.silence, VoteKind.STALL: PATIENCE.stall}
"""The fewest seconds that a vote of a kind vouches for, whatever the match is like; 0 for the others."""


class CountedVote(NamedTuple):
    """A vote in force: the seconds that its author vouches for, and its number in the log."""

    seconds: int
    entry: int


@dataclass
class Span:
    """A time for which a party was "away", or took no part in a deal ("out", "aside").

    `since` and `until` are numbers of entries (0 while it lasts), `votes` those behind it by party; none for
    its own word.
    """

    party: int
    what: str
    since: int
    votes: dict[int, CountedVote]
    until: int = 0


@dataclass
class EpochRecord:
    """The making of keys, from the entry `since` that wanted them to `done` (0 if never).

    `holders` made them, `threshold` of them open a card. `without` has the parties left out, each with the
    reason. They become the coin keys if there were none when their draw began (`is_coin`).
    """

    since: int
    holders: tuple[int, ...]
    threshold: int
    why: Text
    without: list[Text]
    is_coin: bool
    done: int = 0


class PileRecord(NamedTuple):
    """A pile under the keys of `epoch`; `orders` has, by round and draw, the parties that were to open it."""

    epoch: int
    chain: Chain
    orders: dict[tuple[int, int], tuple[int, ...]]


class RefusedDraw(NamedTuple):
    """A party did not open what it had committed to, because of `span`; `order` is as in an event."""

    span: Span
    entry: int
    order: int


class PeopleRecord:
    """The record of a single match.

    Args:
        deal: the dealing as it is replayed.
    """

    def __init__(self, deal: FairDealing) -> None:
        self._deal = deal
        self._authority = deal.authority
        self._all = deal.authority.all
        self._events: list[AuthorityEvent] = []
        deal.chronicle = self._events.append
        self._votes: dict[Motion, dict[int, CountedVote]] = {}
        self._gone = {one: 0 for one in self._all if deal.authority.key_of(one) in deal.header.absent}
        self._spans: list[Span] = []
        self._epochs: dict[int, EpochRecord] = {}
        self._coins = CoinsRecord(deal, self._names)
        self._piles: dict[int, PileRecord] = {}
        self._coin = 0
        self._second: list[tuple[int, int, int]] = []
        self._refusals: list[RefusedDraw] = []
        self._counts = {"votes": 0, "void": 0}
        self._absences = dict.fromkeys(self._all, 0)
        self._at = 0

    def thrown(self, name: str, number: int, epoch: int, sides: int, value: int) -> None:
        """Note the value of a lot or a die that all see, which the auditor has checked."""
        self._coins.thrown(name, number, CoinRecord(epoch, self._at, sides, value))

    # -- entry by entry -----------------------------------------------------------------------------

    def follow(self, number: int, author: bytes, entry: MatchEntry | None, *, stands: bool) -> None:
        """Count an entry that the replay has acted on, and that is not void if it `stands`.

        `entry` is None if it's none of the match. Raise `Wrong` if something came into force that no one had
        decided.
        """
        self._at = number
        party = self._authority.number_of(author)
        said = entry is not None and stands and party is not None
        if entry is not None and entry[0] == DEAL and steps.fits(entry):
            self._step(party, entry, stands=stands)
        for one in self._authority.convicted:
            self._gone.setdefault(one, number)
        events = self._events.copy()
        self._events.clear()
        for event in events:
            self._event(event)
        if said:
            self._drop(lambda motion, _: motion.target == party and motion.kind is VoteKind.AWAY)
        self._drop(lambda _, voter: voter not in self._present)
        self._drop(lambda motion, voter: motion.kind in (VoteKind.STALL, VoteKind.TIME)
                   and voter not in self._authority.voters(motion))  # fmt: skip
        self._look_at_keys()
        self._coins.look(number, self._coin, self._vouched)
        self._look_at_piles()

    @property
    def _away(self) -> set[int]:
        return {span.party for span in self._spans if not span.until and span.what != "aside"}

    @property
    def _present(self) -> set[int]:
        return set(self._all) - self._away - self._gone.keys()

    @property
    def _t(self) -> int:
        """Return how many votes it takes, counted from those who are not gone."""
        header = self._deal.header
        many = len(header.parties) if header.fixed else len(self._all) - len(self._gone)
        return max(2, many if header.dealer == STRICT else -(-2 * many // 3))

    def _vouched(self, motion: Motion) -> int:
        return max((one.seconds for one in self._votes.get(motion, {}).values()), default=0)

    def _drop(self, falls: Callable[[Motion, int], bool]) -> None:
        for motion, standing in self._votes.items():
            for voter in [voter for voter in standing if falls(motion, voter)]:
                del standing[voter]

    def _step(self, party: int | None, entry: MatchEntry, *, stands: bool) -> None:
        _, _, _, step, *parts = entry
        if step == steps.VOTE:
            self._counts["votes" if stands else "void"] += 1
            if stands and party is not None:
                self._vote(party, *parts)
        elif step == steps.CARDS and party is not None:
            self._parcels(party, parts[1])

    def _vote(self, voter: int, kind: int, target: int, about: int, yes: bool, seconds: int) -> None:
        motion = Motion(VoteKind(kind), target, about)
        if not yes:
            self._votes.get(motion, {}).pop(voter, None)
            return
        if (
            voter not in self._present
            or voter == target
            or target in self._gone
            or seconds < _LEAST.get(motion.kind, 0)
            or (motion.kind is VoteKind.AWAY and about != self._absences[target])
        ):
            raise Wrong(N_("Entry {number} of the log: an invalid vote by {name} was counted."),
                        number=self._at, name=self._name(voter))  # fmt: skip
        self._votes.setdefault(motion, {})[voter] = CountedVote(seconds, self._at)

    def _parcels(self, sender: int, parcels: Iterable[Any]) -> None:
        """Note which parcels came second."""
        for receiver, cards, _, box in filter(steps.is_parcel, parcels):
            for card in cards if receiver in self._all else ():
                first = self._deal.parcels.sent(card, receiver).get(sender)
                if first is not None and not box.endswith(first.box.sealed):
                    self._second.append((self._at, sender, receiver))
                    break

    # -- what came into force ---------------------------------------------------------------------

    def _event(self, event: AuthorityEvent) -> None:
        party = event.party
        if event.what == "away":
            motion = Motion(VoteKind.AWAY, party, self._absences[party])
            votes = self._decided(party, event.what, motion)
            self._spans.append(Span(party, "away", self._at, votes))
        elif event.what == "aside":
            self._spans.append(Span(party, "aside", self._at, self._decided(party, event.what)))
        elif event.what == "refused":
            self._refuse(party, event.order)
        elif event.what == "out":
            self._spans.append(Span(party, "out", self._at, {}))
        elif event.what == "left":
            self._gone[party] = self._at
        elif event.what == "back":
            self._absences[party] += 1
            for span in self._spans:
                if span.party == party and not span.until:
                    span.until = self._at
            self._drop(lambda motion, _: motion.target == party and motion.kind is not VoteKind.TIME)

    def _refuse(self, party: int, order: int) -> None:
        span = next((one for one in self._spans if one.party == party and not one.until), None)
        if span is None:
            raise Wrong(N_("Entry {number} of the log: {name} counts as having refused, but was present."),
                        number=self._at, name=self._name(party))  # fmt: skip
        self._refusals.append(RefusedDraw(span, self._at, order))

    def _is_barred(self, party: int) -> bool:
        return sum(one.span.party == party for one in self._refusals) >= MOST_REFUSALS

    def _decided(self, party: int, what: str, *motions: Motion) -> dict[int, CountedVote]:
        """Return the votes behind what came into force; for "aside", those that it is away count, too."""
        votes: dict[int, CountedVote] = {}
        for motion, standing in self._votes.items():
            if motion in motions or (not motions and motion.target == party and motion.kind in _ASIDE):
                votes.update({voter: one for voter, one in standing.items() if voter in self._present})
        few = len(self._all) - len(self._gone) - 1 < self._t  # so few decide nothing about another
        if len(votes) < self._t or few:
            raise Wrong(UNDECIDED, number=self._at, name=self._name(party), what=Text(_WORDS[what]),
                        t=self._t, n=len(votes))  # fmt: skip
        return votes

    # -- piles and keys ----------------------------------------------------------------------------

    def _look_at_piles(self) -> None:
        for pile in self._deal.piles.under_way:
            known = self._piles.setdefault(pile.number, PileRecord(pile.keys.epoch, pile.chain, {}))
            order = pile.chain.round, pile.chain.draw
            if pile.chain.openers and order not in known.orders:
                known.orders[order] = self._openers(pile, known.orders.get((order[0], order[1] - 1)))

    def _openers(self, pile: PileMaking, before: tuple[int, ...] | None) -> tuple[int, ...]:
        """Return who opens a new order; `before` are those of the last one, None if all have just shuffled.

        Raise `Wrong` if it isn't paid for by a refusal or a departure, or has someone in it who has no say.
        """
        parties = {number: pile.keys.holders[number - 1] for number in pile.chain.shufflers}
        openers = tuple(map(parties.__getitem__, pile.chain.openers))
        here = self._present.intersection(parties.values())
        paid = {one.span.party for one in self._refusals if one.entry == self._at} | self._gone.keys()
        if before is not None and (not set(openers) < set(before) or not set(before) - set(openers) <= paid):
            raise Wrong(
                N_("Entry {number} of the log: the order of pile {pile} was drawn again, though no one "
                    "had refused."),
                number=self._at, pile=pile.number,
            )  # fmt: skip
        barred = [one for one in openers if before is None and self._is_barred(one)]
        if barred and not all(map(self._is_barred, here)):
            raise Wrong(N_(
                "Entry {number} of the log: {name} had a say in the order of pile {pile} despite "
                 "refusing twice."
            ),
                        number=self._at, name=self._name(barred[0]), pile=pile.number)  # fmt: skip
        return openers

    def _look_at_keys(self) -> None:
        rings = self._deal.rings
        making = rings.making
        if self._coin and set(self._epochs[self._coin].holders) & self._gone.keys():
            self._coin = 0
        if making is not None and making.epoch not in self._epochs:
            self._new_keys(making)
        for number in rings.done:
            if not self._epochs[number].done:
                self._epochs[number].done = self._at
                if self._epochs[number].is_coin:
                    self._coin = number

    def _new_keys(self, making: EpochKeys) -> None:
        without = [self._reason(party, making) for party in self._all if party not in making.holders]
        if len(making.holders) < self._t or making.threshold != self._t:
            raise Wrong(
                N_(
                    "Keys {epoch} were made by {n} machines, with {t} needed to open a card; it should take "
                    "{right}."
                ),
                epoch=making.epoch, n=len(making.holders), t=making.threshold, right=self._t,
            )  # fmt: skip
        before = next(reversed(self._epochs.values()), None)
        is_same_draw = before is not None and not before.done
        is_coin = before.is_coin if before is not None and is_same_draw else not self._coin
        if is_coin and any(map(self._is_barred, making.holders)):
            raise Wrong(N_("Key set {epoch} is for dice, but {name} helped make it after refusing twice."),
                        epoch=making.epoch,
                        name=self._names(filter(self._is_barred, making.holders))[0])  # fmt: skip
        self._epochs[making.epoch] = EpochRecord(
            self._at, making.holders, making.threshold, self._why(making, before), without, is_coin
        )

    def _why(self, making: EpochKeys, before: EpochRecord | None) -> Text:
        if before is None:
            return Text(N_("the first keys"))
        less, more = set(before.holders) - set(making.holders), set(making.holders) - set(before.holders)
        said = {"less": self._names(less), "more": self._names(more)}
        if less and more:
            return Text(N_("without {less}, with {more}"), said)
        if less or more:
            return Text(N_("without {less}"), said) if less else Text(N_("with {more}"), said)
        if making.threshold != before.threshold:
            return Text(N_("opening a card takes {t} instead of {before}"),
                        {"t": making.threshold, "before": before.threshold})  # fmt: skip
        return Text(N_("a new deal"))

    def _reason(self, party: int, making: EpochKeys) -> Text:
        """Return why a party is not among those who make keys; raise `Wrong` if no one decided that."""
        name = self._name(party)
        if self._gone.get(party) == 0:
            return Text(N_("{name} isn't in this match"), {"name": name})
        if party in self._gone:
            return Text(
                N_("{name} has been gone since entry {entry}"), {"name": name, "entry": self._gone[party]}
            )
        spans = [span for span in self._spans if span.party == party and not span.until]
        if spans:
            return self._told_of(spans[-1])
        since = max((one.done for one in self._epochs.values()), default=0)
        ended = [span.until for span in self._spans if span.party == party and span.until >= since]
        if ended:
            return Text(N_("{name} was away until entry {entry}, too late for these keys"),
                        {"name": name, "entry": ended[-1]})  # fmt: skip
        if self._is_barred(party):
            return Text(N_("{name} has refused twice"), {"name": name})
        raise Wrong(N_("Key set {epoch} leaves out {name}, though nobody agreed to that."),
                    epoch=making.epoch, name=name)  # fmt: skip

    # -- what is told -------------------------------------------------------------------------------

    def tell(self, found: Findings) -> None:
        """Add each decision, with its authors, to the findings."""
        for number, one in self._epochs.items():
            found.tell(
                N_("Keys {epoch}, requested at entry {entry} ({why}): {crew}; any {t} of {n} can open a "
                    "card."),
                epoch=number, entry=one.since, why=one.why, t=one.threshold, n=len(one.holders),
                crew=tuple(map(self._known, one.holders)),
            )  # fmt: skip
            if not one.done:
                found.tell(N_("Keys {epoch} weren't finished."), epoch=number)
            elif one.is_coin:
                found.tell(N_("From entry {entry} on, dice and lots use keys {epoch}."),
                           epoch=number, entry=one.done)  # fmt: skip
            for reason in one.without:
                found.tell(N_("Left out: {reason}."), reason=reason)
        found.tell(
            N_("Valid votes: {votes}; void: {void}. Each was signed by its author, and every decision "
               "had enough valid votes when it took effect."), **self._counts,
        )  # fmt: skip
        for span in self._spans:
            until = N_("{span}, until entry {until}.") if span.until else N_("{span}, to the end.")
            found.tell(until, span=self._told_of(span), until=span.until)
        for span, entry, order in self._refusals:
            found.tell(_REFUSED[min(order, 1)], name=self._name(span.party), entry=entry, n=order,
                       span=self._told_of(span))  # fmt: skip
        self._tell_piles(found)
        self._coins.tell(found)
        for at, sender, receiver in self._second:
            found.tell(N_("At entry {entry}, {name} sent {to} a second parcel; the first one counts."),
                       name=self._name(sender), to=self._name(receiver), entry=at)  # fmt: skip

    def _told_of(self, span: Span) -> Text:
        said = {"name": self._name(span.party), "what": Text(_WORDS[span.what]), "entry": span.since,
                "votes": self._ballots(span.votes), "until": span.until}  # fmt: skip
        return Text(_BY_VOTES if span.votes else _BY_OWN_WORD, said)

    def _tell_piles(self, found: Findings) -> None:
        for number, one in self._piles.items():
            if one.chain.is_made:
                found.tell(N_("Pile {pile}, under keys {epoch}: order {n}, opened by {names}."),
                           pile=number, epoch=one.epoch, n=len(one.orders),
                           names=self._names(list(one.orders.values())[-1]))  # fmt: skip
            else:
                found.tell(N_("Pile {pile}, under keys {epoch}, wasn't finished."),
                           pile=number, epoch=one.epoch)  # fmt: skip

    def _ballots(self, votes: dict[int, CountedVote]) -> tuple[Text, ...]:
        return tuple(
            Text(N_("{name} ({seconds} s, entry {entry})"),
                 {"name": self._name(voter), "seconds": one.seconds, "entry": one.entry})
            for voter, one in votes.items()
        )  # fmt: skip

    def _names(self, parties: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(self._name, sorted(parties)))

    def _name(self, party: int) -> str:
        return self._deal.header.names[self._authority.seat_of(party)]

    def _known(self, party: int) -> str:
        return f"{self._name(party)} ({fingerprint(PeerId(self._authority.key_of(party)))})"


_ASIDE: Final = (VoteKind.AWAY, VoteKind.STALL)
_WORDS: Final = {
    "away": N_("away"),
    "out": N_("away"),
    "aside": N_("left out of the deal"),
}
_BY_VOTES: Final = N_("{name} was {what} from entry {entry}, by vote of {votes}")
_BY_OWN_WORD: Final = N_("{name} was {what} from entry {entry}, by {name}'s own word")
_REFUSED: Final = {
    -1: N_(
        "Refusal at entry {entry}: {name}'s machine didn't reveal its part of the keys, so new ones "
        "were made ({span})."
    ),
    0: N_(
        "Refusal at entry {entry}: {name}'s machine didn't reveal its seed, so everyone shuffled again "
        "({span})."
    ),
    1: N_(
        "Refusal at entry {entry}: {name}'s machine didn't reveal its seed, so order {n} was drawn ({span})."
    ),
}
