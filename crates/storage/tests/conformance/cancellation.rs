//! Callers who go away in the middle of a write, as an HTTP client does that hangs up: what is committed is told,
//! what is not committed is not.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use tokio::sync::Notify;
use toolgate_storage::{ChangeEvent, ChangeListener, ServerStore as _, Storage as _};

use crate::change_recorder::{ChangeRecorder, WAIT_TIMEOUT};

/// A listener that keeps the commit's task from going on until it is let go.
struct BlockingListener {
    reached: Notify,
    opened: Mutex<Receiver<()>>,
}

impl BlockingListener {
    fn new() -> (Arc<Self>, Sender<()>) {
        let (open, opened) = channel();
        (Arc::new(Self { reached: Notify::new(), opened: Mutex::new(opened) }), open)
    }
}

impl ChangeListener for BlockingListener {
    fn changed(&self, change: &ChangeEvent) {
        if matches!(change, ChangeEvent::Server(_)) {
            self.reached.notify_one();
            self.opened
                .lock()
                .unwrap()
                .recv_timeout(WAIT_TIMEOUT)
                .expect("the caller waits for the gate, and the gate for the caller");
        }
    }
}

/// Polls a future so many times, then drops it where it stands.
async fn poll_at_most<F: Future>(times: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = times;
    let cut_off = poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    });
    cut_off.await
}

on_both_databases! {
    async fn a_commit_is_told_though_its_caller_is_gone_and_a_close_waits_for_it(fixture) {
        let server = fixture.server("S").await;
        let (listener, open) = BlockingListener::new();
        fixture.storage.listen(Arc::<BlockingListener>::clone(&listener));
        let mut behind = ChangeRecorder::start_without_waiting(&fixture.storage);
        let (storage, actor, mine) = (Arc::clone(&fixture.storage), fixture.actor(), fixture.as_alice());
        let mut caller = tokio::task::JoinSet::new();
        caller.spawn(async move { storage.toggle_server(&actor, mine, server.id).await });
        listener.reached.notified().await;
        caller.shutdown().await;
        let mut closing = pin!(fixture.storage.close());
        let a_while = async {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            () = &mut closing => panic!("closed before the last change was told"),
            () = a_while => {}
        }
        open.send(()).unwrap();
        closing.await;
        let events: Vec<ChangeEvent> = behind.drain().into_iter().filter(|change| *change != ChangeEvent::Everything).collect();
        assert_eq!(events, [ChangeEvent::Server(server.public_id)]);
    }

    async fn wherever_a_caller_is_cut_off_told_is_what_was_committed(fixture) {
        let server = fixture.server("S").await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        let mut finished = 0;
        // A whole write takes about ten polls.
        for times in (0..16).cycle().take(160) {
            let (actor, mine) = (fixture.actor(), fixture.as_alice());
            let done = poll_at_most(times, fixture.storage.toggle_server(&actor, mine, server.id)).await;
            finished += usize::from(done.is_some_and(|toggled| toggled.is_ok()));
        }
        fixture.storage.close().await;
        let committed = fixture.raw.int("SELECT COUNT(*) FROM audit WHERE action = 'toggle'").await;
        let told = recorder.drain();
        assert!(told.iter().all(|change| *change == ChangeEvent::Server(server.public_id.clone())), "{told:?}");
        assert_eq!(i64::try_from(told.len()).unwrap(), committed);
        assert!(0 < finished && finished <= told.len(), "{finished} of {}", told.len());
    }
}
