"""Processes of a study: one task each, and none is left behind."""

import os
import signal
import time
from multiprocessing import active_children

import pytest
from querymix.core.errors import ConfigError
from querymix_lab.memory import peak_mib
from querymix_lab.task_processes import alone, in_parallel


def _own(_: int) -> int:
    return os.getpid()


def _fail_or_sleep(seconds: float) -> None:
    if not seconds:
        raise ConfigError("no")
    time.sleep(seconds)


def test_each_task_has_a_process_of_its_own() -> None:
    found = list(in_parallel(2, _own, [(number,) for number in range(3)]))
    assert len(set(found)) == 3
    assert os.getpid() not in found


def _peak(mib: int) -> float:
    held = bytearray(mib * 2**20)
    peak = peak_mib()
    del held
    return peak


def test_the_peak_memory_of_a_task_is_its_own_and_not_that_of_one_before_or_of_the_caller() -> None:
    held = bytearray(200 * 2**20)
    large, small = alone(_peak, 200), alone(_peak, 0)
    assert large > 200
    assert small < large - 150
    assert peak_mib() > len(held) / 2**20


def test_an_error_of_a_process_reaches_the_caller_as_it_was() -> None:
    with pytest.raises(ConfigError, match="no"):
        alone(_fail_or_sleep, 0.0)


def test_after_an_error_the_other_processes_are_ended() -> None:
    with pytest.raises(ConfigError):
        list(in_parallel(2, _fail_or_sleep, [(3600.0,), (0.0,), (3600.0,)]))
    assert not active_children()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="--processes"):
        alone(_die)
