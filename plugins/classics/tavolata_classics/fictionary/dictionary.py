"""The rare words of Fictionary with their meanings, and what bots write, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from tavolata import N_, Deck


class Language(Enum):
    """The language of the words."""

    ENGLISH = N_("en")
    ITALIAN = N_("it")


ENGLISH: Final = {
    "aglet": "the hard tip of a shoelace",
    "barm": "the froth on beer while it ferments",
    "borborygmus": "a rumbling of the stomach",
    "chatoyant": "shimmering like the eye of a cat",
    "cordwainer": "a maker of shoes",
    "cruciverbalist": "a maker or lover of crosswords",
    "crwth": "a Welsh stringed instrument played with a bow",
    "dewlap": "the loose skin under an animal’s throat",
    "dibble": "a pointed tool that makes holes for seeds",
    "ferrule": "the metal ring around the end of a stick",
    "fipple": "the plug in the mouthpiece of a recorder",
    "gnomon": "the part of a sundial that casts the shadow",
    "gongoozler": "someone who idly watches boats on a canal",
    "groak": "to stare at people who eat, in the hope of some food",
    "haruspex": "a priest who read the future in entrails",
    "jentacular": "to do with breakfast",
    "lagan": "goods on the sea floor, marked by a buoy",
    "lethologica": "being unable to remember the right word",
    "lunula": "the white crescent at the base of a fingernail",
    "mondegreen": "a line of a song that was misheard",
    "muntin": "a strip between the panes of a window",
    "oubliette": "a dungeon with its only door in the ceiling",
    "pandiculation": "stretching and yawning at the same time",
    "petrichor": "the smell of rain on dry ground",
    "philtrum": "the groove between the nose and the upper lip",
    "quoin": "an outer corner of a wall",
    "rasorial": "scratching the ground for food, like a hen",
    "rowel": "the spiked wheel of a spur",
    "susurrus": "a soft murmur or rustle",
    "tittle": "the dot over an i",
    "tmesis": "putting one word inside another",
    "ullage": "the empty space in a bottle or a cask",
    "umbel": "flowers on stalks that grow from one point",
    "yaffle": "a green woodpecker",
    "zarf": "a holder for a hot cup without a handle",
    "zeugma": "one verb used in two senses at once",
}
ITALIAN: Final = {
    "abbacinare": "abbagliare con una luce troppo forte",
    "bertesca": "una torretta di legno sulle mura di un castello",
    "bolina": "l’andatura di una barca che stringe il vento",
    "bugna": "una pietra sporgente di una facciata",
    "caravanserraglio": "un albergo per le carovane",
    "cercine": "un panno arrotolato in testa per portare pesi",
    "cimasa": "la cornice in cima a un mobile o a un muro",
    "claudicare": "zoppicare",
    "elzeviro": "un articolo di cultura in terza pagina",
    "embrice": "una tegola piatta con i bordi rialzati",
    "falpalà": "una balza increspata in fondo a un vestito",
    "ghiera": "l’anello di metallo in punta a un bastone",
    "glabella": "lo spazio fra le sopracciglia",
    "gnomone": "l’asta di una meridiana",
    "gualdrappa": "la coperta ornata di un cavallo",
    "lucubrare": "studiare con fatica, anche di notte",
    "lunula": "la mezzaluna chiara alla base di un’unghia",
    "madia": "il mobile in cui si impastava il pane",
    "mallo": "la buccia verde di una noce",
    "mazzapicchio": "un martello di legno per i cerchi delle botti",
    "onicofagia": "l’abitudine di mangiarsi le unghie",
    "pania": "una sostanza appiccicosa per catturare uccelli",
    "peristilio": "un cortile circondato da colonne",
    "petricore": "l’odore della pioggia sulla terra asciutta",
    "quisquilia": "una cosa da nulla",
    "rabdomante": "chi cerca l’acqua con una bacchetta",
    "redola": "un vialetto erboso fra i campi",
    "sciabordio": "il rumore dell’acqua contro uno scafo",
    "solecchio": "la mano sugli occhi per ripararsi dal sole",
    "strale": "una freccia, nelle poesie",
    "tmesi": "la divisione di una parola in due parti",
    "ubertoso": "che dà frutti in abbondanza",
    "ventriglio": "lo stomaco muscoloso degli uccelli",
    "zeugma": "un solo verbo per due parole di senso diverso",
    "zirlo": "il verso del tordo",
}
MEANINGS: Final[Mapping[Language, Mapping[str, str]]] = {Language.ENGLISH: ENGLISH, Language.ITALIAN: ITALIAN}
WORDS: Final = {
    Language.ENGLISH: Deck("words-english", list(ENGLISH)),
    Language.ITALIAN: Deck("words-italian", list(ITALIAN)),
}
DECOYS: Final = {
    Language.ENGLISH: (
        "a small wading bird",
        "a debt that nobody collects",
        "a tool for cutting hard cheese",
        "a flat boat for carrying sheep",
        "the last day before a holiday",
        "to walk backwards out of a room",
        "a ribbon that ties back a curtain",
        "the noise of an empty barrel",
        "a fee paid to cross a field",
        "a soup made of what is left",
        "an unexpected guest at a wedding",
        "to polish something with sand",
        "a knot that can’t be undone",
        "the dust on the wings of a moth",
        "a ladder with a single pole",
        "fear of uneven numbers",
    ),
    Language.ITALIAN: (
        "un piccolo uccello di palude",
        "un debito che nessuno riscuote",
        "un coltello per i formaggi duri",
        "una barca piatta per le pecore",
        "il giorno prima di una festa",
        "uscire da una stanza all’indietro",
        "il nastro che tiene aperta una tenda",
        "il suono di una botte vuota",
        "il pedaggio per attraversare un campo",
        "una zuppa fatta con gli avanzi",
        "un ospite inatteso a un matrimonio",
        "lucidare qualcosa con la sabbia",
        "un nodo che non si scioglie",
        "la polvere sulle ali di una falena",
        "una scala con un palo solo",
        "la paura dei numeri dispari",
    ),
}  # fmt: skip
"""Meanings that fit none of the words."""
