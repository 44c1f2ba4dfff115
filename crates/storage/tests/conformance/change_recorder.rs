//! A listener that records change events.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use toolgate_domain::ids::PublicId;
use toolgate_storage::{
    ChangeEvent, ChangeListener, PublishedServer, PublishedServerReader as _, SqlStorage, Storage as _,
};

use crate::fixture::StorageFixture;

/// Generous for slow machines: events normally arrive within a second.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

struct ChannelListener(mpsc::UnboundedSender<ChangeEvent>);

impl ChangeListener for ChannelListener {
    fn changed(&self, change: &ChangeEvent) {
        let _ = self.0.send(change.clone());
    }
}

/// The change events that a listener received, in order.
pub(crate) struct ChangeRecorder(mpsc::UnboundedReceiver<ChangeEvent>);

impl ChangeRecorder {
    /// Starts to record once the storage watches for changes of other processes, which it reports as
    /// [`ChangeEvent::Everything`]. The events after that are real changes only.
    pub(crate) async fn start(storage: &SqlStorage) -> Self {
        let mut recorder = Self::start_without_waiting(storage);
        assert_eq!(recorder.next().await, ChangeEvent::Everything);
        recorder
    }

    /// Starts to record immediately. The [`ChangeEvent::Everything`] of the watch may still follow.
    pub(crate) fn start_without_waiting(storage: &SqlStorage) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        storage.listen(Arc::new(ChannelListener(sender)));
        Self(receiver)
    }

    /// The events received so far. They include all events of every write that has returned.
    pub(crate) fn drain(&mut self) -> Vec<ChangeEvent> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }

    /// Waits until the storage has dropped the listener.
    pub(crate) async fn wait_until_closed(mut self) {
        let closed = async { while self.0.recv().await.is_some() {} };
        tokio::time::timeout(WAIT_TIMEOUT, closed).await.expect("the storage still holds the listener");
    }

    /// Waits for the next event.
    pub(crate) async fn next(&mut self) -> ChangeEvent {
        tokio::time::timeout(WAIT_TIMEOUT, self.0.recv())
            .await
            .expect("no event arrived")
            .expect("the storage dropped the listener")
    }
}

impl StorageFixture {
    pub(crate) async fn published_server(&self, public_id: &PublicId) -> Option<PublishedServer> {
        self.storage.published_server(public_id).await.unwrap()
    }
}
