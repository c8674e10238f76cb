"""A bounded memory of answers: everything that is remembered on the hot path is remembered here.

Rules:
- Past `most` answers all are forgotten, which costs less than to choose among them.
- An answer to a longer key than `longest` characters is not remembered, so that the memory is bounded in bytes too.
"""

from typing import Final, TypeVar

V = TypeVar("V")

MAX: Final = 1 << 16
LONGEST: Final = 256


class BoundedCache(dict[str, V]):
    """Answers by key. Read it as a dict; a subclass may compute what is missing (`__missing__`)."""

    def __init__(self, most: int = MAX, longest: int = LONGEST) -> None:
        super().__init__()
        self._most = most
        self._longest = longest

    def keep(self, key: str, answer: V) -> None:
        """Remember an answer, unless its key is too long."""
        if len(key) <= self._longest:
            if len(self) >= self._most:
                self.clear()
            self[key] = answer

    def keep_all(self, answers: dict[str, V]) -> None:
        """Remember answers to keys of at most `LONGEST` characters."""
        if len(self) + len(answers) > self._most:
            self.clear()
        self.update(answers)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} answers)"
