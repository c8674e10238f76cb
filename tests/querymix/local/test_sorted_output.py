"""Lines that are put in order at the end of a run."""

from pathlib import Path

from querymix.core.draw import seeded_draw
from querymix.local.sorted_output import SortedOutput


def test_lines_that_version_0_3_0_left_unsorted_are_put_in_order(tmp_path: Path) -> None:
    left = b"-inf 0\thead\n2.0 7\t1\tlate\n1.0 9\t2\tearly\n"
    (tmp_path / "out.unsorted").write_bytes(left)
    output = SortedOutput(str(tmp_path / "out"), seeded_draw(1), None, keep=len(left), done=True)
    output.start()
    output.finish()
    output.close()
    assert (tmp_path / "out").read_bytes() == b"head\n2\tearly\n1\tlate\n"
    assert not (tmp_path / "out.unsorted").exists()
