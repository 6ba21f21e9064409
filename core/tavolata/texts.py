"""Texts that people write: which signs they may hold, how they are tidied, and when two are the same words.

All machines come to the same result: signs are compared with the lists here, never with the tables of
Python's `unicodedata`, which differ between versions. Only `tidied` uses those, on the writer's machine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

MOST_SIGNS: Final = 120
"""The most signs (code points) of a text."""
MOST_BYTES: Final = 200
"""The most bytes of a text in UTF-8: so much fits under a seal, with its head."""

_COMBINING = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711"
    "\u0730-\u074a\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f87"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f"
)
"""Signs that are drawn on the sign before: a few are letters, a tower of them covers other lines."""
_INVISIBLE = (
    "\u00a0\u00ad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200d\u202f\u205f\u2060-\u2065\u2800"
    "\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Spaces other than the usual one, joiners, fillers, variants and tags."""
_NONCHARACTERS = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
_FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # directions of writing, and ends of lines
    f"{_INVISIBLE}"
    "\ud800-\udfff"  # surrogates
    f"\ufdd0-\ufdef{_NONCHARACTERS}]"
    f"|(?<=[{_COMBINING}]{{3}})[{_COMBINING}]"
)
_DROPPED = re.compile("[\u00ad\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]")
"""What keyboards put between signs, and words are the same without."""


def is_clean(text: str) -> bool:
    """Return True if all machines may show this text: it has no forbidden sign, and no space to spare."""
    return not _FORBIDDEN.search(text) and _spaced(text) == text


def clean(text: str) -> str:
    """Return the text with a space for each forbidden sign, and no space to spare; equal on all machines."""
    return _spaced(_FORBIDDEN.sub(" ", text))


def _spaced(text: str) -> str:
    return " ".join(part for part in text.split(" ") if part)


def tidied(text: str) -> str:
    """Return what a person typed as it is sent: composed, without joiners and spaces to spare.

    For the writer's machine alone: others may have other tables of signs.
    """
    return " ".join(_DROPPED.sub("", unicodedata.normalize("NFC", text)).split())


def same_words(one: str, other: str) -> bool:
    """Return True if two texts are the same but for case, accents and spaces; equal on all machines.

    Latin, Greek and Cyrillic letters are compared by a table in Tavolata, signs of other scripts as they are.
    """
    return _bare(one) == _bare(other)


def _bare(text: str) -> str:
    return _ACCENTS.sub("", text).translate(_LETTERS)


_ACCENTS = re.compile("[ \u0300-\u036f]")
_LETTERS: Final[Mapping[int, int | str]] = {
    **str.maketrans(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZĲĿȜΒΓΔΖΘΚΛΜΝΞΠΤΦΧΨБВДЛМНПРСТФХЦШЩЪЬЮЯЂЄЅЈЉЊЋЏҐӔӠӶỺỼỾ",
        "abcdefghijklmnopqrstuvwxyzĳŀȝβγδζθκλμνξπτφχψбвдлмнпрстфхцшщъьюяђєѕјљњћџґӕӡӷỻỽỿ",
    ),
    **{
        ord(sign): letter
        for letter, signs in (
            row.split()
            for row in """
            a ÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎǺǻȀȁȂȃȦȧḀḁẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặ
            ae ÆæǼǽ
            b ḂḃḄḅḆḇ
            c ÇçĆćĈĉĊċČčḈḉ
            d ÐðĎďĐđḊḋḌḍḎḏḐḑḒḓ
            e ÈÉÊËèéêëĒēĔĕĖėĘęĚěȄȅȆȇȨȩḔḕḖḗḘḙḚḛḜḝẸẹẺẻẼẽẾếỀềỂểỄễỆệ
            f Ḟḟ
            g ĜĝĞğĠġĢģǦǧḠḡ
            h ĤĥĦħȞȟḢḣḤḥḦḧḨḩḪḫẖ
            i ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐȈȉȊȋḬḭḮḯỈỉỊị
            j Ĵĵ
            k ĶķǨǩḰḱḲḳḴḵ
            l ĹĺĻļĽľŁłḶḷḸḹḺḻḼḽ
            m ḾḿṀṁṂṃ
            n ÑñŃńŅņŇňŊŋǸǹṄṅṆṇṈṉṊṋ
            o ÒÓÔÕÖØòóôõöøŌōŎŏŐőǑǒǪǫǬǭǾǿȌȍȎȏȪȫȬȭȮȯȰȱṌṍṎṏṐṑṒṓỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợ
            oe Œœ
            p ṔṕṖṗ
            r ŔŕŖŗŘřȐȑȒȓṘṙṚṛṜṝṞṟ
            s ŚśŜŝŞşŠšſȘșṠṡṢṣṤṥṦṧṨṩẛ
            ss ßẞ
            t ŢţŤťŦŧȚțṪṫṬṭṮṯṰṱẗ
            th Þþ
            u ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųǓǔǕǖǗǘǙǚǛǜȔȕȖȗṲṳṴṵṶṷṸṹṺṻỤụỦủỨứỪừỬửỮữỰự
            v ṼṽṾṿ
            w ŴŵẀẁẂẃẄẅẆẇẈẉẘ
            x ẊẋẌẍ
            y ÝýÿŶŷŸȲȳẎẏẙỲỳỴỵỶỷỸỹ
            z ŹźŻżŽžẐẑẒẓẔẕ
            ʒ Ǯǯ
            α ΆΑάἀἁἂἃἄἅἆἇἈἉἊἋἌἍἎἏὰάᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾰᾱᾲᾳᾴᾶᾷᾸᾹᾺΆᾼ
            ε ΈΕέἐἑἒἓἔἕἘἙἚἛἜἝὲέῈΈ
            η ΉΗήἠἡἢἣἤἥἦἧἨἩἪἫἬἭἮἯὴήᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟῂῃῄῆῇῊΉῌ
            ι ΊΐΙΪίϊἰἱἲἳἴἵἶἷἸἹἺἻἼἽἾἿὶίιῐῑῒΐῖῗῘῙῚΊ
            ο ΌΟόὀὁὂὃὄὅὈὉὊὋὌὍὸόῸΌ
            ρ ΡῤῥῬ
            σ Σς
            υ ΎΥΫΰϋύὐὑὒὓὔὕὖὗὙὛὝὟὺύῠῡῢΰῦῧῨῩῪΎ
            ω ΏΩώὠὡὢὣὤὥὦὧὨὩὪὫὬὭὮὯὼώᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯῲῳῴῶῷῺΏῼ
            а АӐӑӒӓ
            г ЃГѓ
            е ЀЁЕѐёӖӗ
            ж ЖӜӝ
            з ЗӞӟ
            и ЍИЙйѝӢӣӤӥ
            к ЌКќ
            о ОӦӧ
            у ЎУўӮӯӰӱӲӳ
            ч ЧӴӵ
            ы ЫӸӹ
            э ЭӬӭ
            і ІЇї
            ә ӘӚӛ
            ө ӨӪӫ
        """.strip().splitlines()
        )
        for sign in signs
    },
}
"""By the number of a sign, the small letters without accents that it is compared as."""
