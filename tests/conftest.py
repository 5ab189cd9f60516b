"""Settings for all tests: the same examples on every machine, and the tests' helpers importable."""

import atexit
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cluedo.language import speak

# Whatever language the developer speaks, the faces speak English here unless a test says otherwise.
os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"

# What is begun in the background ignores Ctrl-C; the tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

sys.path.insert(0, str(Path(__file__).parent))

from helpers.chunk_work import script  # noqa: F401 - fixtures for all
from helpers.command_line import cluedo, eager_workers  # noqa: F401
from helpers.tmux_pane import pane  # noqa: F401

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


@pytest.hookimpl(optionalhook=True)  # `make bench` does without pytest-xdist
def pytest_xdist_auto_num_workers(config):
    """Two workers more than cores for the slow tests, which wait more than they compute; the usual number else."""
    return (os.cpu_count() or 1) + 2 if config.option.markexpr == "slow" else None


@pytest.fixture(autouse=True)
def _english():
    """Whatever language the test before has left the process speaking."""
    speak("en")
