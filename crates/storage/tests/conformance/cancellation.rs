//! Callers that are cancelled during a write, for example because the HTTP client disconnected: a change is reported if
//! and only if it was committed.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use tokio::sync::Notify;
use toolgate_storage::{ChangeEvent, ChangeListener, ServerStore as _, Storage as _};

use crate::change_recorder::{ChangeRecorder, WAIT_TIMEOUT};

/// A listener that blocks the task of the commit until the test releases it.
struct BlockingListener {
    /// Notified when the listener blocks.
    reached: Notify,
    /// Receives the message that releases the listener.
    released: Mutex<Receiver<()>>,
}

impl BlockingListener {
    fn new() -> (Arc<Self>, Sender<()>) {
        let (release, released) = channel();
        (Arc::new(Self { reached: Notify::new(), released: Mutex::new(released) }), release)
    }
}

impl ChangeListener for BlockingListener {
    fn changed(&self, change: &ChangeEvent) {
        if matches!(change, ChangeEvent::Server(_)) {
            self.reached.notify_one();
            self.released
                .lock()
                .unwrap()
                .recv_timeout(WAIT_TIMEOUT)
                .expect("the test did not release the listener in time");
        }
    }
}

/// Polls a future at most `times` times, then drops it.
async fn poll_at_most<F: Future>(times: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut polls_left = times;
    let limited = poll_fn(|context| {
        if polls_left == 0 {
            return Poll::Ready(None);
        }
        polls_left -= 1;
        future.as_mut().poll(context).map(Some)
    });
    limited.await
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_commit_is_reported_after_its_caller_is_cancelled_and_close_waits_for_it(fixture) {
        let server = fixture.server("S").await;
        let (listener, release) = BlockingListener::new();
        fixture.storage.listen(Arc::<BlockingListener>::clone(&listener));
        let mut recorder = ChangeRecorder::start_without_waiting(&fixture.storage);
        let (storage, actor, as_alice) = (Arc::clone(&fixture.storage), fixture.next_actor(), fixture.as_alice());
        let mut caller = tokio::task::JoinSet::new();
        caller.spawn(async move { storage.toggle_server(&actor, as_alice, server.id).await });
        listener.reached.notified().await;
        caller.shutdown().await;
        let mut closing = pin!(fixture.storage.close());
        let yields = async {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            () = &mut closing => panic!("the storage closed before the last change was reported"),
            () = yields => {}
        }
        release.send(()).unwrap();
        closing.await;
        let events: Vec<ChangeEvent> =
            recorder.drain().into_iter().filter(|change| *change != ChangeEvent::Everything).collect();
        assert_eq!(events, [ChangeEvent::Server(server.public_id)]);
    }

    async fn exactly_the_committed_changes_are_reported_when_callers_are_cancelled(fixture) {
        let server = fixture.server("S").await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        let mut finished = 0;
        // A complete write takes about ten polls.
        for times in (0..16).cycle().take(160) {
            let (actor, as_alice) = (fixture.next_actor(), fixture.as_alice());
            let done = poll_at_most(times, fixture.storage.toggle_server(&actor, as_alice, server.id)).await;
            finished += usize::from(done.is_some_and(|toggled| toggled.is_ok()));
        }
        fixture.storage.close().await;
        let committed = fixture.raw.int("SELECT COUNT(*) FROM audit WHERE action = 'toggle'").await;
        let events = recorder.drain();
        assert!(events.iter().all(|change| *change == ChangeEvent::Server(server.public_id.clone())), "{events:?}");
        assert_eq!(i64::try_from(events.len()).unwrap(), committed);
        assert!(0 < finished && finished <= events.len(), "{finished} writes returned, {} were reported", events.len());
    }
}
