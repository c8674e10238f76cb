"""In CI the examples of Hypothesis are the same ones in each run, whatever was imported before a test."""

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = """
import sys
import tests.conftest
if sys.argv[1:]:
    import loadtest.world
    import querymix.core.identifiers
from hypothesis import given, strategies as st
seen = []
@given(st.text(), st.integers())
def look(text, number):
    seen.append((text, number))
look()
print(len(seen), ascii(seen))
"""


def examples(*more: str, **environment: str) -> str:
    """Return the examples that a process of its own makes."""
    root = Path(__file__).parents[1]
    clean = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTHONHASHSEED")}
    clean["PYTHONPATH"] = os.pathsep.join((str(root / "service"), str(root)))
    command = [sys.executable, "-c", EXAMPLES, *more]
    done = subprocess.run(command, cwd=root, env=clean | environment, stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout


def test_modules_that_other_tests_have_loaded_make_no_other_examples_in_ci() -> None:
    assert examples(CI="true") == examples("more", CI="true") != examples()
