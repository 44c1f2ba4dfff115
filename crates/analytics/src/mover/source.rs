//! One journal on its way into the database: its position there, and where reading stopped.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::error::Elapsed;
use tokio::time::timeout;
use toolgate_storage::{CallBatch, Calls, JournalId, StorageError};

use crate::journal::{self, Batch, Contents, Cursor, Segments};

/// How long the database may take for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why nothing was moved.
#[derive(Debug, thiserror::Error)]
pub(super) enum MoveError {
    /// The database does not know the journal.
    #[error("the database does not know the journal")]
    Unknown,
    /// The database refused, or is away.
    #[error(transparent)]
    Storage(StorageError),
    /// The database does not say anything: its connection may be gone without a word.
    #[error("the database does not answer")]
    Silent(#[from] Elapsed),
    /// The journal cannot be read.
    #[error("the journal cannot be read: {0}")]
    Read(#[from] io::Error),
}

impl From<StorageError> for MoveError {
    fn from(error: StorageError) -> Self {
        if matches!(error, StorageError::NotFound(_)) { Self::Unknown } else { Self::Storage(error) }
    }
}

/// What a step moved.
#[derive(Default)]
pub(super) struct Moved {
    /// Whether there was more when it was read.
    pub(super) more: bool,
    /// Records that had to be given up.
    pub(super) lost: u64,
    /// How many of them because files are not what they were, of which nobody knew before.
    pub(super) damaged: u64,
}

/// A journal that is being moved.
pub(super) struct Source {
    segments: Arc<Segments>,
    cursor: Option<Cursor>,
    /// Whether the database's position is the one we know: not after a failure, for the batch may be there all the same.
    is_sure: bool,
}

impl Source {
    /// A journal whose position is known.
    pub(super) fn new(segments: Arc<Segments>) -> Self {
        Self { segments, cursor: None, is_sure: true }
    }

    pub(super) fn id(&self) -> &JournalId {
        self.segments.id()
    }

    /// The database knows the journal again.
    pub(super) fn is_known(&mut self) {
        self.is_sure = true;
    }

    /// Moves a batch of what the journal holds.
    pub(super) async fn step(
        &mut self,
        storage: &dyn Calls,
        contents: impl FnOnce() -> Contents,
    ) -> Result<Moved, MoveError> {
        if !self.is_sure {
            let position = in_time(storage.journal_position(self.id())).await?.ok_or(MoveError::Unknown)?;
            self.segments.advance(position);
            self.is_sure = true;
        }
        let contents = contents();
        let end = contents.end();
        let Some(batch) = self.read(&contents)? else { return Ok(Moved::default()) };
        for damage in &batch.damage {
            self.segments.mark_damaged(damage.file);
        }
        self.is_sure = false;
        let Batch { first, through, lost, cursor, .. } = batch;
        let unheard = batch.damage.iter().filter(|damage| !self.segments.has_dropped(damage.file));
        let damaged = unheard.map(|damage| damage.lost).sum();
        let calls = Box::new(batch.calls());
        in_time(storage.move_calls(CallBatch { journal: self.id(), first, calls, through, lost })).await?;
        self.is_sure = true;
        self.cursor = cursor;
        self.segments.advance(through);
        Ok(Moved { more: through + 1 < end, lost, damaged })
    }

    fn read(&self, contents: &Contents) -> io::Result<Option<Batch>> {
        let moved = self.segments.moved();
        if contents.end() <= moved + 1 {
            return Ok(None);
        }
        journal::read(self.segments.folder(), contents, moved, self.cursor)
    }
}

/// What the database answers, if it does so in time.
pub(super) async fn in_time<T>(answer: impl Future<Output = toolgate_storage::Result<T>>) -> Result<T, MoveError> {
    Ok(timeout(PATIENCE, answer).await??)
}

/// Removes a journal of which all has been moved: files first, for files that the database does not know would stay
/// for ever; the folder last, so that whatever fails is made up for by whoever finds it.
pub(super) async fn remove(storage: &dyn Calls, segments: &Segments) -> Result<(), MoveError> {
    journal::remove_segments(segments.folder())?;
    in_time(storage.close_journal(segments.id())).await?;
    Ok(journal::remove(segments.folder())?)
}
