"""The names that people give the columns of a spin log, in five languages, and the units they write beside them."""

import re
import unicodedata
from math import pi

from sim.spinlog.schema import BY_NAME

PARTS = {
    "date": "the day alone; with `time` it gives utc_time",
    "time": "the time of day alone; with `date` it gives utc_time",
    "rest_index_from_1": "hole or section of the result, counted from 1",
}
"""Fields that are no columns of the schema but give one."""
FIELDS = (*BY_NAME, *PARTS)
RESULTS = frozenset({"symbol", "rest_index", "rest_index_from_1"})

_NAMES = {
    "spin_no": "no|nr|n|#|id|spin|spin no|spin nr|spin number|spin id|index|round|round no|round number|game number|"
    "game no|trial|coup|coup no|runde|runde nr|spiel nr|lfd nr|lfd|wurf|wurf nr|drehung|tirada|jugada|jogada|lance|"
    "giro|tour|lancer|numero de tirada|numero do lance",
    "symbol": "number|winning number|winning symbol|result|outcome|spin result|"
    "ergebnis|resultat|zahl|nummer|gewinnzahl|gewinnende zahl|gefallene zahl|"
    "numero|numero ganador|resultado|numero vencedor|numero premiado|simbolo|"
    "numero gagnant|numero sorti|symbole|chiffre|"
    "numero vincente|risultato|estratto",
    # What is only called hole, pocket or section may hold its number or its symbol: the user has to say.
    "rest_index": "winning index|rest index|pocket index|hole index|section index",
    "utc_time": "timestamp|datetime|date time|utc|utc time|zeitpunkt|zeitstempel|fecha hora|fecha y hora|data hora|"
    "data e hora|horodatage|date heure|date et heure|data ora|spun at|created at",
    "date": "date|day|datum|tag|fecha|dia|data|jour|giorno",
    "time": "time|time of day|hour|uhrzeit|zeit|hora|heure|ora",
    "table_id": "table|table no|table number|table nr|tisch|tisch nr|tischnummer|mesa|table de jeu|tavolo",
    "wheel_serial": "wheel|wheel id|wheel no|wheel number|serial|serial number|serial no|kessel|kesselnummer|"
    "seriennummer|roda|rueda|numero de serie|cylindre|roue|ruota|plate serial",
    "thrower_id": "thrower|dealer|dealer id|croupier|spinner|launcher|werfer|lanzador|lancador|lanceur|crupier",
    "ball_id": "ball|ball no|ball number|kugel nr|kugelnummer|bola|bola no|bille|pallina",
    "ball_dir": "direction|ball direction|spin direction|richtung|kugelrichtung|wurfrichtung|sentido|direccion|"
    "direcao|sens|direzione",
    "plate_dir": "plate direction|rotor direction|wheel direction|kesselrichtung|drehrichtung|sens du cylindre",
    "turns": "revolutions|revs|ball turns in the groove|umdrehungen|runden|vueltas|voltas|tours|giri",
    "plate_rpm": "rpm|rotor rpm|wheel rpm|plate speed|rotor speed|wheel speed|drehzahl",
    "drop_angle_deg": "drop angle|drop azimuth|drop|drop zone|drop position|abwurfwinkel|fallwinkel",
    "plate_phase_deg": "plate phase|rotor phase|wheel phase|phase",
    "valid": "counts|gultig|valido|valida|valable|valide",
    "void_code": "void|void reason|void code|reason|invalid|ungultig|grund|motivo|motif|nulo|nul",
    "close_time": "closed|closing|closing time|bets closed|no more bets",
    "bell_time": "bell",
    "remark": "remarks|comment|comments|note|notes|bemerkung|bemerkungen|anmerkung|notiz|observacion|observaciones|"
    "observacao|observacoes|nota|remarque|remarques|observation|commentaire|osservazioni",
}
_UNITS = {
    "deg": {
        "deg": 1.0,
        "degree": 1.0,
        "degrees": 1.0,
        "grad": 1.0,
        "°": 1.0,
        "rad": 180 / pi,
        "radian": 180 / pi,
    },
    "1/min": {
        "1/min": 1.0,
        "rpm": 1.0,
        "min-1": 1.0,
        "u/min": 1.0,
        "rps": 60.0,
        "1/s": 60.0,
        "rad/s": 30 / pi,
    },
    "mm": {"mm": 1.0, "cm": 10.0, "m": 1000.0},
    "s": {"s": 1.0, "sec": 1.0, "ms": 0.001},
    "m/s": {"m/s": 1.0, "mm/s": 0.001},
    "rad/s": {"rad/s": 1.0, "rpm": pi / 30, "deg/s": pi / 180},
    "J/kg": {"j/kg": 1.0},
}
_BRACKET = re.compile(r"^(.*?)\s*[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]\s*$")


def plain(name: str) -> str:
    """Return a column's name as it is compared: no accents, no capitals, single spaces for all but letters."""
    flat = unicodedata.normalize("NFKD", name.strip().strip("\ufeff"))
    flat = "".join(each for each in flat if not unicodedata.combining(each)).casefold()
    if flat in {"#", "n°", "nº"}:
        return "#"
    return " ".join(re.sub(r"[^0-9a-z]+", " ", flat.replace("№", "no")).split())


_FIELD_OF = {
    **{plain(name): field for field, names in _NAMES.items() for name in names.split("|")},
    **{plain(name): name for name in FIELDS if name not in {"date", "time"}},
}


def field_of(name: str) -> str | None:
    """Return the field that a column's name means, without its unit, or None."""
    if len(name) > 200:
        return None
    return _FIELD_OF.get(plain(name)) or _FIELD_OF.get(plain(_BRACKET.sub(r"\1", name)))


def is_schema_name(name: str) -> bool:
    """Whether a column's name is the schema's own."""
    return name.strip() in BY_NAME


def factor_of(name: str, field: str) -> float:
    """Return what a value under this name is multiplied by to be in the field's unit: a unit in brackets says.

    Raises ValueError when the brackets hold a unit that is none of the field's.
    """
    bracket = _BRACKET.match(name) if len(name) <= 200 else None
    units = _UNITS.get(BY_NAME[field].unit) if field in BY_NAME else None
    if not bracket or units is None:
        return 1.0
    unit = bracket[2].casefold()
    if unit in units:
        return units[unit]
    if any(unit in each for each in _UNITS.values()):
        raise ValueError(f"must be in one of {', '.join(units)}; given the unit {bracket[2]!r}")
    return 1.0
