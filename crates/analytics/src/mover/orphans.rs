//! Journals of processes that ended before all was moved: what they hold is moved, then they are removed. One that
//! cannot be moved now waits, and holds up nobody.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use toolgate_storage::{Calls, JournalId};

use super::source::{self, MoveError, Source};
use crate::journal::{self, Contents, Loaded, Orphan, Room, Segments};

/// How often to look for them: a process that shares the folder may end at any time.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// When to try again after a failure.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Damaged files take at most such a part of the journals' room.
const ASIDE: u64 = 4;

/// The journals that were found.
pub(super) struct Orphans {
    journals: PathBuf,
    own: JournalId,
    /// Oldest first.
    held: Vec<Held>,
    /// Names of those that are not ours to move; each was told of once.
    left_alone: HashSet<String>,
    next_look: Instant,
}

/// One that is being moved.
struct Held {
    orphan: Orphan,
    /// None until the database was asked about it.
    loaded: Option<(Source, Arc<Segments>, u64)>,
    retry_at: Option<Instant>,
}

/// What a step came to.
enum Step {
    Loaded,
    Moved,
    Gone,
    LeftAlone(&'static str),
}

impl Orphans {
    pub(super) fn new(journals: PathBuf, own: JournalId) -> Self {
        Self { journals, own, held: Vec::new(), left_alone: HashSet::new(), next_look: Instant::now() }
    }

    /// When there is something to do next.
    pub(super) fn next_step(&self) -> Instant {
        self.held.iter().filter_map(|held| held.retry_at).fold(self.next_look, Instant::min)
    }

    /// Looks into one of them or, once that is done with all, moves a batch of one; says whether another step may move
    /// more. What is not moved yet takes of the journals' room, so it has to be known.
    pub(super) async fn step(&mut self, storage: &Arc<dyn Calls>, room: &Arc<Room>) -> bool {
        let now = Instant::now();
        if now >= self.next_look {
            self.look();
        }
        let is_due = |held: &Held| held.retry_at.is_none_or(|at| at <= now);
        let is_new = |held: &Held| held.loaded.is_none() && is_due(held);
        let next = self.held.iter().position(is_new).or_else(|| self.held.iter().position(is_due));
        let Some(index) = next else { return false };
        let Some(held) = self.held.get_mut(index) else { return false };
        match held.step(&**storage, room).await {
            Ok(Step::Loaded | Step::Moved) => held.retry_at = None,
            Ok(Step::Gone) => drop(self.held.remove(index)),
            Ok(Step::LeftAlone(why)) => self.leave_alone(index, why),
            Err(error) => held.failed(&error),
        }
        true
    }

    fn look(&mut self) {
        self.next_look = Instant::now() + LOOK_EVERY;
        let is_known = |name: &str| {
            name == self.own.0
                || self.left_alone.contains(name)
                || self.held.iter().any(|held| held.orphan.id.0 == name)
        };
        match journal::orphans(&self.journals, is_known) {
            Ok(found) => {
                self.held.extend(found.into_iter().map(|orphan| Held { orphan, loaded: None, retry_at: None }));
                self.held.sort_by_key(|held| held.orphan.written);
            }
            Err(error) => tracing::warn!(%error, "cannot look for journals of calls of earlier starts"),
        }
    }

    fn leave_alone(&mut self, index: usize, why: &str) {
        let orphan = self.held.remove(index).orphan;
        tracing::warn!(folder = %orphan.folder.display(), "a journal of calls is left alone: {why}");
        self.left_alone.insert(orphan.id.0);
    }
}

impl Held {
    async fn step(&mut self, storage: &dyn Calls, room: &Arc<Room>) -> Result<Step, MoveError> {
        let Some((source, segments, end)) = &mut self.loaded else { return self.load(storage, room).await };
        let end = *end;
        let read = Arc::clone(segments);
        let moved = source.step(storage, move || Contents::of(&read, end)).await?;
        if moved.lost > 0 {
            room.log_loss(moved.lost, "a journal of an earlier start does not have them, or not as they were");
        }
        if moved.more {
            return Ok(Step::Moved);
        }
        source::remove(storage, segments).await?;
        room.remove(segments);
        Ok(Step::Gone)
    }

    /// Looks at what is there.
    async fn load(&mut self, storage: &dyn Calls, room: &Arc<Room>) -> Result<Step, MoveError> {
        let Orphan { id, folder, written, .. } = &self.orphan;
        let position = source::in_time(storage.journal_position(id)).await?;
        let (closed, end) = match (journal::load(folder)?, position) {
            (Loaded::Newer, _) => return Ok(Step::LeftAlone("a newer version of this program wrote it")),
            (Loaded::Segments(..), None) => {
                return Ok(Step::LeftAlone("it belongs to another database; remove it if that is gone"));
            }
            (Loaded::Segments(closed, end, damaged), Some(_)) => {
                journal::set_aside(folder, &damaged, room.max() / ASIDE);
                (closed, end)
            }
            (Loaded::Empty, _) => (Vec::new(), 0),
        };
        let segments = Arc::new(Segments::new(id.clone(), folder.clone(), closed, position.unwrap_or(0)));
        room.add(Arc::clone(&segments), end, *written);
        self.loaded = Some((Source::new(Arc::clone(&segments)), segments, end));
        Ok(Step::Loaded)
    }

    fn failed(&mut self, error: &MoveError) {
        if self.retry_at.is_none() {
            tracing::warn!(error = ?error, folder = %self.orphan.folder.display(), "a journal of calls cannot be moved for now");
        }
        self.retry_at = Some(Instant::now() + RETRY_AFTER);
    }
}
