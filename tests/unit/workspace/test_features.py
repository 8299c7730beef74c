"""Feature folders: only those that a pool names, live before archived, each document read when it changed."""

from __future__ import annotations

import pytest

from harness_tui.model.pool import PlanRow
from harness_tui.workspace.features import FeatureReader
from harness_tui.workspace.layout import Layout

GATE = "docs/features/press-cider/03_GATE_REVIEW.md"
OLD = "docs/features/_archived/pick-apples/07_DELIVERY.md"


def row(slug):
    return PlanRow("T-1", slug, "", "full", (), "", "pending", "pending", 1)


ROWS = ((row("press-cider"), row("pick-apples")),)


@pytest.fixture
def features(workspace):
    made = FeatureReader(Layout(workspace.root))
    made.refresh(ROWS, None, 0.0)
    return made


def everything(features, told=(), rows=ROWS):
    features.refresh(rows, None, 0.0, told=frozenset(map(str, told)))
    return features.features


def only(features, *paths, rows=ROWS):
    features.refresh(rows, frozenset(map(str, paths)), 0.0)
    return features.features


def test_live_and_archived_folders_of_named_slugs_are_read(workspace, features):
    workspace.write("docs/features/nobody/01_REQUIREMENT_ANALYSIS.md", "# unnamed")
    found = everything(features)
    assert set(found) == {"press-cider", "pick-apples"}
    assert (found["press-cider"].folder, found["press-cider"].archived) == ("docs/features/press-cider", False)
    assert (found["pick-apples"].folder, found["pick-apples"].archived) == ("docs/features/_archived/pick-apples", True)
    assert [document.stage for document in found["press-cider"].documents] == [1, 3]
    assert found["pick-apples"].delivery.rollbacks == 1


def test_nothing_new_is_the_same_mapping(features):
    before = features.features
    assert everything(features) is before
    assert only(features) is before


def test_a_known_document_is_read_again_and_only_its_feature_is_new(workspace, features):
    before = features.features
    workspace.write(GATE, "# G\n\n## Verdict\n\nREJECTED\n")
    assert features.knows(str(workspace / GATE))
    assert features.changed_slugs([str(workspace / GATE), "elsewhere"]) == {"press-cider"}
    after = only(features, workspace / GATE)
    assert after["press-cider"] is not before["press-cider"]
    assert after["pick-apples"] is before["pick-apples"]


def test_a_slug_that_a_pool_names_from_now_on_is_read(workspace, features):
    workspace.write("docs/features/nobody/01_REQUIREMENT_ANALYSIS.md", "# now named")
    everything(features)
    found = only(features, rows=(*ROWS, (row("nobody"),)))
    assert found["nobody"].documents[0].stage == 1


def test_a_slug_that_no_pool_names_any_more_is_let_go(workspace, features):
    found = only(features, rows=((row("pick-apples"),),))
    assert set(found) == {"pick-apples"}
    assert not features.knows(str(workspace / GATE))


def test_an_event_for_a_document_whose_folder_is_gone_is_no_error(workspace, features):
    import shutil

    shutil.rmtree(workspace / "docs/features/press-cider")
    assert set(everything(features)) == {"pick-apples"}
    assert set(only(features, workspace / GATE)) == {"pick-apples"}


def test_an_archived_document_is_looked_at_when_it_is_told(workspace, features):
    workspace.write(OLD, "# D\n\n- Rollbacks: 4\n\n## Verdict\n\nDELIVERED\n")
    assert everything(features)["pick-apples"].delivery.rollbacks in (1, 4)
    assert everything(features, told=[workspace / OLD])["pick-apples"].delivery.rollbacks == 4


def test_a_document_that_comes_to_an_archive_is_seen_untold(workspace, features):
    workspace.write("docs/features/_archived/pick-apples/03_GATE_REVIEW.md", "# G\n\n## Verdict\n\nAPPROVED\n")
    assert [document.stage for document in everything(features)["pick-apples"].documents] == [3, 7]


def test_archived_documents_are_looked_at_now_and_then(workspace, features):
    workspace.replace(OLD, "# D\n\n- Rollbacks: 4\n\n## Verdict\n\nDELIVERED\n")
    for _ in range(15):
        found = everything(features)
    assert found["pick-apples"].delivery.rollbacks == 4


def test_a_thousand_archived_folders_cost_no_reading(workspace, features, monkeypatch):
    names = [f"old-{number}" for number in range(50)]
    for name in names:
        workspace.write(f"docs/features/_archived/{name}/07_DELIVERY.md", "# D\n\n## Verdict\n\nDELIVERED\n")
    rows = (tuple(map(row, names)),)
    everything(features, rows=rows)
    opened = []
    monkeypatch.setattr("harness_tui.workspace.cache.read_file", lambda path, **_: opened.append(path) or b"")
    monkeypatch.setattr("harness_tui.workspace.signature.CLOCK_STEP", 0)
    for _ in range(5):
        everything(features, rows=rows)
    assert len([path for path in opened if path]) <= len(names)  # once more at most: they were only just written


def test_problems_of_documents_and_of_what_cannot_be_read(workspace, features):
    path = workspace / "docs/features/press-cider/06_TEST_REPORT.md"
    with path.open("wb") as file:
        file.truncate((32 << 20) + 1)
    everything(features)
    assert [(p.path, p.code) for p in features.problems if p.code == "unreadable"] == [
        ("docs/features/press-cider/06_TEST_REPORT.md", "unreadable")
    ]
    path.unlink()
    everything(features)
    assert [p for p in features.problems if p.code == "unreadable"] == []


def test_problems_come_in_the_order_of_the_slugs_however_they_came_in(workspace):
    slugs = [f"tree-{number:02d}" for number in range(12)]
    for slug in slugs:
        workspace.write(f"docs/features/{slug}/05_CODE_REVIEW.md", "## Verdict\n\nREWORK\n\n## Verdict\n\nAPPROVED\n")
    whole, late = (FeatureReader(Layout(workspace.root)) for _ in range(2))
    rows = tuple(row(slug) for slug in slugs)
    whole.refresh((rows,), None, 0.0)
    late.refresh((rows[6:],), None, 0.0)
    late.refresh((rows,), frozenset(), 0.0)
    named = [problem.path.split("/")[2] for problem in whole.problems]
    assert len(set(named)) == len(slugs)
    assert named == sorted(named)
    assert late.problems == whole.problems
