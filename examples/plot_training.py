"""Draw the curve of a training run: `python examples/plot_training.py runs/pointnav/log.jsonl -o curve.png`.

Each line of the log is a judgement in held-out cities, as examples/train_pointnav.py writes it; several logs are
several seeds. Drawn with Pillow alone.
"""

import argparse
import json
from pathlib import Path

from PIL import Image, ImageDraw

SIZE, LEFT, TOP, RIGHT, BOTTOM = (900, 520), 70, 50, 30, 70
COLORS = ((31, 119, 180), (214, 99, 39), (44, 140, 60), (148, 60, 160))
FLAT = {"greedy": (120, 120, 120), "random": (190, 140, 60)}


def draw(logs: list[Path], out: Path) -> None:
    """Success against environment steps, one line a log; the other policies are level lines."""
    picture = Image.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(picture)
    rows = [[json.loads(line) for line in log.read_text().splitlines()] for log in logs]
    curves = [[(row["steps_trained"], row["success"]) for row in one if row["policy"] == "ppo"] for one in rows]
    most = max((steps for curve in curves for steps, _ in curve), default=1)
    width, height = SIZE[0] - LEFT - RIGHT, SIZE[1] - TOP - BOTTOM

    def at(steps: float, share: float) -> tuple[float, float]:
        return LEFT + width * steps / most, TOP + height * (1.0 - share)

    for tenth in range(0, 11, 2):
        pen.line([at(0, tenth / 10), at(most, tenth / 10)], fill=(225, 225, 225))
        pen.text((LEFT - 45, at(0, tenth / 10)[1] - 7), f"{tenth * 10} %", fill="black", font_size=14)
    for part in range(5):
        pen.text(
            (at(most * part / 4, 0)[0] - 20, TOP + height + 8),
            f"{most * part / 4 / 1000:.0f}k",
            fill="black",
            font_size=14,
        )
    pen.text((LEFT, 14), "success in held-out cities", fill="black", font_size=18)
    pen.text((LEFT + width / 2 - 90, SIZE[1] - 34), "environment steps trained", fill="black", font_size=16)
    for row in rows[0]:
        if row["policy"] in FLAT:
            start, end = at(0, row["success"]), at(most, row["success"])
            pen.line([start, end], fill=FLAT[row["policy"]], width=2)
            pen.text((LEFT + width - 70, start[1] - 20), row["policy"], fill=FLAT[row["policy"]], font_size=15)
    for number, curve in enumerate(curves):
        points = [at(steps, share) for steps, share in curve]
        if len(points) > 1:
            pen.line(points, fill=COLORS[number % len(COLORS)], width=3)
        for x, y in points:
            pen.ellipse([x - 4, y - 4, x + 4, y + 4], fill=COLORS[number % len(COLORS)])
    out.parent.mkdir(parents=True, exist_ok=True)
    picture.save(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("-o", "--out", type=Path, default=Path("curve.png"))
    chosen = parser.parse_args()
    draw(chosen.logs, chosen.out)


if __name__ == "__main__":
    main()
