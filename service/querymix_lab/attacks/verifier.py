"""The verifier attack: a program of the operator's, such as a language model, judges whether pairs are one owner's.

Rules:
- The program is started once. It gets a JSON line for each pair on its standard input, and the end of it after the
  last: {"id": 0, "a": {"text": "...", "time": 1141205000.0, "category": "Sports"}, "b": {...}}.
- It answers with a JSON line for each on its standard output, in any order: {"id": 0, "p": 0.7}, p the probability
  that one person asked both. What it writes to its standard error is shown as it is.
- Queries go to this program alone. No error of ours holds a text, nor what the program answered.
- Its probabilities are calibrated (isotonic regression) on pairs of other users than those that score it.
"""

import json
import math
import queue
import shlex
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, Final

import numpy as np
from querymix.core.errors import ConfigError, TransientError, reason
from querymix.core.records import POOL_NAMES
from scipy.sparse import csr_matrix
from sklearn.isotonic import IsotonicRegression

from querymix_lab.attacks.clicks import Clicked
from querymix_lab.attacks.logs import Floats
from querymix_lab.attacks.pairing import Candidates, Lines, candidates, judged, lines_of, parts
from querymix_lab.attacks.pairs import row, truth
from querymix_lab.attacks.scoring import TooShortError
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "what the program of --verifier knows, and the owners of other users' pairs, which calibrate it"
_LEAST: Final = 5
"""Pairs of one owner, and of two, that each part needs."""
_ENDING: Final = 10.0
"""Seconds that the program has to end once all is answered."""


def verifier(
    simulated: Simulated, seed: int, texts: Sequence[str], command: str, *, most: int = 500,
    patience: float = 120.0,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the row of a program's judgement.

    Args:
        simulated: the release.
        seed: chooses the pairs.
        texts: the text of every text number.
        command: the program with its arguments, as a shell parts them; no shell runs it.
        most: pairs that it judges.
        patience: seconds to wait for the next answer.

    Raises TooShortError where the log has too few pairs, ConfigError where the program cannot be started or answers
    wrongly, TransientError where it takes too long or ends too soon.
    """
    clicked = Clicked.none(len(simulated.asked))
    near = csr_matrix((len(simulated.released), 1))
    chosen = [
        _some(lines_of(simulated, texts, clicked, near, users), most // 2, seed)
        for users in parts(simulated.owners, (0.5, 0.5), seed)
    ]
    asked = [request for lines, pairs, _ in chosen for request in _requests(lines, pairs, texts)]
    said = ask(command, asked, patience)
    (known, learned, _), (lines, tried, share) = chosen
    calibrated = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    calibrated.fit(said[: len(learned.first)], truth(known, learned))
    raw = said[len(learned.first) :]
    told: Floats = np.clip(calibrated.predict(raw) + 1e-6 * (raw - 0.5), 0, 1)
    found = row("verifier", KNOWS, judged(told, lines, tried, share))
    uncalibrated = float(np.mean((raw - truth(lines, tried)) ** 2))
    return [found | {"brier uncalibrated": uncalibrated}]


def _some(lines: Lines, most: int, seed: int) -> tuple[Lines, Candidates, float]:
    found = candidates(lines)
    share = min(1.0, most / max(1, len(found.first)))
    if share < 1:
        found = found.take(np.sort(np.random.default_rng(seed).choice(len(found.first), most, replace=False)))
    same = int(truth(lines, found).sum())
    if min(same, len(found.first) - same) < _LEAST:
        raise TooShortError(
            f"verifier: fewer than {_LEAST} of the chosen pairs are one owner's, or two owners': give a larger "
            "--verifier-pairs, or a longer log"
        )
    return lines, found, share


def _requests(lines: Lines, pairs: Candidates, texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield what the program gets of each pair."""
    for first, second in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
        yield {
            name: {
                "text": texts[int(lines.log.texts[place])],
                "time": float(lines.log.times[place]),
                "category": POOL_NAMES[int(lines.log.categories[place])],
            }
            for name, place in (("a", first), ("b", second))
        }


def ask(command: str, requests: Sequence[dict[str, Any]], patience: float) -> Floats:
    """Return a program's probability for each request; raises as `verifier` does."""
    out = np.full(len(requests), np.nan)
    answers: queue.Queue[bytes | None] = queue.Queue()
    with _started(command, requests, answers) as program:
        for number in range(len(requests)):
            try:
                line = answers.get(timeout=patience)
            except queue.Empty:
                raise TransientError(
                    f"--verifier: no answer for {patience:g} s, after {number} of {len(requests)} pairs: look at the "
                    "program, or give --verifier-timeout more"
                ) from None
            if line is None:
                raise TransientError(
                    f"--verifier: the program ended {_code(program)}, after {number} of {len(requests)} answers: it "
                    "must answer each line of its input, and flush each answer"
                )
            place, probability = _answer(line, number + 1, len(requests))
            if not math.isnan(out[place]):
                raise ConfigError(
                    f"--verifier: answer {number + 1} names a pair that is answered already: check its id"
                )
            out[place] = probability
    return out


@contextmanager
def _started(
    command: str, requests: Sequence[dict[str, Any]], answers: "queue.Queue[bytes | None]"
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the program while it is asked, and end it after; threads hand it the requests and take its answers."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"--verifier: the command cannot be parted into words: {error}") from None
    if not words:
        raise ConfigError("--verifier: the command is empty: name a program")
    try:
        program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - the operator's own
    except OSError as error:
        raise ConfigError(f"--verifier: {words[0]} cannot be started: {reason(error)}") from None
    if program.stdin is None or program.stdout is None:
        raise AssertionError("both are pipes")
    threads = [
        threading.Thread(target=_send, args=(program.stdin, requests), daemon=True),
        threading.Thread(target=_receive, args=(program.stdout, answers), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        yield program
        with suppress(subprocess.TimeoutExpired):
            program.wait(_ENDING)
    finally:
        program.kill()
        program.wait()
        for thread in threads:  # a program of the program's own may hold the pipes open
            thread.join(_ENDING)


def _send(into: IO[bytes], requests: Sequence[dict[str, Any]]) -> None:
    """Write all requests, and close; a program that reads no more is told of by what it does not answer."""
    with suppress(OSError):
        for number, request in enumerate(requests):
            into.write(json.dumps({"id": number} | request).encode() + b"\n")
            into.flush()
    with suppress(OSError):
        into.close()


def _receive(out: IO[bytes], answers: "queue.Queue[bytes | None]") -> None:
    """Hand on each line that is not empty, and None at the end; and close."""
    with out:
        for line in out:
            if line.strip():
                answers.put(line)
    answers.put(None)


def _answer(line: bytes, number: int, requests: int) -> tuple[int, float]:
    """Return the pair's number and the probability of an answer. Raises ConfigError, which does not show it."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ConfigError(f'--verifier: answer {number} is no JSON object such as {{"id": 0, "p": 0.7}} on one line')
    place, probability = found.get("id"), found.get("p")
    if type(place) is not int or not 0 <= place < requests:
        raise ConfigError(f"--verifier: answer {number} has no id of a pair: give back the id of the line it answers")
    if isinstance(probability, bool) or not isinstance(probability, int | float) or not 0 <= probability <= 1:
        raise ConfigError(f"--verifier: answer {number} has no probability: p must be a number between 0 and 1")
    return place, float(probability)


def _code(program: "subprocess.Popen[bytes]") -> str:
    """Say how the program ended, which has closed its output."""
    try:
        code = program.wait(1.0)
    except subprocess.TimeoutExpired:
        return "its output, and runs on"
    return f"with exit code {code}" if code >= 0 else f"by signal {-code}"
