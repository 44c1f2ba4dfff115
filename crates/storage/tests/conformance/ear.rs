//! A listener that passes on what it hears.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use toolgate_domain::ids::PublicId;
use toolgate_storage::{Change, ChangeListener, PublishedServer, PublishedServers as _, SqlStorage, Storage as _};

use crate::bench::Bench;

/// Long enough for the slowest machine; what is waited for comes in a second.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

struct Mouth(mpsc::UnboundedSender<Change>);

impl ChangeListener for Mouth {
    fn changed(&self, change: &Change) {
        let _ = self.0.send(change.clone());
    }
}

/// What a listener was told, in order.
pub(crate) struct Ear(mpsc::UnboundedReceiver<Change>);

impl Ear {
    /// A listener who has been told that others are watched for. Behind that only real changes are told.
    pub(crate) async fn at(storage: &SqlStorage) -> Self {
        let mut ear = Self::at_once(storage);
        assert_eq!(ear.next().await, Change::Everything);
        ear
    }

    /// A listener who may still have to hear of the beginning.
    pub(crate) fn at_once(storage: &SqlStorage) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        storage.listen(Arc::new(Mouth(sender)));
        Self(receiver)
    }

    /// What was told by now. Everything about a write that has returned is among it.
    pub(crate) fn heard(&mut self) -> Vec<Change> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }

    /// Waits until nobody is left who could say anything.
    pub(crate) async fn falls_silent(mut self) {
        let silence = async { while self.0.recv().await.is_some() {} };
        tokio::time::timeout(PATIENCE, silence).await.expect("somebody still listens");
    }

    /// The next change, whenever it comes.
    pub(crate) async fn next(&mut self) -> Change {
        tokio::time::timeout(PATIENCE, self.0.recv()).await.expect("nothing was heard").expect("the storage is gone")
    }
}

impl Bench {
    pub(crate) async fn published(&self, public_id: &PublicId) -> Option<PublishedServer> {
        self.storage.published_server(public_id).await.unwrap()
    }
}
