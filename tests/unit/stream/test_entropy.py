"""Deliveries are counted, and when a stream has drained a sweep is asked for, read and reported."""

from __future__ import annotations

from support.runs import Mill, Script

from harness_tui.stream.entropy import STATE


def sweep(assignment, *, root, **_):
    folder = root / "docs/features/_supervision"
    folder.mkdir(parents=True)
    (folder / "sweep.md").write_text("# Sweep\n\nfound things\n\nEntropy-verdict: FINDINGS-PRESENT\n\n")


def test_a_drain_with_deliveries_ends_with_a_sweep(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    (tmp_path / STATE).write_text("last_sweep=\nkept=yes\ndelivered_since_sweep=3\n")
    end = mill.run(Script({"T-02": "failed", "entropy-watch": sweep}))
    assert mill.worker.ids == ["T-01", "T-02", "entropy-watch"]
    assert "last 4 deliveries" in mill.worker.seen[-1].goal
    assert end.digest == "Entropy-verdict: FINDINGS-PRESENT (docs/features/_supervision/sweep.md)"
    text = mill.report.read_text("utf-8")
    assert text.index("## Needs your input") < text.index("## Entropy watch") < text.index("## Tasks")
    count, last, kept = (tmp_path / STATE).read_text().split("\n")[:3]
    assert (count, kept) == ("delivered_since_sweep=0", "kept=yes")
    assert last.startswith("last_sweep=20")
    assert end.code == 1


def test_without_a_verdict_the_count_goes_on(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    (tmp_path / STATE).write_text("delivered_since_sweep=0\nlast_sweep=\n")
    end = mill.run()
    assert (mill.worker.ids, end.code, end.digest) == (["T-01", "entropy-watch"], 0, "")
    assert "delivered_since_sweep=1" in (tmp_path / STATE).read_text()


def test_a_stopped_run_and_a_workspace_that_keeps_no_count_sweep_nothing(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.run()
    assert mill.worker.ids == ["T-01"]
    assert not (tmp_path / STATE).exists()
    (tmp_path / STATE).write_text("delivered_since_sweep=9\n")
    mill.send("STOP\n")
    mill.run()
    assert mill.worker.ids == []


def test_a_damaged_count_is_not_due(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "failed"))
    (tmp_path / STATE).write_bytes(b"delivered_since_sweep=many\n\xff\n")
    mill.run(retry=False)
    assert mill.worker.ids == []
