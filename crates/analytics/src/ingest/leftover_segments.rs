//! Ingests the segments that processes left behind when they ended, then removes their journals. A journal that cannot
//! be ingested is retried later and does not block others.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use toolgate_storage::{CallStore, JournalId};

use super::source::{self, IngestError, JournalGroup};
use crate::ingest_counters::IngestCounters;
use crate::journal::{self, ClosedSegments, DiskBudget, FoundJournals, LeftoverJournal, LoadedJournal, SegmentList};

/// How often to scan for leftover journals: a process that shares the folder may end at any time.
const SCAN_INTERVAL: Duration = Duration::from_secs(30);
/// Delay before the next attempt after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// Quarantined files use at most this fraction (1/n) of the disk budget.
const QUARANTINE_DIVISOR: u64 = 4;

/// The leftover journals of a folder.
pub(super) struct LeftoverSegments {
    /// The folder of all journals.
    journals: PathBuf,
    /// The journals of this process, which are not leftover ones.
    own_ids: Vec<JournalId>,
    /// Oldest first.
    pending: Vec<PendingJournal>,
    /// Names of journals that this process must not ingest; each was logged once.
    skipped: HashSet<String>,
    /// Names of journals that could not be accessed when they were last found; each was logged once.
    inaccessible: HashSet<String>,
    next_scan: Instant,
    counters: Arc<IngestCounters>,
}

/// A leftover journal that is being ingested.
struct PendingJournal {
    journal: LeftoverJournal,
    /// `None` until its files and its position in the database are read.
    loaded: Option<LoadedSegments>,
    retry_at: Option<Instant>,
}

/// The files of a leftover journal.
struct LoadedSegments {
    segments: Arc<ClosedSegments>,
    /// Number of the record after the last one.
    end: u64,
    /// A group with only this journal: one that fails must not block the others.
    group: JournalGroup,
}

/// What a step did.
enum LeftoverStep {
    Loaded,
    Ingested,
    Removed,
    Skipped(&'static str),
}

impl LeftoverSegments {
    pub(super) fn new(journals: PathBuf, own_ids: Vec<JournalId>, counters: Arc<IngestCounters>) -> Self {
        let (pending, skipped, inaccessible) = (Vec::new(), HashSet::new(), HashSet::new());
        Self { journals, own_ids, pending, skipped, inaccessible, next_scan: Instant::now(), counters }
    }

    /// When the next step is due.
    pub(super) fn next_wakeup(&self) -> Instant {
        self.pending.iter().filter_map(|pending| pending.retry_at).fold(self.next_scan, Instant::min)
    }

    /// Loads one journal or, if all are loaded, ingests a batch of one journal. Returns whether the next step can run
    /// without waiting.
    pub(super) async fn step(&mut self, storage: &Arc<dyn CallStore>, disk_budget: &Arc<DiskBudget>) -> bool {
        let now = Instant::now();
        if now >= self.next_scan {
            self.scan();
        }
        let is_due = |pending: &PendingJournal| pending.retry_at.is_none_or(|at| at <= now);
        let is_new = |pending: &PendingJournal| pending.loaded.is_none() && is_due(pending);
        // All journals are loaded first, so that all of them count against the disk budget.
        let next = self.pending.iter().position(is_new).or_else(|| self.pending.iter().position(is_due));
        let Some(index) = next else { return false };
        let Some(pending) = self.pending.get_mut(index) else { return false };
        match pending.step(&**storage, disk_budget, &self.counters).await {
            Ok(LeftoverStep::Loaded | LeftoverStep::Ingested) => pending.retry_at = None,
            Ok(LeftoverStep::Removed) => drop(self.pending.remove(index)),
            Ok(LeftoverStep::Skipped(reason)) => self.skip(index, reason),
            Err(error) => {
                self.counters.count_failure();
                pending.record_failure(&error);
            }
        }
        true
    }

    fn scan(&mut self) {
        self.next_scan = Instant::now() + SCAN_INTERVAL;
        let is_known = |name: &str| {
            self.own_ids.iter().any(|id| id.0 == name)
                || self.skipped.contains(name)
                || self.pending.iter().any(|pending| pending.journal.id.0 == name)
        };
        match journal::find_leftover_journals(&self.journals, is_known) {
            Ok(FoundJournals { leftovers, inaccessible }) => {
                let pending =
                    leftovers.into_iter().map(|journal| PendingJournal { journal, loaded: None, retry_at: None });
                self.pending.extend(pending);
                self.pending.sort_by_key(|pending| pending.journal.modified_at);
                self.report_inaccessible(inaccessible);
            }
            Err(error) => tracing::warn!(%error, "cannot scan for call journals of earlier starts"),
        }
    }

    /// Counts journals that cannot be accessed as failures at each scan, and logs each of them once.
    fn report_inaccessible(&mut self, found: Vec<(String, io::Error)>) {
        self.inaccessible.retain(|name| found.iter().any(|(found, _)| found == name));
        for (name, error) in found {
            self.counters.count_failure();
            if self.inaccessible.insert(name.clone()) {
                let folder = self.journals.join(name);
                tracing::warn!(
                    folder = %folder.display(), %error,
                    "cannot access a call journal of an earlier start, which is retried; check that its files belong \
                     to the user of the service"
                );
            }
        }
    }

    fn skip(&mut self, index: usize, reason: &str) {
        let journal = self.pending.remove(index).journal;
        tracing::warn!(folder = %journal.folder.display(), "a call journal is not ingested: {reason}");
        self.skipped.insert(journal.id.0);
    }
}

impl PendingJournal {
    async fn step(
        &mut self,
        storage: &dyn CallStore,
        disk_budget: &Arc<DiskBudget>,
        counters: &IngestCounters,
    ) -> Result<LeftoverStep, IngestError> {
        let Some(LoadedSegments { segments, end, group }) = &mut self.loaded else {
            return self.load(storage, disk_budget).await;
        };
        let list = || vec![SegmentList::from_closed(segments, *end)];
        let outcome = group.step(storage, list).await?;
        if let Some(calls) = outcome.ingested {
            counters.count_batch(calls.count, calls.oldest);
        }
        // The loss of dropped records is logged when their file is dropped.
        let not_logged = outcome.lost - segments.take_dropped_records(outcome.lost);
        if not_logged > 0 {
            disk_budget.log_loss(not_logged, "a journal of an earlier start is incomplete or damaged");
        }
        if let Some(error) = outcome.read_error {
            return Err(error.into());
        }
        if outcome.has_more {
            return Ok(LeftoverStep::Ingested);
        }
        source::remove_journal(storage, segments).await?;
        disk_budget.remove_leftover(segments);
        Ok(LeftoverStep::Removed)
    }

    /// Reads the position in the database and the files of the journal.
    async fn load(
        &mut self,
        storage: &dyn CallStore,
        disk_budget: &Arc<DiskBudget>,
    ) -> Result<LeftoverStep, IngestError> {
        let LeftoverJournal { id, folder, .. } = &self.journal;
        let position = source::with_timeout(storage.journal_position(id)).await?;
        let (closed, end) = match (journal::load(folder)?, position) {
            (LoadedJournal::NewerVersion, _) => {
                return Ok(LeftoverStep::Skipped("it was written by a newer version of Toolgate"));
            }
            (LoadedJournal::Readable(..), None) => {
                return Ok(LeftoverStep::Skipped(
                    "it belongs to another database; remove it if that database no longer exists",
                ));
            }
            (LoadedJournal::Readable(closed, end, damaged), Some(_)) => {
                journal::quarantine_files(folder, &damaged, disk_budget.max_bytes / QUARANTINE_DIVISOR);
                (closed, end)
            }
            (LoadedJournal::Empty, _) => (Vec::new(), 0),
        };
        let segments = Arc::new(ClosedSegments::new(id.clone(), folder.clone(), closed, position.unwrap_or(0)));
        disk_budget.add_leftover(Arc::clone(&segments), end);
        let group = JournalGroup::new(std::iter::once(Arc::clone(&segments)));
        self.loaded = Some(LoadedSegments { segments, end, group });
        Ok(LeftoverStep::Loaded)
    }

    fn record_failure(&mut self, error: &IngestError) {
        if self.retry_at.is_none() {
            let folder = self.journal.folder.display();
            tracing::warn!(error = ?error, %folder, "cannot ingest a call journal; retrying");
        }
        self.retry_at = Some(Instant::now() + RETRY_DELAY);
    }
}
