"""`python -m harness_tui` is the same program as `harness-tui`."""

import sys

from harness_tui.cli.main import main

sys.exit(main())
