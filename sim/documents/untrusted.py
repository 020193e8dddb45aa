"""Text that somebody else wrote, shown where a character could command: a terminal, a spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def clean(text: str) -> str:
    """Return text on one line, with what does not print (controls, bidi marks) as escapes."""
    return "".join(map(_shown, text))


def for_cell(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: an apostrophe is put before what would begin one.

    A text that has such an apostrophe already gets another one, so that `from_cell` gives back every text.
    """
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def from_cell(text: str) -> str:
    """Return the text that `for_cell` was given."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(_FORMULA) else text


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else character.encode("unicode_escape").decode()
