//! The mutable state of a session.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use toolgate_domain::closed_set;

/// The most resources that one session may subscribe to.
const SUBSCRIPTIONS_MAX: usize = 1000;

closed_set! {
    /// Severity of log messages, from the least to the most severe.
    #[derive(PartialOrd, Ord)]
    pub(crate) enum LogLevel {
        Debug = "debug",
        Info = "info",
        Notice = "notice",
        Warning = "warning",
        Error = "error",
        Critical = "critical",
        Alert = "alert",
        Emergency = "emergency",
    }
}

/// The mutable state of a session; see [`super::Sessions`].
#[derive(Debug, Default)]
pub(crate) struct SessionState(Mutex<SessionData>);

#[derive(Debug, Default)]
struct SessionData {
    ended: bool,
    level: Option<LogLevel>,
    subscriptions: BTreeSet<String>,
    stream: Option<CancellationToken>,
}

impl SessionState {
    fn lock(&self) -> MutexGuard<'_, SessionData> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the session, and the stream it may have open.
    pub(crate) fn end(&self) {
        let mut data = self.lock();
        data.ended = true;
        data.subscriptions.clear();
        if let Some(stream) = data.stream.take() {
            stream.cancel();
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    pub(crate) fn set_level(&self, level: LogLevel) {
        self.lock().level = Some(level);
    }

    pub(crate) fn level(&self) -> Option<LogLevel> {
        self.lock().level
    }

    /// Subscribes to a resource; `false` if the session has too many subscriptions.
    pub(crate) fn subscribe(&self, uri: &str) -> bool {
        let mut data = self.lock();
        if data.subscriptions.len() >= SUBSCRIPTIONS_MAX && !data.subscriptions.contains(uri) {
            return false;
        }
        data.subscriptions.insert(uri.to_owned());
        true
    }

    pub(crate) fn unsubscribe(&self, uri: &str) {
        self.lock().subscriptions.remove(uri);
    }

    pub(crate) fn resource_subscriptions(&self) -> Vec<String> {
        self.lock().subscriptions.iter().cloned().collect()
    }

    /// Opens the stream of the session and ends an older one, because a message must be sent on one stream only.
    /// Returns a token that is cancelled when the stream must end; `None` if the session has ended.
    pub(crate) fn open_stream(&self) -> Option<CancellationToken> {
        let mut data = self.lock();
        if data.ended {
            return None;
        }
        let token = CancellationToken::new();
        if let Some(older) = data.stream.replace(token.clone()) {
            older.cancel();
        }
        Some(token)
    }
}
