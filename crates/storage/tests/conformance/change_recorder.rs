//! A listener that passes on what it hears.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use toolgate_domain::ids::PublicId;
use toolgate_storage::{
    ChangeEvent, ChangeListener, PublishedServer, PublishedServerReader as _, SqlStorage, Storage as _,
};

use crate::fixture::StorageFixture;

/// Long enough for the slowest machine; what is waited for comes in a second.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

struct ChannelListener(mpsc::UnboundedSender<ChangeEvent>);

impl ChangeListener for ChannelListener {
    fn changed(&self, change: &ChangeEvent) {
        let _ = self.0.send(change.clone());
    }
}

/// What a listener was told, in order.
pub(crate) struct ChangeRecorder(mpsc::UnboundedReceiver<ChangeEvent>);

impl ChangeRecorder {
    /// A listener who has been told that others are watched for. Behind that only real changes are told.
    pub(crate) async fn start(storage: &SqlStorage) -> Self {
        let mut recorder = Self::start_without_waiting(storage);
        assert_eq!(recorder.next().await, ChangeEvent::Everything);
        recorder
    }

    /// A listener who may still have to hear of the beginning.
    pub(crate) fn start_without_waiting(storage: &SqlStorage) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        storage.listen(Arc::new(ChannelListener(sender)));
        Self(receiver)
    }

    /// What was told by now. Everything about a write that has returned is among it.
    pub(crate) fn drain(&mut self) -> Vec<ChangeEvent> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }

    /// Waits until nobody is left who could say anything.
    pub(crate) async fn wait_until_closed(mut self) {
        let silence = async { while self.0.recv().await.is_some() {} };
        tokio::time::timeout(WAIT_TIMEOUT, silence).await.expect("somebody still listens");
    }

    /// The next change, whenever it comes.
    pub(crate) async fn next(&mut self) -> ChangeEvent {
        tokio::time::timeout(WAIT_TIMEOUT, self.0.recv())
            .await
            .expect("nothing was heard")
            .expect("the storage is gone")
    }
}

impl StorageFixture {
    pub(crate) async fn published(&self, public_id: &PublicId) -> Option<PublishedServer> {
        self.storage.published_server(public_id).await.unwrap()
    }
}
