"""Standard streams that are closed, full, redirected or of another encoding: a message, never a traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import HANGS

GOOD = b"".join(b"%d\tsoccer\t2006-03-01 00:00:%02d\t%d\t\n" % (n % 9, n, n) for n in range(60))


class Shell:
    """A folder with a log, and the command line as a shell starts it."""

    def __init__(self, folder: Path, bundle: Path) -> None:
        self.folder = folder
        self.log = folder / "log.tsv"
        self.log.write_bytes(GOOD)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("QUERYMIX_")}
        self.environment = clean | {"QUERYMIX_KNOWLEDGE": str(bundle), "QM": f"{sys.executable} -W error -m querymix"}
        self.environment["PYTHONPATH"] = str(Path(__file__).parents[2] / "service")

    def __call__(self, command: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a line of shell; `$QM` is the command line."""
        done = subprocess.run(
            ["bash", "-c", command],
            check=False,
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            timeout=HANGS,
        )
        assert b"Traceback" not in done.stderr + done.stdout
        assert b"Exception ignored" not in done.stderr
        return done


@pytest.fixture
def shell(tmp_path: Path, small_bundle: Path) -> Shell:
    return Shell(tmp_path, small_bundle)


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("$QM run - -o out <&-", 2, "standard input is closed"),
        ("$QM classify <&-", 2, "standard input is closed"),
        ("echo golf | $QM classify >&-", 1, "cannot write standard output: it is closed"),
        ("echo golf | $QM classify >/dev/full", 1, "No space left"),
        ("$QM run log.tsv -o - >&-", 2, "standard output is closed"),
        ("$QM run log.tsv --k 2 --reserve 0 -o - >/dev/full", 1, "No space left"),
        ("$QM run log.tsv -o out >&-", 1, "it is closed"),
        ("$QM run log.tsv -o out >/dev/full", 1, "No space left"),
        ("$QM run log.tsv -o out --json >/dev/full", 1, "No space left"),
        ("$QM --help >/dev/full", 1, "No space left"),
        ("$QM run --help >&-", 1, "it is closed"),
        ("$QM knowledge info >/dev/full", 1, "No space left"),
        (
            "$QM run log.tsv -o out --k 2 --reserve 0 --profiles p >s; $QM profiles export --profiles p >/dev/full",
            1,
            "No space left",
        ),
        (
            "$QM run log.tsv -o out --k 2 --reserve 0 --profiles p >s; $QM profiles show 1 --profiles p >/dev/full",
            1,
            "No space left",
        ),
        (
            "$QM run log.tsv -o out --k 2 --reserve 0 --profiles p >s; $QM profiles export --profiles p -o /dev/full",
            1,
            "No space left",
        ),
        ("$QM run log.tsv --k 2 --reserve 0 -o /dev/full", 1, "No space left"),
        ("$QM run missing -o out 2>/dev/full", 2, ""),
        ("$QM run log.tsv -o out --no-such 2>/dev/full", 2, ""),
        ("$QM run missing -o out 2>&-", 2, ""),
    ],
)
def test_a_stream_that_cannot_be_used_is_named(shell: Shell, command: str, code: int, says: str) -> None:
    done = shell(command)
    assert (done.returncode, says in done.stderr.decode()) == (code, True), done.stderr
    assert not done.stderr or len(done.stderr.splitlines()) == 1


def test_a_closed_stream_is_not_given_to_the_next_file_that_is_opened(shell: Shell) -> None:
    shell("$QM run log.tsv -o out --k 2 --reserve 0 --profiles p >&- 2>&- <&-")
    assert shell("$QM profiles export --profiles p").returncode == 0, "nothing was printed into the database"
    assert all(line.count(b"\t") == 4 for line in (shell.folder / "out").read_bytes().splitlines())


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_of_another_encoding_gets_plain_signs(shell: Shell, encoding: str) -> None:
    done = shell("$QM run log.tsv -o out --k 2 --reserve 0 --profiles p", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    shown = shell("$QM profiles show 1 --profiles p", PYTHONIOENCODING=encoding)
    assert (shown.returncode, b"#" in shown.stdout) == (0, True)
    for text in (done.stdout, shown.stdout):
        assert b"\\u" not in text
        text.decode("ascii")


def test_what_machines_read_is_utf_8_on_any_terminal(shell: Shell) -> None:
    shell.log.write_bytes(GOOD.replace(b"1\tsoccer", "J\u00f6\tsoccer".encode()))
    shell("$QM run log.tsv -o out --k 2 --reserve 0 --profiles p >s")
    done = shell("$QM profiles export --profiles p", PYTHONIOENCODING="ascii")
    assert "J\u00f6" in {json.loads(line)["user"] for line in done.stdout.splitlines()}
    one = shell("$QM profiles show J\u00f6 --profiles p --json", PYTHONIOENCODING="ascii")
    assert json.loads(one.stdout)["user"] == "J\u00f6"


@pytest.mark.parametrize("columns", ["0", "1", "7", "x"])
def test_a_terminal_of_any_width_is_enough(shell: Shell, columns: str) -> None:
    assert shell("$QM run log.tsv -o out --k 2 --reserve 0", COLUMNS=columns, FORCE_COLOR="1").returncode == 0


def test_a_reader_that_has_seen_enough_ends_the_command_quietly(shell: Shell) -> None:
    shell.log.write_bytes(GOOD * 3_000)
    done = shell("$QM run log.tsv -o - --k 2 --reserve 0 | head -1 >first; exit ${PIPESTATUS[0]}")
    assert done.returncode == 1
    assert b"Its reader has ended" in done.stderr


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("$QM run - -o log.tsv <log.tsv", "is also the input"),
        ("$QM run /dev/stdin -o log.tsv <log.tsv", "is also the input"),
        ("$QM run log.tsv -o - >>log.tsv", "is also the input"),
        ("$QM run log.tsv -o /dev/stdout >>log.tsv", "is also the input"),
        ("$QM run log.tsv -o out >>log.tsv", "standard output is also the input"),
        ("$QM classify <log.tsv >>log.tsv", "is also the input"),
        ("ln log.tsv hard; $QM run log.tsv -o hard", "is also the input"),
        ("ln -s log.tsv soft; $QM run soft -o log.tsv", "is also the input"),
        ("mv log.tsv out.refused; ln -s out.refused log.tsv; $QM run log.tsv -o out", "is also the input"),
        ("echo 'k = 2' >set; $QM run log.tsv -o set --settings set", "is also the settings file"),
        ("echo 'k = 2' >set; QUERYMIX_SETTINGS=set $QM run log.tsv -o out --refused set", "is also the settings file"),
        ("echo 0123456789abcdef >key; $QM run log.tsv -o key --pseudonym-key-file key", "is also the pseudonym key"),
        ("cp $QUERYMIX_KNOWLEDGE kb; $QM run log.tsv -o kb --knowledge kb", "is also the knowledge bundle"),
        ("$QM run log.tsv -o st/checkpoint.sqlite --checkpoint st", "is also the state"),
        ("$QM run log.tsv -o out --refused st/checkpoint.sqlite-wal --checkpoint st", "is also the state"),
        ("$QM run log.tsv -o out --profiles st/checkpoint.sqlite --checkpoint st", "is also the state"),
        ("$QM run log.tsv -o p-wal --profiles p", "is also the profiles"),
        ("$QM run log.tsv -o out >out", "is also standard output"),
    ],
)
def test_an_output_that_is_another_file_of_the_command_is_refused_and_nothing_is_lost(
    shell: Shell, command: str, says: str
) -> None:
    done = shell(command)
    assert (done.returncode, says in done.stderr.decode()) == (2, True), done.stderr
    assert (shell.folder / "log.tsv").read_bytes().startswith(GOOD)
    for name, content in (("set", b"k = 2\n"), ("key", b"0123456789abcdef\n")):
        path = shell.folder / name
        assert not path.exists() or path.read_bytes() == content


def test_an_export_of_profiles_into_themselves_is_refused(shell: Shell) -> None:
    shell("$QM run log.tsv -o out --k 2 --reserve 0 --profiles p >s")
    for name in ("p", "p-wal"):
        assert shell(f"$QM profiles export --profiles p -o {name}").returncode == 2
    assert shell("ln -s p soft; $QM profiles export --profiles p -o soft").returncode == 2
    assert shell("$QM profiles export --profiles p | wc -l").stdout.strip() == b"9"


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_each_name_of_standard_output_sends_the_summary_to_the_other_stream(shell: Shell, name: str) -> None:
    done = shell(f"echo before >o; $QM run log.tsv -o {name} --k 2 --reserve 0 --json >>o")
    assert done.returncode == 0
    lines = (shell.folder / "o").read_bytes().splitlines()
    assert lines[0] == b"before"
    assert len(lines) == 1 + json.loads(done.stderr)["released"]


def test_pipes_by_name_can_be_read_and_written(shell: Shell) -> None:
    done = shell("mkfifo in out; cat log.tsv >in & cat out >got & $QM run in -o out --k 2 --reserve 0 --json; wait")
    assert done.returncode == 0
    assert len((shell.folder / "got").read_bytes().splitlines()) == json.loads(done.stdout)["released"]


def test_a_run_beside_another_with_the_same_output_is_refused(shell: Shell) -> None:
    done = shell(
        "mkfifo in; exec 3<>in; $QM run - -o out --k 2 --reserve 0 <in >s & first=$!; cat log.tsv >&3;"
        "until [ -s out ]; do sleep 0.05; done;"
        "$QM run log.tsv -o out; echo $?; $QM run log.tsv -o o2 --refused out.refused; echo $?;"
        "kill -9 $first; exec 3>&-; wait $first; $QM run log.tsv -o out --k 2 --reserve 0 >s; echo $?"
    )
    assert done.stdout.split() == [b"2", b"2", b"0"], "a kill leaves no lock"
    assert done.stderr.count(b"another run is writing") == 2


def test_two_runs_may_add_to_the_same_profiles_at_once(shell: Shell) -> None:
    shell.log.write_bytes(GOOD * 300)
    done = shell(
        "for n in 1 2; do $QM run log.tsv -o out$n --k 2 --reserve 0 --click-wait 0 --profiles p --json >s$n & done; "
        "wait; wait; cat s1 s2 >s"
    )
    assert done.returncode == 0
    released = sum(json.loads((shell.folder / f"s{n}").read_text())["released"] for n in (1, 2))
    rows = shell("$QM profiles export --profiles p").stdout.splitlines()
    assert sum(json.loads(row)["total"] for row in rows) == released


@pytest.mark.parametrize("after", [0.25, 0.5, 1.0])
def test_an_interrupt_at_any_time_leaves_a_word_and_no_profile(shell: Shell, after: float) -> None:
    shell.log.write_bytes(GOOD * 5_000)
    process = subprocess.Popen(
        [
            sys.executable, "-m", "querymix", "run", "log.tsv", "-o", "out", "--k", "2", "--reserve", "0",
            "--profiles", "p",
        ],
        cwd=shell.folder, env=shell.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - has no threads
    )  # fmt: skip
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANGS)
    if process.returncode == 130:  # else it came before this program was begun, or after it had ended
        assert b"Traceback" not in err
        assert b"give the same command again" in err.splitlines()[-1]
        assert shell("[ ! -e p ] || $QM profiles export --profiles p").stdout == b""


def test_inputs_may_be_more_than_a_process_may_open(shell: Shell) -> None:
    (shell.folder / "d").mkdir()
    for number in range(100):
        line = f"{number % 9}\tsoccer\t2006-03-01 00:00:{number % 60:02d}\t\t\n"
        (shell.folder / "d" / f"{number:03d}.tsv").write_text(line)
    done = shell("ulimit -n 48; $QM run d/*.tsv -o out --k 2 --reserve 0 --json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["in"] == 100


def test_a_bad_one_among_many_inputs_is_told_before_anything_is_written(shell: Shell) -> None:
    for bad in ("missing", "folder", "office.xlsx"):
        (shell.folder / "folder").mkdir(exist_ok=True)
        (shell.folder / "office.xlsx").write_bytes(b"SQLite format 3\0" * 9)
        (shell.folder / "out").write_bytes(b"as it was")
        done = shell(f"$QM run log.tsv {bad} -o out")
        assert done.returncode == 2
        assert bad in done.stderr.decode()
        assert (shell.folder / "out").read_bytes() == b"as it was"


@pytest.mark.parametrize(("ignored", "code"), [(False, 130), (True, 0)])
def test_a_closed_terminal_ends_a_run_in_order_but_for_one_under_nohup(
    shell: Shell, ignored: bool, code: int
) -> None:  # fmt: skip
    how = signal.SIG_IGN if ignored else signal.SIG_DFL
    with subprocess.Popen(
        [
            sys.executable, "-m", "querymix", "run", "-", "-o", "-", "--k", "2", "--reserve", "0",
            "--click-wait", "0", "--json",
        ],
        cwd=shell.folder, env=shell.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, how),  # noqa: PLW1509 - has no threads
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(GOOD)
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        if ignored:
            process.stdin.write(GOOD)
            process.stdin.close()
        rest, err = process.stdout.read(), process.stderr.read()
        assert process.wait(timeout=HANGS) == code
        summary = json.loads(err)
        assert summary["in"] == 60 * (1 + ignored)
        assert summary["released"] == 1 + rest.count(b"\n")


@pytest.mark.parametrize(("more", "goes_on"), [("", "begins anew"), (" --checkpoint state", "goes on from here")])
def test_the_output_of_an_interrupted_run_is_called_partial(shell: Shell, more: str, goes_on: str) -> None:
    shell.log.write_bytes(GOOD * 20_000)
    command = f"$QM run log.tsv -o out --k 2 --reserve 0 --order input{more}"
    out = "out" if more else "out.partial"
    done = shell(f"{command} & p=$!; until [ -s {out} ]; do sleep 0.01; done; kill -TERM $p; wait $p")
    assert done.returncode == 130
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith(f"querymix: interrupted: {out} is partial")
    assert last.endswith(f"give the same command again: it {goes_on}.")
