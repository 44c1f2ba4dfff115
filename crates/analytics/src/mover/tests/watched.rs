//! A database that tells what it is asked, and whose answers may get lost.

use std::future::pending;
use std::sync::Mutex;

use async_trait::async_trait;
use tokio::sync::watch;
use toolgate_domain::call::CallId;
use toolgate_storage::{CallBatch, CallPage, Calls, LoggedCall, Result, StorageError};

use super::*;

/// What becomes of the next batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    /// It is taken in.
    #[default]
    Taken,
    /// It is taken in, but the answer is an error.
    TakenUnheard,
    /// There is no answer.
    Silence,
}

/// A real database with somebody who looks on.
pub(super) struct Watched {
    real: Arc<dyn Storage>,
    next: Mutex<Next>,
    asked: watch::Sender<Vec<String>>,
}

impl Watched {
    pub(super) fn new(bench: &Bench, next: Next) -> Arc<Self> {
        let real = Arc::clone(&bench.storage);
        Arc::new(Self { real, next: Mutex::new(next), asked: watch::Sender::default() })
    }

    /// Waits until this has happened.
    pub(super) async fn until(&self, what: &str) {
        let mut asked = self.asked.subscribe();
        let waiting = asked.wait_for(|asked| asked.iter().any(|asked| asked == what));
        timeout(LONG, waiting).await.expect(what).unwrap();
    }

    /// The journals of which something was moved, in turn.
    pub(super) fn moves(&self) -> Vec<String> {
        self.asked.borrow().iter().filter(|asked| asked.starts_with("move ")).cloned().collect()
    }

    fn note(&self, what: String) {
        self.asked.send_modify(|asked| asked.push(what));
    }
}

#[async_trait]
impl Calls for Watched {
    async fn open_journal(&self, journal: &JournalId) -> Result<()> {
        self.real.open_journal(journal).await
    }

    async fn journal_position(&self, journal: &JournalId) -> Result<Option<u64>> {
        self.real.journal_position(journal).await
    }

    async fn move_calls(&self, batch: CallBatch<'_>) -> Result<()> {
        self.note(format!("move {}", batch.journal.0));
        let next = std::mem::take(&mut *self.next.lock().unwrap());
        if next == Next::Silence {
            return pending().await;
        }
        self.real.move_calls(batch).await?;
        match next {
            Next::TakenUnheard => Err(StorageError::InUse("the answer is lost".to_owned())),
            _ => Ok(()),
        }
    }

    async fn close_journal(&self, journal: &JournalId) -> Result<()> {
        self.real.close_journal(journal).await
    }

    async fn calls(&self, query: &CallQuery) -> Result<CallPage> {
        self.real.calls(query).await
    }

    async fn call(&self, visibility: Visibility, id: CallId) -> Result<LoggedCall> {
        self.real.call(visibility, id).await
    }

    async fn forget_calls_before(&self, moment: Timestamp) -> Result<bool> {
        let more = self.real.forget_calls_before(moment).await?;
        if !more {
            self.note("all forgotten".to_owned());
        }
        Ok(more)
    }

    async fn prepare_days(&self, now: Timestamp) -> Result<()> {
        self.real.prepare_days(now).await
    }

    async fn lost_calls(&self) -> Result<u64> {
        self.real.lost_calls().await
    }
}
