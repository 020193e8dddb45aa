"""The clock of what is shown: real time, slow motion, steps, and back again."""

SPEEDS = (1.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32)


class Transport:
    """A time, s since the launch, that runs with the wall clock.

    time: what is shown. known: the latest that was ever shown: beyond it nobody knows what will happen. running:
    whether it moves by itself. hold: a time that it may not pass yet, or None.
    """

    def __init__(self) -> None:
        self.time = self.known = self.begin = 0.0
        self.running = False
        self.slow = 0
        self.hold: float | None = None

    @property
    def speed(self) -> float:
        """How fast time passes: 1 is real time."""
        return SPEEDS[self.slow]

    def start(self, begin: float) -> None:
        """Begin a spin at ``begin`` s, before its launch where something comes before it."""
        self.time = self.known = self.begin = begin
        self.running, self.hold = True, None

    def advance(self, elapsed: float, end: float) -> None:
        """Let ``elapsed`` s of the wall clock pass, up to ``end`` s."""
        if self.running:
            self.seek(self.time + elapsed * self.speed, end)
            if self.time >= end:
                self.running = False

    def seek(self, time: float, end: float) -> None:
        """Show another time; beyond what is known, only up to where it is held."""
        latest = end if self.hold is None else min(end, max(self.hold, self.known))
        self.time = min(max(time, self.begin), latest)
        self.known = max(self.known, self.time)

    def slower(self) -> None:
        """Half the speed, down to the slowest."""
        self.slow = min(self.slow + 1, len(SPEEDS) - 1)

    def faster(self) -> None:
        """Twice the speed, up to real time."""
        self.slow = max(self.slow - 1, 0)
