"""The rules of Fictionary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Choice,
    Game,
    Layout,
    Opening,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    Zone,
    free_text,
    one_of,
    option,
    same_words,
)
from tavolata.zones import Show, text_zone, tokens_zone
from tavolata_classics.fictionary.dictionary import DECOYS, MEANINGS, WORDS, Language

LONGEST: Final = 80
LETTERS: Final = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÈÉÌÒÙàèéìòù", "abcdefghijklmnopqrstuvwxyzaeeiouaeeiou"
)  # fmt: skip
"""What a letter is in the alphabet of both languages."""
FOUND, FOOLED, KNEW = 2, 1, 3
"""The points for the true meaning, for each vote for one's own, and for writing the true one."""
WRITE = N_("What could {word} mean? Write a meaning that others will believe.")
VOTE = N_("Which is the true meaning of {word}?")
BELIEVED = N_("“{meaning}”, by {authors}, fools {seats}.")
TRUE = N_("{word}: {meaning}.")
GETS = NN_("{seat} gets {n} point.", "{seat} gets {n} points.")


def alphabet(meaning: str) -> tuple[str, str]:
    """Return the place of a meaning in the alphabet, in which capitals and accents don't count."""
    return meaning.translate(LETTERS), meaning


@dataclass(frozen=True, kw_only=True)
class FictionaryOptions(Options):
    """What a table agrees on."""

    rounds: int = option(5, "Number of words in the match.", title=N_("rounds"), low=1, high=20)
    language: Language = option(Language.ENGLISH, "The language of the words.", title=N_("language"))
    seconds: int = option(
        0, "Seconds to write a meaning.", title=N_("seconds to write"), low=30, high=300, step=30, off=True
    )


class Fictionary(Game[FictionaryOptions]):
    """Invent a meaning that others believe, and find the true one.

    Attributes:
        pack: the words that are still to come, and `shown` those that were played.
        meanings: in a round, all meanings in the order of the alphabet, with their authors; the true one has
            none, or those who knew it.
        points: by seat.
        found: by seat, how often it has found or written the true meaning.
        fooled: by seat, the votes for its meanings.
    """

    name = "fictionary"
    title = N_("Fictionary")
    summary = N_("Invent meanings for rare words, and find the true one among them.")
    card = Opening(
        goal=N_("Score the most points by inventing meanings and finding the true ones."),
        turn=N_("Write a meaning for a rare word, then vote for the one that you think is true."),
        lose=N_("A vote for an invented meaning is a point for its author."),
    )
    seats = (3, 10)
    best_with = 5
    minutes = 30
    options = FictionaryOptions
    first_match: ClassVar[Mapping[str, Any]] = {"rounds": 2}
    guide = "tavolata_classics.fictionary.guide"
    layout = Layout(decision=8)

    pack: Pile[str]
    shown: Pile[str]
    meanings: dict[str, list[Seat]]
    points: list[int]
    found: list[int]
    fooled: list[int]

    def setup(self, t: Table[FictionaryOptions]) -> None:
        self.pack, self.shown = t.pile("pack", WORDS[t.options.language]), t.pile("shown")
        self.meanings = {}
        self.points, self.found, self.fooled = ([0] * len(t.ring) for _ in range(3))

    async def turn(self, t: Table[FictionaryOptions]) -> Outcome | None:
        """One word: everyone writes, everyone votes, and the points are counted."""
        if t.turn == 0:
            await t.shuffle(self.pack)
        word = (await t.turn_up(self.pack, onto=self.shown)).face
        true = MEANINGS[t.options.language][word]
        t.tell(N_("Word {n}: {word}."), n=len(self.shown), word=word)
        await self.write(t, word, true)
        votes = await self.vote(t, word, true)
        self.score(t, word, true, votes)
        self.meanings = {}
        return None if len(self.shown) < t.options.rounds else self.unfinished(t)

    async def write(self, t: Table[FictionaryOptions], word: str, true: str) -> None:
        """Everyone writes under seal; equal meanings count as one, with either apostrophe."""
        decoys = DECOYS[t.options.language]
        questions = {}
        for n, seat in enumerate(t.ring, len(self.shown) * len(t.ring)):
            at = n % len(decoys)  # the first one counts when time is up, so each seat and word has another
            questions[seat] = free_text(LONGEST, suggestions=decoys[at:] + decoys[:at])
        written = await t.ask_all(
            questions,
            WRITE,
            N_("Everyone writes a meaning for {word}."),
            seconds=t.options.seconds or None,
            verb=N_("Hand it in"),
            word=word,
        )
        authors: dict[str, list[Seat]] = {true: []}
        for seat, typed in written.items():
            meaning = type(typed)(typed.replace("'", "’"))  # a plain str would be translated
            known = next((one for one in authors if same_words(one, meaning)), meaning)
            authors.setdefault(known, []).append(seat)
        self.meanings = {meaning: authors[meaning] for meaning in sorted(authors, key=alphabet)}

    async def vote(self, t: Table[FictionaryOptions], word: str, true: str) -> dict[Seat, str]:
        """Everyone votes for a meaning of others; who wrote the true one has nothing to find."""
        voters = [seat for seat in t.ring if seat not in self.meanings[true]]
        if not voters:
            return {}
        questions = {
            seat: one_of([
                Choice(meaning, N_("{meaning}"), params={"meaning": meaning})
                for meaning, authors in self.meanings.items()
                if seat not in authors
            ])
            for seat in voters
        }  # fmt: skip
        return await t.ask_all(questions, VOTE, N_("Everyone votes."), verb=N_("Vote for it"), word=word)

    def score(self, t: Table[FictionaryOptions], word: str, true: str, votes: Mapping[Seat, str]) -> None:
        """Two points for the true meaning, one for each vote for one's own, three for knowing the word."""
        gained = [0] * len(t.ring)
        for meaning, authors in self.meanings.items():
            fans = [seat for seat in t.ring if votes.get(seat) == meaning]
            if meaning == true:
                continue
            if fans:
                t.tell(BELIEVED, seats=fans, authors=authors, meaning=meaning)
            for author in authors:
                gained[author] += FOOLED * len(fans)
                self.fooled[author] += len(fans)
        t.tell(TRUE, word=word, meaning=true, stamp=N_("the true one"))
        if found := [seat for seat in t.ring if votes.get(seat) == true]:
            t.tell(N_("Found by {seats}."), seats=found)
        elif votes:
            t.tell(N_("No one found it."))
        for seat in t.ring:
            if seat in self.meanings[true]:
                t.tell(N_("{seat} knew it."), seat=seat)
            right = votes.get(seat) == true
            self.found[seat] += right or seat in self.meanings[true]
            gained[seat] += FOUND * right + KNEW * (seat in self.meanings[true])
            self.points[seat] += gained[seat]
            if gained[seat]:
                t.tell(GETS, seat=seat, n=gained[seat])

    def unfinished(self, t: Table[FictionaryOptions]) -> Outcome:
        """The most points win."""
        statistics = {N_("True meanings"): tuple(self.found), N_("Votes received"): tuple(self.fooled)}
        return Outcome.by_score(t, self.points, statistics=statistics)

    def zones(self, t: Table[FictionaryOptions], viewer: Seat | None) -> Iterable[Zone]:
        if self.shown:
            yield text_zone("word", N_("Word"), "{card}", show=Show(role="hero"), card=self.shown.top.face)
            fact, last = Show(role="fact"), t.options.rounds
            yield text_zone(
                "round", N_("Round"), N_("{n} of {last}"), show=fact, n=len(self.shown), last=last
            )
        if viewer is None and self.meanings:  # players read them in their questions
            for place, meaning in enumerate(self.meanings):
                aside = Show(role="aside")
                yield text_zone(f"meaning.{place}", N_("Meaning"), "{meaning}", show=aside, meaning=meaning)
        yield tokens_zone("points", N_("Points"), list(zip(t.ring, self.points, strict=True)))
