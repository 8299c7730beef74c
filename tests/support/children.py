"""Running a module of `support` as a small process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path


def run(module, *arguments):
    """What it prints as JSON."""
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env=environment, capture_output=True, timeout=110, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()[-3000:]
    return json.loads(done.stdout)
