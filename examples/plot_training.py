"""Draw the curve of training runs: `python examples/plot_training.py runs/*/log.jsonl -o curve.png`.

Each line of a log is a judgement in held-out cities, as examples/train_pointnav.py writes it; several logs are several
seeds, thin, with their mean and the band from the least to the greatest as far as all of them go. `--value` names
another column. Drawn with Pillow alone.
"""

import argparse
import json
from pathlib import Path

from PIL import Image, ImageDraw

SIZE, LEFT, TOP, RIGHT, BOTTOM = (900, 520), 70, 50, 30, 70
COLORS = ((31, 119, 180), (214, 99, 39), (44, 140, 60), (148, 60, 160))
TITLES = {"success": "success", "contacts_100m": "touches of people in 100 m"}
FLAT = {"greedy": (120, 120, 120), "random": (190, 140, 60)}


def draw(logs: list[Path], out: Path, value: str = "success") -> None:
    """A column against environment steps; the other policies are level lines."""
    picture = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(picture)
    rows = [[json.loads(line) for line in log.read_text().splitlines()] for log in logs]
    curves = [{row["steps_trained"]: row[value] for row in one if row["policy"] == "ppo"} for one in rows]
    flat = {row["policy"]: row[value] for row in rows[0] if row["policy"] in FLAT and value in row}
    most = max((steps for curve in curves for steps in curve), default=1)
    share = value.endswith(("success", "spl"))
    high = 1.0 if share else 1.1 * max([*flat.values(), *(v for curve in curves for v in curve.values())])
    width, height = SIZE[0] - LEFT - RIGHT, SIZE[1] - TOP - BOTTOM

    def at(steps: float, level: float) -> tuple[float, float]:
        return LEFT + width * steps / most, TOP + height * (1.0 - level / high)

    common = sorted(set.intersection(*map(set, curves)))
    if len(curves) > 1 and len(common) > 1:
        ends = [[pick(curve[steps] for curve in curves) for steps in common] for pick in (min, max)]
        edge = [at(s, v) for s, v in zip(common, ends[0], strict=True)]
        edge += [at(s, v) for s, v in zip(common, ends[1], strict=True)][::-1]
        pen.polygon(edge, fill=(218, 230, 242))
    for fifth in range(6):
        level = high * fifth / 5
        pen.line([at(0, level), at(most, level)], fill=(225, 225, 225))
        text = f"{20 * fifth} %" if share else f"{level:.2f}"
        pen.text((LEFT - 48, at(0, level)[1] - 7), text, fill="black", font_size=14)
    for part in range(5):
        spot = (at(most * part / 4, 0)[0] - 20, TOP + height + 8)
        pen.text(spot, f"{most * part / 4 / 1000:.0f}k", fill="black", font_size=14)
    pen.text((LEFT, 14), f"{TITLES.get(value, value)} in held-out cities", fill="black", font_size=18)
    pen.text((LEFT + width / 2 - 90, SIZE[1] - 34), "environment steps trained", fill="black", font_size=16)
    for name, level in flat.items():
        pen.line([at(0, level), at(most, level)], fill=FLAT[name], width=2)
        pen.text((LEFT + width - 70, at(0, level)[1] - 20), name, fill=FLAT[name], font_size=15)
    for number, curve in enumerate(curves):
        points, color = [at(steps, level) for steps, level in curve.items()], COLORS[number % len(COLORS)]
        pen.line(points, fill=color, width=1 if len(curves) > 1 else 3)
        for x, y in points:
            pen.ellipse([x - 3, y - 3, x + 3, y + 3], fill=color)
    if len(curves) > 1:
        mean = [at(steps, sum(curve[steps] for curve in curves) / len(curves)) for steps in common]
        pen.line(mean, fill=(20, 50, 90), width=4)
    out.parent.mkdir(parents=True, exist_ok=True)
    picture.save(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("-o", "--out", type=Path, default=Path("curve.png"))
    parser.add_argument("--value", default="success", help="column of the logs")
    chosen = parser.parse_args()
    draw(chosen.logs, chosen.out, chosen.value)


if __name__ == "__main__":
    main()
