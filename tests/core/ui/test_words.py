"""Values in words: those that a game makes of messages, and cards that say what they do."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Text
from tavolata._engine.match.updates import Said
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.decks import ItalianFace, ItalianSuit
from tavolata.kinds.some_of import some_of
from tavolata.ring import SEATS
from tavolata.zones import CardView


@dataclass(frozen=True)
class Spell:
    """A card that says what it does."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> Text:
        return Text("{name}: {does}", {"name": self.name, "does": N_("yes")})


@dataclass(frozen=True)
class Plain:
    """A card that has a text of its own, which is no message."""

    text: str = "a text"

    def __str__(self) -> str:
        return "plain"


def words(lang: str) -> Words:
    return Words(Translator(lang), "tavolata", ("Ann",))


def test_a_text_is_put_into_the_viewers_language() -> None:
    """A message that stands for a field is filled in and translated like any other, also in lists."""
    said = Text("{seat}: {answer}", {"seat": SEATS[0], "answer": Text(N_("yes"))})
    assert words("it").describe(said) == "Ann: sì"
    assert words("en").text("<{all}>", {"all": [said, said]}) == "<Ann: yes, Ann: yes>"


def test_players_are_listed_as_people_say_it() -> None:
    """Several seats are joined by "and"; Italian has "ad" and "ed" before a name with the same vowel."""
    names = ("Ada", "Elsa", "Berto")
    english, italian = (Words(Translator(lang), "tavolata", names) for lang in ("en", "it"))
    assert english.text("{seats}", {"seats": SEATS[:3]}) == "Ada, Elsa and Berto"
    assert english.text("{seats}", {"seats": SEATS[:1]}) == "Ada"
    assert italian.describe((SEATS[2], SEATS[1])) == "Berto ed Elsa"
    said = Said(Verbatim("Elsa"), Verbatim("ciao"), ("Ada",)).saying()
    assert italian.text(said.message, said.params) == "Elsa ad Ada: ciao"
    assert italian.text("{name}'s turn", {"name": SEATS[0]}) == "tocca ad Ada"
    assert italian.text("{name}'s turn", {"name": SEATS[2]}) == "tocca a Berto"


def test_a_face_may_say_what_it_does() -> None:
    """A face's own text is shown where the card is, in every language; any other face is its `str`."""
    assert words("it").describe(CardView(1, "spells", Spell("Fog"))) == "Fog: sì"
    assert words("en").describe(CardView(1, "spells", Plain())) == "plain"


def test_what_a_person_says_or_is_called_is_shown_as_it_is() -> None:
    """A word that happens to be a message of the program is translated for the program alone."""
    said = Said(Verbatim("host"), Verbatim("lock"), ("code",)).saying()
    assert words("it").text(said.message, said.params) == "host a code: lock"
    assert words("it").text("{what}", {"what": "lock"}) == "chiudi"


def test_in_brief_a_list_ends_after_six() -> None:
    """The rest is a number; in full, everything is said."""
    brief = words("en").in_brief()
    assert brief.describe(list(range(9))) == "0, 1, 2, 3, 4, 5 +3"
    assert brief.describe(list(range(6))) == "0, 1, 2, 3, 4, 5"
    assert words("en").describe(list(range(9))).endswith("7, 8")
    assert brief.answer(some_of("abcdefgh", 0, 8), tuple(range(8))) == "a, b, c, d, e, f +2"


def test_in_brief_seats_have_their_marks_and_things_their_letters() -> None:
    """With a mark before a name, Italian still has "ad Ada"; whole words know neither."""
    brief = Words(Translator("it"), "tavolata", ("Ada", "Elsa", "Berto")).in_brief("●▲■", {"yellow": "Y"})
    assert brief.text("{name}'s turn", {"name": SEATS[0]}) == "tocca ad ● Ada"
    assert brief.describe((SEATS[0], SEATS[2])) == "● Ada e ■ Berto"
    assert brief.describe("yellow") == "Y"
    assert words("en").in_brief().describe(ItalianFace(9, ItalianSuit.COPPE)) == "CC"
    assert words("en").describe(ItalianFace(9, ItalianSuit.COPPE)) == "horse of coppe"
    assert words("en").describe("yellow") == "yellow"
