"""The columns of a spin log, one row a spin: for observed and simulated spins, for writers and readers alike.

A column that a log has no values for is absent; a value that did not happen is null. Angles are degrees counted
counter-clockwise seen from above (a wheel: from the front); *lab* is the table, *plate* turns with the plate.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["int", "float", "bool", "text", "moment"]
"""``moment``: s since the launch as a float where a machine wrote it, else text as logged."""
Spins = Literal["both", "observed", "simulated"]

VOID_CODES = {
    "OBJECT": "an object fell on the plate",
    "BALL_OUT": "the ball left the apparatus",
    "OFF_POCKET": "the ball came to rest in no pocket",
    "SAME_DIR": "ball and plate turned the same way",
    "MIN_TURNS": "fewer turns than the rules ask for",
    "ON_PEG": "the indicator rests on a peg",
    "PLAYER_TOUCH": "somebody touched the wheel",
    "NO_REST": "the spin had not come to rest when it was cut short",
    "OTHER": "another reason, or none that was logged",
}
BALL_DIRECTIONS = ("ccw", "cw")
PLATE_DIRECTIONS = ("ccw", "cw", "still")
ENDINGS = ("rest", "left_apparatus", "time_limit")


@dataclass(frozen=True, slots=True)
class Column:
    """One column. unit: empty for a bare number. words: the only texts allowed; empty when any text is."""

    name: str
    kind: Kind
    meaning: str
    unit: str = ""
    spins: Spins = "both"
    words: tuple[str, ...] = ()


COLUMNS = (
    Column("spin_no", "int", "number of the spin; simulated: its index, from 0"),
    Column("utc_time", "text", "when it was spun, ISO 8601", spins="observed"),
    Column("table_id", "text", "the table"),
    Column("wheel_serial", "text", "serial number of the wheel or plate"),
    Column("game_profile", "text", "id of the rulebook that was played by"),
    Column("thrower_id", "text", "who threw the ball or pushed the wheel"),
    Column("ball_id", "text", "the ball"),
    Column("ball_dir", "text", "which way the ball was sent", words=BALL_DIRECTIONS),
    Column("plate_dir", "text", "which way the plate or wheel turned", words=PLATE_DIRECTIONS),
    Column("turns", "float", "turns of the ball in its groove; of a pegged wheel up to its first reversal"),
    Column(
        "plate_rpm", "float", "speed of the plate or wheel at the launch, counter-clockwise positive", "1/min"
    ),
    Column("drop_angle_deg", "float", "lab azimuth where the ball left its groove", "deg"),
    Column("plate_phase_deg", "float", "lab azimuth of the plate's zero mark at the launch", "deg"),
    Column("rest_index", "int", "hole or section of the result, from 0 in ring order; null in none"),
    Column("symbol", "text", "the result, as the rulebook names it; null when there is none"),
    Column("valid", "bool", "whether the spin counts"),
    Column("void_code", "text", "why it does not count; null when it does", words=tuple(VOID_CODES)),
    Column("close_time", "moment", "when bets closed", "s"),
    Column("bell_time", "moment", "when the bell rang", "s"),
    Column("remark", "text", "anything else"),
    Column(
        "band_angle_deg", "float", "lab azimuth of the first touch of the band of hollows", "deg", "simulated"
    ),
    Column("rest_angle_deg", "float", "lab azimuth of the rest", "deg", "simulated"),
    Column("rest_angle_plate_deg", "float", "azimuth of the rest on the plate", "deg", "simulated"),
    Column("offset_mm", "float", "distance from the axis of the nearest hollow in plan", "mm", "simulated"),
    Column("hops", "int", "flights between two contacts", "", "simulated"),
    Column("first_hollow", "int", "first hollow that the ball was in, from 0 in ring order", "", "simulated"),
    Column("exit_s", "float", "when the ball left its groove, since the launch", "s", "simulated"),
    Column("settling_s", "float", "from the bell to rest", "s", "simulated"),
    Column("duration_s", "float", "from the launch to the end", "s", "simulated"),
    Column("ball_turns", "float", "whole path of the ball about the axis, unsigned", "", "simulated"),
    Column("plate_turns", "float", "whole path of the plate or wheel, unsigned", "", "simulated"),
    Column("peak_speed_m_s", "float", "largest speed of the ball after its groove", "m/s", "simulated"),
    Column("impact_j_kg", "float", "energy of all impacts over the ball's mass", "J/kg", "simulated"),
    Column(
        "max_impact_j_kg", "float", "energy of the hardest impact over the ball's mass", "J/kg", "simulated"
    ),
    Column("ending", "text", "how the spin ended", "", "simulated", ENDINGS),
    Column("ball_speed_m_s", "float", "drawn speed of the ball along its groove", "m/s", "simulated"),
    Column("ball_azimuth_deg", "float", "drawn lab azimuth of the release", "deg", "simulated"),
    Column("release_height_mm", "float", "drawn height above the circling position", "mm", "simulated"),
    Column("heavy_x", "float", "drawn direction of the ball's heavy side, lab x", "", "simulated"),
    Column("heavy_y", "float", "drawn direction of the ball's heavy side, lab y", "", "simulated"),
    Column("heavy_z", "float", "drawn direction of the ball's heavy side, up", "", "simulated"),
    Column("push_speed_rad_s", "float", "drawn speed that the push gives, signed", "rad/s", "simulated"),
    Column(
        "push_phase_deg", "float", "drawn azimuth of the wheel's zero mark when let go", "deg", "simulated"
    ),
    Column("turns_net", "float", "turns from the push to rest in the direction of the push", "", "simulated"),
    Column("section", "int", "section at the indicator, from 0 in ring order, on a peg too", "", "simulated"),
    Column("on_peg", "bool", "whether the indicator rests on a peg", "", "simulated"),
    Column("roll_back_deg", "float", "how far the wheel turned back before its rest", "deg", "simulated"),
)
BY_NAME = {column.name: column for column in COLUMNS}

METADATA_KEY = b"fairwheel"
"""Key of a Parquet file's metadata under which a batch run's manifest lies, JSON in UTF-8."""


def arrow_schema(names: Iterable[str], *, simulated: bool) -> "pa.Schema":
    """Return the Arrow schema of a log with these columns, in the order of `COLUMNS`.

    simulated: moments are seconds, else text. Raises KeyError for a name that no column has.
    """
    import pyarrow as pa

    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "text": pa.string()}
    types["moment"] = types["float" if simulated else "text"]
    wanted = {BY_NAME[name].name for name in names}
    return pa.schema([(each.name, types[each.kind]) for each in COLUMNS if each.name in wanted])
