"""A level on a terminal of 80 columns, and as plain data."""

from math import atan, atan2, degrees, pi, tan
from typing import TYPE_CHECKING, Any

from sim.cli import screen

if TYPE_CHECKING:
    from sim.cli.level import Spirit
    from sim.inspection.drop_zone import Dropped
    from sim.inspection.levelling import Levelling
    from sim.inspection.tilt import Foot, Tilt, Turn

_OUTLIER = 3.0


def plain(
    spirit: "Spirit | None", dropped: "Dropped | None", feet: "tuple[Foot, ...]", confidence: float
) -> dict[str, Any]:
    """The same as JSON; angles in degrees, slopes in mm/m."""
    told: dict[str, Any] = {"confidence": confidence}
    if spirit is not None:
        found = spirit.found
        told["readings"] = {
            "file": spirit.file,
            "n": len(found.residuals),
            **_vector(found.tilt, confidence, found.x, found.y),
            "uncertainty_mm_m": None if found.spread is None else 1e3 * found.spread,
            "instrument_error_mm_m": None if found.error is None else 1e3 * found.error[0],
            "seat_mm_m": 1e3 * found.seat,
            "p_plane": found.p_plane,
            "residuals": [
                {"line": one.line, "azimuth_deg": degrees(one.place), "residual_mm_m": 1e3 * left}
                for one, left in zip(spirit.measured.readings, found.residuals, strict=True)
            ],
        }
    if dropped is not None:
        drops = dropped.found
        told["drops"] = {
            "log": dropped.log,
            "n": drops.n,
            **_vector(drops.tilt, confidence, drops.tilt.x, drops.tilt.y),
            "interval_deg": [degrees(drops.low), None if drops.high is None else degrees(drops.high)],
            "mean_resultants": [abs(one) for one in drops.resultants],
            "p_directions": drops.p_directions,
            "mean_resultant_when_level": drops.gathered,
            "remarks": list(dropped.remarks),
        }
    if spirit is not None and dropped is not None and spirit.found.tilt is not None:
        told["p_agree"] = spirit.found.tilt.disagreement(dropped.found.tilt)
    turned = turns_by(spirit, dropped, feet)
    if turned:
        told["feet"] = [
            {
                "azimuth_deg": degrees(turn.foot.azimuth),
                "raise_mm": 1e3 * turn.rise,
                "uncertainty_mm": None if turn.uncertainty is None else 1e3 * turn.uncertainty,
                "turns": turn.turns,
            }
            for turn in turned
        ]
    return told


def _vector(tilt: "Tilt | None", confidence: float, x: float, y: float) -> dict[str, Any]:
    if tilt is None:
        from sim.inspection.tilt import Tilt

        tilt = Tilt(x, y, ((1.0, 0.0), (0.0, 1.0)))
        return {"tilt_deg": degrees(tilt.angle), "low_side_deg": degrees(tilt.low_side), "interval_deg": None}
    half = tilt.half_width(confidence)
    return {
        "tilt_deg": degrees(tilt.angle),
        "tilt_mm_m": 1e3 * tan(tilt.angle),
        "interval_deg": [degrees(each) for each in tilt.interval(confidence)],
        "low_side_deg": degrees(tilt.low_side),
        "low_side_half_width_deg": None if half >= pi else degrees(half),
        "p_level": tilt.p_level(),
        "covariance_mm2_m2": [[1e6 * each for each in row] for row in tilt.covariance],
    }


def show(
    spirit: "Spirit | None", dropped: "Dropped | None", feet: "tuple[Foot, ...]", confidence: float
) -> None:
    """Print the tilt of either method, whether they agree, what is odd, and how to turn the feet."""
    if spirit is not None:
        _show_spirit(spirit, confidence)
    if dropped is not None:
        if spirit is not None:
            print()
        _show_drops(dropped, confidence)
    if spirit is not None and dropped is not None and spirit.found.tilt is not None:
        from sim.inspection.tilt import DISAGREE

        p = spirit.found.tilt.disagreement(dropped.found.tilt)
        word = "disagree" if p < DISAGREE else "agree"
        print(f"\nSpirit level and drops {word} (p {p:.2g} of differing so much, were it one tilt).")
    turned = turns_by(spirit, dropped, feet)
    if turned:
        print()
        _show_feet(turned)


def turns_by(
    spirit: "Spirit | None", dropped: "Dropped | None", feet: "tuple[Foot, ...]"
) -> "tuple[Turn, ...]":
    """How the feet are turned: by the spirit level, where it was laid, else by the drops."""
    from sim.inspection.tilt import turns

    if not feet:
        return ()
    if spirit is not None:
        found = spirit.found
        return turns((found.x, found.y), None if found.tilt is None else found.tilt.covariance, feet)
    if dropped is None:
        return ()
    tilt = dropped.found.tilt
    return turns((tilt.x, tilt.y), tilt.covariance, feet)


def _show_spirit(spirit: "Spirit", confidence: float) -> None:
    from sim.inspection.levelling import WARPED

    found, readings = spirit.found, spirit.measured.readings
    print(screen.clean(f"Spirit level: {len(readings)} readings, {spirit.file}"))
    if found.tilt is None:
        _line("tilt", f"{degrees(atan((found.x**2 + found.y**2) ** 0.5)):.4f} deg, of unknown uncertainty")
        _line("low side", f"at {degrees(atan2(found.y, found.x)) % 360.0:.1f} deg, of unknown uncertainty")
        _line("needs", "a fourth place, reversed readings or --uncertainty of a reading")
        return
    _show_tilt(found.tilt, found.tilt.interval(confidence), confidence)
    if found.spread is not None:
        _line("a reading", f"is known to {1e3 * found.spread:.3g} mm/m (standard uncertainty)")
    if found.error is not None:
        _line(
            "instrument", f"error {1e3 * found.error[0]:+.3g} +- {1e3 * found.error[1]:.2g} mm/m, taken off"
        )
    if found.p_plane is not None and found.p_plane < WARPED:
        worst = _worst(found, spirit)
        _line(
            "warning",
            f"the readings fit no plane (p {found.p_plane:.2g}): the surface is warped, or one is misread;",
        )
        _line("", f"the largest residual is {worst}. The uncertainty is widened to fit.")
    elif found.p_plane is None and len(found.residuals) > 4:
        spread = found.spread or 0.0
        if spread and max(abs(each) for each in found.residuals) > _OUTLIER * spread:
            _line("warning", f"one reading stands out: {_worst(found, spirit)}")


def _worst(found: "Levelling", spirit: "Spirit") -> str:
    i = max(range(len(found.residuals)), key=lambda each: abs(found.residuals[each]))
    one = spirit.measured.readings[i]
    return f"{1e3 * found.residuals[i]:+.3g} mm/m at {degrees(one.place):.0f} deg (line {one.line})"


def _show_drops(dropped: "Dropped", confidence: float) -> None:
    from sim.inspection.drop_zone import GATHERED
    from sim.inspection.tilt import DISAGREE

    found = dropped.found
    print(screen.clean(f"Drop zone: {found.n} drops, {dropped.log}"))
    for remark in dropped.remarks:
        _line("noticed", screen.clean(remark))
    gathered = ", ".join(f"{abs(each):.3f}" for each in found.resultants)
    _line("gathered", f"mean resultant {gathered}; of a level machine {found.gathered:.3f}")
    _show_tilt(found.tilt, (found.low, found.high), confidence)
    if found.p_directions is not None and found.p_directions < DISAGREE:
        _line("warning", f"both directions of travel ask for different tilts (p {found.p_directions:.2g})")
    if found.gathered > GATHERED:
        _line("warning", "the throw alone gathers the drops of this machine: they say little of its level")


def _show_tilt(tilt: "Tilt", interval: tuple[float, float | None], confidence: float) -> None:
    low, high = interval
    most = "no upper bound" if high is None else f"{degrees(high):.4f} deg"
    _line("tilt", f"{degrees(tilt.angle):.4f} deg = {1e3 * tan(tilt.angle):.3f} mm/m")
    bounds = f"{degrees(low):.4f} deg to {most}"
    if high is not None:
        bounds += f" ({1e3 * tan(low):.3f} to {1e3 * tan(high):.3f} mm/m)"
    _line(f"{100 * confidence:g} %", bounds)
    half = tilt.half_width(confidence)
    side = f"at {degrees(tilt.low_side):.1f} deg"
    _line(
        "low side", f"{side} +- {degrees(half):.1f} deg" if half < pi else f"{side}, but it may be anywhere"
    )
    _line("level?", f"p = {tilt.p_level():.2g} if it were")


def _show_feet(turned: "tuple[Turn, ...]") -> None:
    print("Feet: the highest stays, the others are raised.")
    table = screen.table("foot at", "raise by", "turns", "", right=("foot at", "raise by", "turns"))
    for turn in turned:
        spread = "of unknown uncertainty"
        if turn.uncertainty is not None:
            spread = f"+- {1e3 * turn.uncertainty:.3f} mm (standard uncertainty)"
        table.add_row(
            f"{degrees(turn.foot.azimuth):.1f} deg",
            f"{1e3 * turn.rise:.3f} mm",
            "" if turn.turns is None else f"{turn.turns:.2f}",
            "stays" if turn.rise == 0 else spread,
        )
    screen.show(screen.console(), table)


def _line(name: str, text: str) -> None:
    print(f"  {name:<11}{text}".rstrip())
