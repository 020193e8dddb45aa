"""Words for yes and no, for the two ways round, in five languages."""

from collections.abc import Callable

from sim.documents.document import near, shown
from sim.spinlog.schema import BY_NAME

_TRUE = {
    "1",
    "true",
    "t",
    "yes",
    "y",
    "valid",
    "ok",
    "ja",
    "j",
    "wahr",
    "gültig",
    "sí",
    "si",
    "s",
    "sim",
    "oui",
    "o",
    "v",
}
_FALSE = {
    "0",
    "false",
    "f",
    "no",
    "n",
    "invalid",
    "void",
    "nein",
    "falsch",
    "ungültig",
    "não",
    "nao",
    "non",
    "nulo",
}
_WAYS = {
    "counterclockwise": "ccw", "counter-clockwise": "ccw", "counter_clockwise": "ccw", "anticlockwise": "ccw",
    "anti-clockwise": "ccw", "acw": "ccw", "gegen den uhrzeigersinn": "ccw", "antihorario": "ccw", "antihorário": "ccw",
    "antihoraire": "ccw", "clockwise": "cw", "uhrzeigersinn": "cw", "im uhrzeigersinn": "cw", "horario": "cw",
    "horário": "cw", "horaire": "cw", "at rest": "still", "fixed": "still", "0": "still", "steht": "still",
    "fest": "still", "fijo": "still", "fixo": "still", "fixe": "still",
}  # fmt: skip


def is_truth(word: str) -> bool:
    """Whether a word says yes or no."""
    return word.casefold() in _TRUE | _FALSE


def truth(word: str) -> str:
    """Return ``true`` or ``false``. Raises ValueError for a word that is neither."""
    word = word.casefold()
    if word in _TRUE or word in _FALSE:
        return "true" if word in _TRUE else "false"
    raise ValueError(f"must be 1 or 0, true or false; given {shown(word)}")


def word_of(name: str) -> Callable[[str], str]:
    """Return the reader of a column of few words; it raises ValueError for any other."""
    allowed = BY_NAME[name].words
    meanings = {each.casefold(): each for each in allowed}
    if name.endswith("_dir"):
        meanings |= {word: way for word, way in _WAYS.items() if way in allowed}

    def read(word: str) -> str:
        if word.casefold() in meanings:
            return meanings[word.casefold()]
        hint = near(word[:40], allowed)
        if word.casefold() in ("l", "r", "left", "right", "links", "rechts"):
            told = f"values: {{{name}: {{{word}: cw or ccw}}}}"
            hint = f"; left and right depend on who looks: say in a file for --mapping, {told}"
        raise ValueError(f"must be one of {', '.join(allowed)}; given {shown(word)}{hint}")

    return read
