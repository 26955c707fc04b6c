"""The words of standing orders in the languages of the pages, each with its English meaning.

The words of all languages are always understood, so orders keep their meaning if the reader's language changes.
No word has two meanings; `tests/test_order_words.py` checks this. Cards are written as in moves (``9h``) in
every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

RANKS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "ace": "ass asse asses",
        "two": "zwei zweien zweier",
        "three": "drei dreien dreier",
        "four": "vier vieren vierer",
        "five": "fünf fünfen fünfer",
        "six": "sechs sechsen sechser",
        "seven": "sieben siebenen siebener",
        "eight": "acht achten achter",
        "nine": "neun neunen neuner",
        "ten": "zehn zehnen zehner",
        "jack": "bube buben",
        "queen": "dame damen",
        "king": "könig könige",
    },
    "nl": {
        "ace": "aas azen",
        "two": "twee tweeën",
        "three": "drie drieën",
        "four": "vier vieren",
        "five": "vijf vijven",
        "six": "zes zessen",
        "seven": "zeven zevens",
        "eight": "acht achten",
        "nine": "negen negens",
        "ten": "tien tienen",
        "jack": "boer boeren",
        "queen": "vrouw vrouwen dame dames",
        "king": "heer heren koning koningen",
    },
    "fr": {
        "ace": "as",
        "two": "deux",
        "three": "trois",
        "four": "quatre",
        "five": "cinq",
        "six": "six",
        "seven": "sept",
        "eight": "huit",
        "nine": "neuf",
        "ten": "dix",
        "jack": "valet valets",
        "queen": "dame dames",
        "king": "roi rois",
    },
    "it": {
        "ace": "asso assi",
        "two": "due",
        "three": "tre",
        "four": "quattro",
        "five": "cinque",
        "six": "sei",
        "seven": "sette",
        "eight": "otto",
        "nine": "nove",
        "ten": "dieci",
        "jack": "fante fanti",
        "queen": "donna donne regina regine",
        "king": "re",
    },
    "fi": {
        "ace": "ässä ässät ässää",
        "two": "kaksi kakkonen kakkoset kakkosta",
        "three": "kolme kolmonen kolmoset kolmosta",
        "four": "neljä nelonen neloset nelosta",
        "five": "viisi viitonen viitoset viitosta",
        "six": "kuusi kuutonen kuutoset kuutosta",
        "seven": "seitsemän seiska seiskat seitsemäinen seitsemäiset",
        "eight": "kahdeksan kasi kasit kahdeksikko kahdeksikot",
        "nine": "yhdeksän ysi ysit yhdeksikkö yhdeksiköt",
        "ten": "kymmenen kymppi kympit",
        "jack": "jätkä jätkät sotamies sotamiehet sotilas sotilaat",
        "queen": "rouva rouvat kuningatar kuningattaret",
        "king": "kuningas kuninkaat",
    },
}
"""The words for ranks. In a limit of calls, the same words for numbers are used, such as ``zwei``."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "spades": "pik",
        "hearts": "herz herzen",
        "diamonds": "karo karos",
        "clubs": "kreuz treff",
        "one": "eine eins einen einmal",
        "no": "keine keinen",
        "any": "jede jeder jedes jeden alle alles irgendeine irgendein",
        "more": "weitere weiteren weiterer mehr",
        "at most": "höchstens maximal",
        "calls": "karten karte rufe ruf rufen mal",
        "never": "nie niemals",
        "only": "nur",
        "round": "runde runden",
        "pass": "passen passe",
        "nothing": "nichts",
        "helps": "hilft nützt",
        "useful": "nützlich nützliche nützliches brauchbares",
        "and": "und",
        "": "die der das den dem bitte was",
    },
    "nl": {
        "spades": "schoppen",
        "hearts": "harten",
        "diamonds": "ruiten",
        "clubs": "klaveren klaver",
        "one": "een één eentje",
        "no": "geen",
        "any": "elke elk ieder iedere alle alles",
        "more": "nog meer",
        "at most": "hoogstens maximaal",
        "calls": "kaarten kaart keer",
        "never": "nooit",
        "only": "alleen enkel",
        "round": "ronde rondes ronden",
        "pass": "passen pas",
        "nothing": "niets",
        "helps": "helpt",
        "useful": "nuttig nuttige",
        "and": "en",
        "": "de het wat",
    },
    "fr": {
        "spades": "pique piques",
        "hearts": "cœur cœurs coeur coeurs",
        "diamonds": "carreau carreaux",
        "clubs": "trèfle trèfles",
        "one": "un une",
        "no": "aucun aucune",
        "any": "tout toute tous toutes chaque nimporte quel quelle",
        "more": "de_plus encore",
        "at most": "au_plus au_maximum maximum",
        "calls": "carte cartes fois",
        "never": "jamais",
        "only": "seulement uniquement",
        "round": "manche manches",
        "pass": "passer passe",
        "nothing": "rien",
        "helps": "aide aident sert",
        "useful": "utile utiles",
        "and": "et en",
        "": "le la les à aux dans ce qui maide des",
    },
    "it": {
        "spades": "picche",
        "hearts": "cuori",
        "diamonds": "quadri",
        "clubs": "fiori",
        "one": "uno una un",
        "one more": "unaltra unaltro ancora_una ancora_uno",
        "no": "nessuna nessun nessuno",
        "any": "ogni tutti tutte tutto qualsiasi qualunque",
        "more": "altre altri",
        "at most": "al_massimo",
        "calls": "carta carte volta volte",
        "never": "mai",
        "only": "solo soltanto",
        "round": "manche",
        "pass": "passo passare passa",
        "nothing": "niente nulla",
        "helps": "serve aiuta",
        "useful": "utile utili",
        "and": "e",
        "": "il lo la i gli le di nella nelle ciò che quello",
    },
    "fi": {
        "spades": "pata padat pataa",
        "hearts": "hertta hertat herttaa",
        "diamonds": "ruutu ruudut ruutua",
        "clubs": "risti ristit ristiä",
        "jokers": "jokeri jokerit jokeria",
        "one": "yksi yhden",
        "no": "nolla",
        "any": "kaikki jokainen mikä_tahansa",
        "more": "lisää",
        "at most": "enintään korkeintaan",
        "calls": "kortti korttia heppi heppiä kertaa",
        "never": "ei_koskaan älä",
        "only": "vain",
        "round": "kierros kierroksella kierroksilla kierroksissa",
        "pass": "passaa passi ohi",
        "nothing": "ei_mitään",
        "helps": "auttaa",
        "useful": "hyödyllinen hyödylliset",
        "and": "ja",
        "": "mikä",
    },
}
"""The other words, each with its English meaning. Words with an empty meaning are ignored.

``_`` joins words that are read together.
"""
JOKERS = "joker jokers jolly matta jollys"


def meanings() -> Iterator[tuple[str, str, str]]:
    """Yield, for each word in ``RANKS`` and ``WORDS``, its language, the word, and its English meaning.

    The meaning may be several words.
    """
    for table in (RANKS, WORDS):
        for language, words in table.items():
            for meaning, said in words.items():
                for word in said.split():
                    yield language, word.replace("_", " "), meaning


@cache
def _phrases() -> tuple[re.Pattern[str], Mapping[str, str]]:
    found = {word: meaning for _, word, meaning in meanings()}
    found |= dict.fromkeys(JOKERS.split(), "jokers")
    longest = sorted(found, key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, longest))})(?!\S)"), found


def read_words(line: str) -> list[str]:
    """Return a line of orders as English words. The line must be in small letters, in any of the languages."""
    form, found = _phrases()
    line = " ".join(line.replace("'", "").replace("’", "").split())
    words = form.sub(lambda word: found[word[0]], line).split()
    if "helps" in words:
        words = [word for word in words if word not in {"any", "what"}]
    if words[:3] == ["at", "most", "more"]:  # “hoogstens nog een”
        words = [*words[:2], *words[3:], "more"]
    if words[:1] in (["never"], ["only"]) and words[1:2] != ["in"] and len(words) > 1:
        words.insert(1, "in")
    return words
