"""All settings of a study: in parallel processes, each result a file of its own, so that a study can be resumed.

Rules:
- The folder holds numbers only, no query and no user id: users and texts are numbers without their vocabulary.
- A result is written whole or not at all. It belongs to one log: the folder remembers which.
- A process measures one setting and ends, so that its peak memory is that setting's.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from service.core.errors import Misconfigured
from service.study.attacks.logs import Log
from service.study.processes import in_parallel
from service.study.sweep.grid import Setting
from service.study.sweep.measuring import measure

LOG: Final = "log.npz"


def keep(log: Log, folder: Path) -> None:
    """Put a classified log, in time order, into the study's folder.

    Raises Misconfigured where the folder holds the study of another log.
    """
    (folder / "results").mkdir(parents=True, exist_ok=True)
    columns = {"users": log.users, "texts": log.texts, "categories": log.categories, "times": log.times}
    mark = sha256(b"".join(np.ascontiguousarray(column).tobytes() for column in columns.values())).hexdigest()
    identity = folder / "log.sha256"
    if identity.exists() and identity.read_text() != mark:
        raise Misconfigured(f"{folder} holds the study of another log, or of another classifier: name another folder")
    if not identity.exists():
        np.savez(folder / LOG, **columns)  # type: ignore[arg-type]  # numpy's stub takes the keywords for its own
        identity.write_text(mark)


def load(folder: Path) -> Log:
    """Return the log that `keep` put there."""
    with np.load(folder / LOG) as columns:
        return Log(*(columns[name] for name in ("users", "texts", "categories", "times")))


def run(
    folder: Path, settings: Sequence[Setting], processes: int, tick: Callable[[], None] = lambda: None
) -> list[dict[str, Any]]:
    """Return the figures of every setting, in order; those that the folder holds already are not measured again.

    `tick` is called once a setting. Raises the first error of a process, after the others were ended.
    """
    waiting = [setting for setting in settings if not _file(folder, setting).exists()]
    for _ in range(len(settings) - len(waiting)):
        tick()
    for _ in in_parallel(processes, _job, [(folder, setting) for setting in waiting]):
        tick()
    return [json.loads(_file(folder, setting).read_text()) for setting in settings]


def _job(folder: Path, setting: Setting) -> None:
    figures = measure(load(folder), setting)
    file = _file(folder, setting)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(figures))
    part.replace(file)


def _file(folder: Path, setting: Setting) -> Path:
    return folder / "results" / f"{setting.name}.json"
