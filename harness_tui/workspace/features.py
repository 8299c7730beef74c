"""Reads the feature folders of the slugs that some pool names."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from harness_tui.formats.delivery import parse_delivery
from harness_tui.formats.document import parse_document, stage_of
from harness_tui.model.differing import differing
from harness_tui.model.feature import Feature
from harness_tui.model.frozen import frozen
from harness_tui.workspace.cache import Cache, Reading
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness_tui.model.document import Delivery, StageDoc
    from harness_tui.model.pool import PlanRow
    from harness_tui.model.problem import Problem
    from harness_tui.workspace.layout import FeatureFolder, Layout
    from harness_tui.workspace.listing import Entry
    from harness_tui.workspace.signature import Signature

DELIVERY_STAGE = 7
_ARCHIVE_EVERY = 15  # passes: what is archived hardly ever changes, and there may be a thousand of them


@frozen
class _Listing:
    """Documents of a folder, as they were listed when the folder had this signature."""

    signature: Signature | None
    entries: list[Entry]


class FeatureReader:
    """Feature folders by slug. `features` is the same mapping as before as long as nothing in it changed."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._documents: Cache[StageDoc] = Cache(layout.root, self._parse_document)
        self._deliveries: Cache[Delivery] = Cache(layout.root, parse_delivery)
        self._folders: Mapping[str, FeatureFolder] = {}
        self._listings: dict[Path, _Listing] = {}
        self._slug_of: dict[str, str] = {}
        self._rows: tuple[tuple[PlanRow, ...], ...] = ()
        self._slugs: frozenset[str] = frozenset()
        self._told: frozenset[str] = frozenset()
        self._passes = 0
        self.features: Mapping[str, Feature] = {}

    def knows(self, path: str) -> bool:
        """Whether `path` is a document that has been read."""
        return path in self._slug_of

    def changed_slugs(self, paths: Iterable[str]) -> frozenset[str]:
        """The slugs whose documents are among `paths`."""
        return frozenset(self._slug_of[path] for path in paths if path in self._slug_of)

    def refresh(
        self,
        rows: Sequence[tuple[PlanRow, ...]],
        dirty: frozenset[str] | None,
        clock: float,
        *,
        told: frozenset[str] = frozenset(),
    ) -> None:
        """Read again what may have changed: everything, or with `dirty` only those documents.

        `told` are paths of which it was heard that they changed: in an archived folder nothing else is looked at in
        each pass.
        """
        self._told = told.union(os.path.dirname(path) for path in told)  # noqa: PTH120 - these are texts
        before = self._slugs
        if not _same_slugs(self._rows, rows):
            self._slugs = frozenset(row.slug for pool in rows for row in pool)
        self._rows = tuple(rows)
        if dirty is None:
            self._folders = self._layout.features()
            self._passes += 1
            again = {slug for slug in self._folders if slug in self._slugs}
        else:
            added = self._slugs - before if self._slugs is not before else frozenset()
            again = {
                slug for slug in self.changed_slugs(dirty) | added if slug in self._slugs and slug in self._folders
            }
        found = dict(self.features)
        for slug in again:
            found[slug] = self._feature(self._folders[slug], dirty, clock)
        for slug in [slug for slug in found if slug not in self._slugs or slug not in self._folders]:
            del found[slug]
        if dirty is None or len(found) != len(self.features):
            self._forget(found)
        if len(found) != len(self.features) or any(self.features.get(slug) is not item for slug, item in found.items()):
            self.features = found

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Documents that can't be read, by path, and what the others report, by slug: the same order in each run."""
        unread = (*self._documents.stale_problems(), *self._deliveries.stale_problems())
        found = sorted(unread, key=lambda problem: problem.path)
        for _, feature in sorted(self.features.items()):
            found += [problem for document in feature.documents for problem in document.problems]
            if feature.delivery is not None:
                found += feature.delivery.problems
        return tuple(found)

    def _feature(self, folder: FeatureFolder, dirty: frozenset[str] | None, clock: float) -> Feature:
        live = self._readings(folder.slug, folder.live, dirty, clock)
        archived = self._readings(folder.slug, folder.archived, dirty, clock, seldom=True)
        names = {path.name for path, _ in live}
        documents = [reading for _, reading in live]
        documents += [reading for path, reading in archived if path.name not in names]
        delivery, newer = self._delivery(live, clock), any(reading.value.stage for _, reading in live)
        superseded = delivery is None and newer
        delivery = delivery or self._delivery(archived, clock)
        home = folder.live or folder.archived
        changed = [reading.signature.mtime_ns for reading in documents if reading.signature is not None]
        feature = Feature(
            slug=folder.slug,
            folder=self._layout.rel(home) if home is not None else "",
            archived=folder.live is None,
            documents=tuple(reading.value for reading in documents),
            delivery=delivery,
            superseded=superseded and delivery is not None,
            modified_at=datetime.fromtimestamp(max(changed) / 1e9, UTC) if changed else None,
        )
        known = self.features.get(folder.slug)
        return known if known == feature else feature

    def _readings(
        self, slug: str, folder: Path | None, dirty: frozenset[str] | None, clock: float, *, seldom: bool = False
    ) -> list[tuple[Path, Reading[StageDoc]]]:
        if folder is None:
            return []
        listing = self._listings.get(folder)
        rest = (
            seldom and dirty is None and listing is not None and self._passes % _ARCHIVE_EVERY != 0
            and str(folder) not in self._told and signature(folder) == listing.signature
        )  # fmt: skip
        if listing is None or (dirty is None and not rest):
            listing = self._list(folder)
        found: list[tuple[Path, Reading[StageDoc]]] = []
        for entry in listing.entries:
            path = entry.path
            look = path in dirty if dirty is not None else not rest
            reading = self._documents.get(path, self._layout.rel(path), look=look, clock=clock)
            if reading is not None:
                self._slug_of[path] = slug
                found.append((Path(path), reading))
        return found

    def _delivery(self, readings: Sequence[tuple[Path, Reading[StageDoc]]], clock: float) -> Delivery | None:
        for path, reading in readings:
            if reading.value.stage == DELIVERY_STAGE:
                found = self._deliveries.get(str(path), reading.value.path, look=True, clock=clock)
                if found is not None:
                    return found.value
        return None

    def _list(self, folder: Path) -> _Listing:
        before = self._listings.get(folder)
        now = _Listing(signature(folder), self._layout.documents(folder))
        self._listings[folder] = now
        if before is not None and before.entries != now.entries:
            self._drop(set(before.entries) - set(now.entries))
        return now

    def _forget(self, found: Mapping[str, Feature]) -> None:
        """Let go of folders that are gone, or that no pool names any more."""
        homes = {home for slug in found for home in (self._folders[slug].live, self._folders[slug].archived)}
        for folder in [folder for folder in self._listings if folder not in homes]:
            self._drop(self._listings.pop(folder).entries)

    def _drop(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            path = entry.path
            self._slug_of.pop(path, None)
            self._documents.drop(path)
            self._deliveries.drop(path)

    @staticmethod
    def _parse_document(data: bytes, name: str) -> StageDoc:
        return parse_document(data, name, stage_of(name.rsplit("/", 1)[-1]))


def _same_slugs(old: Sequence[tuple[PlanRow, ...]], new: Sequence[tuple[PlanRow, ...]]) -> bool:
    """Whether the same slugs stand in the same places; looks only at rows that were read anew."""
    if [len(rows) for rows in old] != [len(rows) for rows in new]:
        return False
    return all(a[place].slug == b[place].slug for a, b in zip(old, new, strict=True) for place in differing(a, b))
