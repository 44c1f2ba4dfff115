//! Whether PostgreSQL still answers, for whoever waits for it longer than usual. A network that swallows everything, or a
//! machine that hangs, closes no connection: whoever has asked would wait for as long as the connection lives, which is a
//! quarter of an hour. Slow statements are no reason to give up, so a fresh connection is tried: where that gets an
//! answer, whatever it is, the database is at work.

use std::pin::pin;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection as _, PgConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// What nearly every statement takes less than.
const USUAL: Duration = Duration::from_millis(1500);
/// How long a fresh connection may take.
const CONNECT: Duration = Duration::from_secs(2);
/// How long a finding speaks for all who wait.
const FINDING_HOLDS: Duration = Duration::from_secs(1);
/// How long connections are suspect after a silence: some may have been in use when it began.
const SUSPICION: Duration = Duration::from_mins(2);

/// The pulse of one database.
#[derive(Debug)]
pub(super) struct Pulse {
    options: PgConnectOptions,
    last: Mutex<Option<Finding>>,
    silent_at: std::sync::Mutex<Option<Instant>>,
}

#[derive(Clone, Copy, Debug)]
struct Finding {
    at: Instant,
    is_silent: bool,
}

impl Pulse {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, last: Mutex::new(None), silent_at: std::sync::Mutex::new(None) }
    }

    /// What the work comes to, unless the database falls silent meanwhile.
    pub(super) async fn unless_silent<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        let mut work = pin!(work);
        loop {
            if let Ok(outcome) = timeout(USUAL, &mut work).await {
                return outcome;
            }
            tokio::select! {
                outcome = &mut work => return outcome,
                is_silent = self.is_silent() => if is_silent {
                    return Err(sqlx::Error::PoolTimedOut);
                }
            }
        }
    }

    /// Whether a connection may have been in use when the database fell silent not long ago.
    pub(super) fn is_suspect(&self) -> bool {
        let silent_at = *self.silent_at.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        silent_at.is_some_and(|at| at.elapsed() < SUSPICION)
    }

    async fn is_silent(&self) -> bool {
        let mut last = self.last.lock().await;
        if let Some(finding) = last.filter(|finding| finding.at.elapsed() < FINDING_HOLDS) {
            return finding.is_silent;
        }
        let connected = timeout(CONNECT, PgConnection::connect_with(&self.options)).await;
        let is_silent = matches!(connected, Err(_) | Ok(Err(sqlx::Error::Io(_))));
        *last = Some(Finding { at: Instant::now(), is_silent });
        if is_silent {
            *self.silent_at.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(Instant::now());
        }
        is_silent
    }
}

/// Whether a connection answers in time; one that does not is closed in place of being kept for others.
pub(super) async fn answers(connection: &mut PgConnection) -> sqlx::Result<bool> {
    timeout(CONNECT, connection.ping()).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
    Ok(true)
}
