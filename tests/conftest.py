"""Settings for all tests: the same examples on every machine, and the tests' helpers importable."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from cluedo.language import speak

# Whatever language the developer speaks, the faces speak English here unless a test says otherwise.
os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"

# Bots are started as `python bot.py`, which is this Python: many systems have `python3` alone.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

# What is begun in the background ignores Ctrl-C; the tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

sys.path.insert(0, str(Path(__file__).parents[1]))  # where research/ is
sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("helpers")  # a failure in there shows the values, too

from helpers.chunk_work import script  # noqa: E402, F401 - fixtures for all
from helpers.command_line import cluedo, eager_workers  # noqa: E402, F401
from helpers.reports import no_pictures  # noqa: E402, F401
from helpers.tmux_pane import pane  # noqa: E402, F401

# All that is imported makes a search for cycles long; as many searches as usual take a fifth of the tests' time.
gc.set_threshold(50_000, 20, 50)

settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("steady")

# Games that nobody names a file for are kept in the user's folder; the tests have one of their own.
STATE = tempfile.mkdtemp(prefix="cluedo-tests-")
os.environ["XDG_STATE_HOME"] = STATE
atexit.register(shutil.rmtree, STATE, ignore_errors=True)


FIRST = (
    "test_clusters.py", "test_language.py", "test_hostile_bots.py", "test_table_browser.py", "test_play_screen.py",
    "test_table_layout_browser.py", "test_table_people_browser.py",
    "test_honesty.py", "test_laboratory.py", "test_accuse_or_wait.py", "test_programs.py", "test_replay_screen.py",
    "test_ratings.py", "test_bot_command.py", "test_posterior.py", "test_same_games.py", "test_no_leak.py",
    "test_kills.py", "test_backends.py", "test_results.py", "test_review.py", "test_packages.py", "test_ownership.py",
    "test_playouts.py", "test_assist_screen.py", "test_pages_in_browser.py", "test_report.py",
    "test_model_knowledge.py", "test_mcp_server.py", "test_language_models.py",
)  # fmt: skip
"""The files whose tests take longest, those that wait beside those that compute."""


def of_slow_tests(config):
    """Whether the slow tests alone are run."""
    return config.option.markexpr == "slow"


@pytest.hookimpl(optionalhook=True)  # one may do without pytest-xdist
def pytest_xdist_auto_num_workers(config):
    """Three workers more than cores for the slow tests, which wait more than they compute; the usual number else."""
    return (os.cpu_count() or 1) + 3 if of_slow_tests(config) else None


def pytest_ignore_collect(collection_path, config):
    """Each worker would import all tests only to find that most have no slow one."""
    if of_slow_tests(config) and collection_path.name.startswith("test_"):
        return "mark.slow" not in collection_path.read_text(encoding="utf-8") or None
    return None


def pytest_collection_modifyitems(items):
    """No long file comes last, when it would run alone."""
    rank = {name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(FIRST)))


@pytest.fixture(autouse=True)
def _english():
    """Whatever language a test leaves the process speaking, the next one, and what files share, is in English."""
    yield
    speak("en")


@pytest.fixture(autouse=True)
def _no_secret_seeds(monkeypatch):
    """A game without a given seed is the same in every run: in some a level solves the case before others play."""
    monkeypatch.setattr("secrets.randbits", Random(1).getrandbits)
