"""Draws docs/flow.svg, the picture of the README: `python -m docs.flow`.

Its colours follow the reader's light or dark background; it needs no font that a browser lacks.
"""

from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("flow.svg")
WIDTH, HEIGHT = 920, 330
STAGES: Final = (
    (170, "1. Classifier", ("finds the category", "cuts identifiers")),
    (410, "2. Anonymizer", ("waits for k + 1 users", "swaps their queries")),
    (650, "3. Profiler", ("counts categories", "of each user")),
)
ASKED: Final = ("ana    barcelona goals", "ben    football boots", "cleo   chelsea tickets")
LEFT: Final = ("ana    chelsea tickets", "ben    barcelona goals", "cleo   (waits)")
STYLE: Final = """
text{font:15px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;fill:#1f2328}
.head{font-weight:600}.small{font-size:13px;fill:#57606a}.mono{font:13px ui-monospace,Menlo,Consolas,monospace}
.box{fill:#eef4ff;stroke:#0969da;stroke-width:1.5}.file{fill:#f6f8fa;stroke:#8c959f}
.arrow{stroke:#57606a;stroke-width:1.5;fill:none}.tip{fill:#57606a}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9da7b3}.box{fill:#122033;stroke:#58a6ff}
.file{fill:#161b22;stroke:#6e7681}.arrow{stroke:#9da7b3}.tip{fill:#9da7b3}}
"""


def text(x: int, y: int, words: str, kind: str = "", anchor: str = "middle") -> str:
    """Return one line of text."""
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}" xml:space="preserve">{words}</text>'


def box(x: int, y: int, width: int, height: int, kind: str) -> str:
    """Return a rounded box."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" class="{kind}"/>'


def arrow(path: str) -> str:
    """Return a line with a tip at its end."""
    return f'<path d="{path}" class="arrow" marker-end="url(#tip)"/>'


def log(x: int, title: str, lines: tuple[str, ...]) -> list[str]:
    """Return a log with its lines, under its title."""
    rows = [text(x + 16, 247 + 22 * place, line, "mono", "start") for place, line in enumerate(lines)]
    return [box(x, 200, 270, 105, "file"), text(x + 16, 222, title, "head", "start"), *rows]


def picture() -> str:
    """Return the whole picture."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        ' aria-label="A query log goes through a classifier and an anonymizer and leaves as a log of the same form; '
        'a profiler counts the categories of each user in a database.">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>',
    ]
    for x, title, lines in STAGES:
        parts += [box(x, 40, 190, 100, "box"), text(x + 95, 68, title, "head")]
        parts += [text(x + 95, 95 + 22 * place, line, "small") for place, line in enumerate(lines)]
    parts += [arrow("M360 90H408"), arrow("M600 90H648"), arrow("M840 90H876V198")]
    parts += log(20, "the query log", ASKED) + log(410, "the released log", LEFT)
    parts += [arrow("M95 200V90H168")]
    parts += [box(806, 200, 104, 105, "file"), text(858, 222, "profiles", "head")]
    parts += [text(858, 250 + 22 * place, line, "small") for place, line in enumerate(("each user's", "categories"))]
    parts += [arrow("M505 140V198"), text(520, 172, "the same form", "small", "start")]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
