"""All settings of a study: in parallel processes, each result a file of its own, so that a study can be resumed.

Rules:
- The folder holds numbers only, no query and no user id. What is measured reaches the processes through pipes.
- A result is written whole or not at all. It belongs to one log: the folder remembers which.
- What failed is tried again with the next run: its reason may be gone.
- A process measures one setting and ends, so that its peak memory is that setting's.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from querymix.core.errors import ConfigError
from querymix.own_files import check_own, write_own

from querymix_lab.sweep.grid import Named
from querymix_lab.task_processes import in_parallel

S = TypeVar("S", bound=Named)


def claim(folder: Path, content: Iterable[bytes]) -> None:
    """Make the study's folder, for one log, which `content` tells from another one.

    Raises ConfigError where the folder holds the study of another log, or belongs to somebody else.
    """
    digest = sha256()
    for part in content:
        digest.update(part)
    mark = digest.hexdigest()
    (folder / "results").mkdir(parents=True, exist_ok=True)
    check_own(folder, folder.stat())
    identity = folder / "log.sha256"
    if identity.exists() and identity.read_text() != mark:
        raise ConfigError(f"{folder} holds the study of another log, or of another classifier: name another folder")
    write_own(identity, mark.encode())


def run(
    folder: Path, settings: Sequence[S], measure: Callable[[S], dict[str, Any]], processes: int,
    tick: Callable[[], None] = lambda: None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return the figures of every setting, in order; those that the folder holds already are not measured again.

    `measure` is pickled for each setting. `tick` is called once a setting. Raises the first error of a process, after
    the others were ended.
    """
    waiting = [setting for setting in settings if not _measured(_file(folder, setting))]
    for _ in range(len(settings) - len(waiting)):
        tick()
    jobs = [(measure, setting, _file(folder, setting)) for setting in waiting]
    for _ in in_parallel(processes, _job, jobs):
        tick()
    return [json.loads(_file(folder, setting).read_text()) for setting in settings]


def _job(measure: Callable[[S], dict[str, Any]], setting: S, file: Path) -> None:
    figures = measure(setting)
    write_own(file, json.dumps(figures).encode())


def _measured(file: Path) -> bool:
    return file.exists() and "failed" not in json.loads(file.read_text())


def _file(folder: Path, setting: Named) -> Path:
    return folder / "results" / f"{setting.name}.json"
