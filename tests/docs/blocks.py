"""The code blocks of the documents, and the commands in them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [ROOT / "README.md", *(path for room in ("docs", "deploy", "loadtest") for path in (ROOT / room).rglob("*.md"))]
)
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_OUTSIDE = re.compile(r"(?:^|\n)(?:#[^\n]*)?\n {4,}\S[^\n]*")


class Block(NamedTuple):
    """One fenced block."""

    document: str
    line: int
    language: str
    text: str


class Command(NamedTuple):
    """One command of a block, with the lines that the document shows below it."""

    block: Block
    text: str
    shown: list[str]


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a document."""
    text, name = path.read_text(), path.relative_to(ROOT).as_posix()
    found = []
    for match in _FENCE.finditer(text):
        lines = [line.removeprefix(match[1]) for line in match[3].splitlines()]
        found.append(Block(name, text[: match.start()].count("\n") + 1, match[2], "\n".join(lines)))
    return found


def stray(path: Path) -> list[str]:
    """Return what stands indented outside of fences, as a block without a language would."""
    return _OUTSIDE.findall(_FENCE.sub("", path.read_text()))


def commands(path: Path) -> list[Command]:
    """Return the commands of a document, in order."""
    found: list[Command] = []
    for block in blocks(path):
        text = block.text.replace("\\\n", "")
        if block.language == "sh":
            found += [Command(block, line.partition(" #")[0].strip(), []) for line in text.splitlines()]
        elif block.language == "console":
            for line in text.splitlines():
                if line.startswith("$ "):
                    found.append(Command(block, line[2:], []))
                else:
                    found[-1].shown.append(line)
    return [command for command in found if command.text and not command.text.startswith("#")]
