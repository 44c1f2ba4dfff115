//! Detects that PostgreSQL has stopped responding while a statement waits. A network that drops packets, or a machine
//! that hangs, closes no connection, so a statement would wait until TCP gives up, about 15 minutes. A slow statement
//! alone does not mean failure: the probe opens a new connection, and any response on it, even an error, shows that the
//! database is alive.

use std::pin::pin;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection as _, PgConnection};
use tokio::sync::Mutex;
use tokio::time::timeout;
use toolgate_domain::sync::lock;

/// A statement that takes longer than this triggers a probe; nearly every statement is faster.
const PROBE_AFTER: Duration = Duration::from_millis(1500);
/// How long a new connection or a ping may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the result of a probe is shared by all statements that wait.
const PROBE_RESULT_TTL: Duration = Duration::from_secs(1);
/// How long after a failed probe pooled connections are checked before reuse: some may have been in use when the
/// database stopped responding.
const SUSPECT_TTL: Duration = Duration::from_mins(2);

/// Checks whether one database responds.
#[derive(Debug)]
pub(super) struct LivenessProbe {
    options: PgConnectOptions,
    last_result: Mutex<Option<ProbeResult>>,
    /// Time of the last failed probe.
    unresponsive_at: std::sync::Mutex<Option<Instant>>,
}

#[derive(Clone, Copy, Debug)]
struct ProbeResult {
    at: Instant,
    is_unresponsive: bool,
}

impl LivenessProbe {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, last_result: Mutex::new(None), unresponsive_at: std::sync::Mutex::new(None) }
    }

    /// Runs `work` to its end, or fails as soon as a probe finds the database unresponsive.
    pub(super) async fn run_while_responsive<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        let mut work = pin!(work);
        loop {
            if let Ok(outcome) = timeout(PROBE_AFTER, &mut work).await {
                return outcome;
            }
            tokio::select! {
                outcome = &mut work => return outcome,
                is_unresponsive = self.is_unresponsive() => if is_unresponsive {
                    return Err(sqlx::Error::PoolTimedOut);
                }
            }
        }
    }

    /// Whether a pooled connection may have been in use when the database recently stopped responding.
    pub(super) fn is_suspect(&self) -> bool {
        let unresponsive_at = *lock(&self.unresponsive_at);
        unresponsive_at.is_some_and(|at| at.elapsed() < SUSPECT_TTL)
    }

    async fn is_unresponsive(&self) -> bool {
        // The lock is held across the probe, so that many waiting statements open one connection and share its result.
        let mut last_result = self.last_result.lock().await;
        if let Some(result) = last_result.filter(|result| result.at.elapsed() < PROBE_RESULT_TTL) {
            return result.is_unresponsive;
        }
        let connected = timeout(PROBE_TIMEOUT, PgConnection::connect_with(&self.options)).await;
        let is_unresponsive = matches!(connected, Err(_) | Ok(Err(sqlx::Error::Io(_))));
        *last_result = Some(ProbeResult { at: Instant::now(), is_unresponsive });
        if is_unresponsive {
            *lock(&self.unresponsive_at) = Some(Instant::now());
        }
        is_unresponsive
    }
}

/// Pings a connection; an error makes the pool close it instead of reusing it.
pub(super) async fn check_alive(connection: &mut PgConnection) -> sqlx::Result<bool> {
    timeout(PROBE_TIMEOUT, connection.ping()).await.map_err(|_| sqlx::Error::PoolTimedOut)??;
    Ok(true)
}
