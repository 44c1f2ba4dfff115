//! Ended sessions with a real database.

use std::sync::atomic::AtomicUsize;

use tempfile::TempDir;
use tokio_util::task::TaskTracker;
use toolgate_storage::{EndedSessionStore as _, KeySource, Keyring, KeyringError, SqlStorage};

use super::*;

/// More than one page.
const SESSIONS: u32 = 2 * PAGE_MAX + 1;

#[derive(Debug)]
struct SessionTestKey;

impl KeySource for SessionTestKey {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&"07".repeat(32))
    }
}

async fn open_storage() -> (TempDir, Arc<SqlStorage>) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/toolgate.db", folder.path().display());
    let storage = SqlStorage::open(&url, Arc::new(SessionTestKey), Timestamp::from_millis(1)).await.unwrap();
    (folder, Arc::new(storage))
}

fn session(number: u32) -> SessionIdentity {
    let mut nonce = [0; 12];
    nonce[..4].copy_from_slice(&number.to_be_bytes());
    SessionIdentity { nonce, expires_at: Timestamp::from_millis(i64::from(number)) }
}

// One thread: tasks run only when another one yields.
#[tokio::test(flavor = "current_thread")]
async fn a_reload_inserts_each_session_once_and_lets_other_tasks_run_between_pages() {
    let (_folder, storage) = open_storage().await;
    let sessions: Vec<_> = (0..SESSIONS).map(session).collect();
    storage.end_sessions(&sessions).await.unwrap();
    let ended = Arc::new(EndedSessions::new(Arc::clone(&storage) as Arc<dyn Storage>));
    ended.insert(session(7).nonce);
    let inserted = Arc::new(Mutex::new(Vec::new()));
    let largest_step = Arc::new(AtomicUsize::new(0));
    let (seen, step) = (Arc::clone(&inserted), Arc::clone(&largest_step));
    let other_task = TaskTracker::new().spawn(async move {
        let mut last = 0;
        loop {
            let count = seen.lock().unwrap().len();
            step.fetch_max(count - last, Ordering::SeqCst);
            last = count;
            tokio::task::yield_now().await;
        }
    });
    let insert = |nonce: &SessionNonce| {
        ended.insert(*nonce);
        inserted.lock().unwrap().push(*nonce);
    };
    ended.load(insert).await.unwrap();
    other_task.abort();
    let expected: Vec<_> = sessions.iter().filter(|ended| **ended != session(7)).map(|ended| ended.nonce).collect();
    assert_eq!(*inserted.lock().unwrap(), expected, "the last to expire is inserted last");
    assert!(largest_step.load(Ordering::SeqCst) <= PAGE_MAX as usize, "{largest_step:?}");
    ended.load(insert).await.unwrap();
    assert_eq!(inserted.lock().unwrap().len(), expected.len(), "nothing is inserted again");
    assert!(sessions.iter().all(|session| ended.contains(&session.nonce)));
}

#[tokio::test]
async fn ended_sessions_that_are_not_stored_yet_are_stored_when_the_service_stops() {
    let (_folder, storage) = open_storage().await;
    let ended = EndedSessions::new(Arc::clone(&storage) as Arc<dyn Storage>);
    ended.lock_unsaved().insert(session(1).nonce, session(1).expires_at);
    ended.finish().await;
    assert_eq!(storage.ended_sessions(None, 10).await.unwrap(), [session(1)]);
    assert!(ended.lock_unsaved().is_empty());
}
