"""The colours of the symbols of a game."""

from sim.rules.rulebook import Rulebook

Colour = tuple[int, int, int]

IVORY: Colour = (238, 232, 214)
STAR: Colour = (32, 84, 176)
_INK: dict[str, Colour] = {
    "red": (172, 32, 38),
    "black": (34, 33, 36),
    "white": (238, 236, 228),
    "blue": (34, 84, 170),
    "yellow": (214, 164, 32),
    "green": (24, 104, 62),
}
_CLASSES: tuple[Colour, ...] = (
    (222, 208, 168), (46, 92, 138), (170, 58, 44), (62, 118, 74), (206, 148, 44), (112, 66, 130), (30, 34, 42),
)  # fmt: skip


def ink_of(rulebook: Rulebook, symbol: str) -> Colour:
    """The colour of a symbol: the rulebook's, else one for its place in the rulebook."""
    colour = rulebook.colours.get(symbol, "none")
    if colour in _INK:
        return _INK[colour]
    symbols = list(rulebook.cells)
    return _CLASSES[symbols.index(symbol) % len(_CLASSES)] if symbol in symbols else (120, 110, 100)


def on(ground: Colour) -> Colour:
    """What is legible on a colour."""
    bright = 0.3 * ground[0] + 0.59 * ground[1] + 0.11 * ground[2]
    return (28, 24, 20) if bright > 140 else IVORY
