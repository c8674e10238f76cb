"""Every attack of the suite is told with what lowers it, and says what it needs."""

import numpy as np
import pytest
from querymix.core.errors import ConfigError
from querymix.core.rules import Rules
from querymix_lab.attacks.attacked import named
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.lowering import LOWERED
from querymix_lab.attacks.scoring import Guesses
from querymix_lab.attacks.simulated import Simulated, simulate
from querymix_lab.attacks.suite import ATTACKS, QUICK, QUICK_OF_FILES, Case, files_of, run


@pytest.fixture(scope="module")
def simulated() -> Simulated:
    chance = np.random.default_rng(3)
    log = Log(chance.integers(30, size=900), np.arange(900), np.zeros(900, dtype=np.int64), np.arange(900.0) * 600)
    return simulate(log, Rules(k=5), period=86_400.0)


TEXTS = [f"word{number}" for number in range(900)]


def test_each_attack_is_told_with_what_lowers_it_and_no_other() -> None:
    assert LOWERED.keys() == ATTACKS.keys()
    assert {*QUICK, *QUICK_OF_FILES} <= ATTACKS.keys()


def test_an_attack_whose_ids_must_last_is_left_out_where_they_do_not(simulated: Simulated) -> None:
    case = Case(attacked=simulated, texts=TEXTS, rules=Rules(k=5), period=86_400.0)
    rows, failed = run(case, ["again", "kernel"], lambda _: None)
    assert [row["attack"] for row in rows] == ["kernel"]
    assert failed == ["again: lines of several releases are added up by ids that last: give --pseudonym-period none"]


def test_of_two_files_the_attacks_that_need_exact_owners_are_left_out_with_one_reason(simulated: Simulated) -> None:
    case = Case(attacked=files_of(simulated.asked, simulated.released), texts=TEXTS, rules=Rules(k=5))
    rows, failed = run(case, ["trail", "pairs", "kernel"], lambda _: None)
    assert [row["attack"] for row in rows] == ["kernel"]
    (reason,) = failed
    assert reason.startswith("trail, pairs: ")


def test_under_ids_of_a_day_a_line_is_named_by_the_id_that_its_owner_has_then(simulated: Simulated) -> None:
    lasting = simulate(simulated.asked, Rules(k=5))
    found = [
        run(Case(attacked=one, texts=TEXTS, rules=Rules(k=5)), ["kernel"], lambda _: None)[0][0]
        for one in (simulated, lasting)
    ]
    assert 0 < found[0]["success"] < 1
    assert 0 < found[1]["success"] < 1


def test_a_guess_at_somebody_whom_the_release_lacks_is_scored_as_any_other(simulated: Simulated) -> None:
    lasting = simulate(simulated.asked, Rules(k=5))
    beyond = int(lasting.asked.users.max()) + 1
    guesses = Guesses.of([(0, beyond, 0.5), (1, int(lasting.owners[1]), 0.5)])
    assert named(lasting, "any", "nothing", guesses)["success"] == 0.5


@pytest.mark.parametrize("name", ["verifier", "membership"])
def test_what_an_operator_must_give_is_asked_for(simulated: Simulated, name: str) -> None:
    with pytest.raises(ConfigError, match="give --"):
        run(Case(attacked=simulated, texts=TEXTS, rules=Rules(k=5)), [name], lambda _: None)
