"""The table of the operators' guide is what the model says."""

from pathlib import Path

import aiokafka  # noqa: F401 - what is tested here needs it, so without it the module is skipped
import faker  # noqa: F401

from loadtest.capacity import Demand, size
from loadtest.commands.capacity import costs_table, sizes_table
from loadtest.measure.measured import DEFAULTS

GUIDE = (Path(__file__).parents[2] / "deploy" / "README.md").read_text()


def test_the_answer_to_how_many_do_i_need_is_the_models() -> None:
    demands = [Demand(rate, 100_000_000, 600) for rate in (40_000, 158_500, 1_000_000)]
    table = sizes_table(demands, [size(DEFAULTS, demand) for demand in demands])
    rows = [*table.rows, *costs_table(DEFAULTS).rows]
    assert [row for row in rows if f"| {' | '.join(row)} |" not in GUIDE] == []
