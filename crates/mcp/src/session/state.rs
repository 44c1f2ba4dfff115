//! What changes during a session.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// Most resources one session may watch.
const SUBSCRIPTIONS_MAX: usize = 1000;

/// Severity of log messages, from the least to the most severe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl LogLevel {
    pub(crate) const NAMES: [&'static str; 8] =
        ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::NAMES.iter().zip(Self::ALL).find(|(name, _)| **name == text).map(|(_, level)| level)
    }
}

/// What changes during a session; see [`super::Sessions`].
#[derive(Debug, Default)]
pub(crate) struct SessionState(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    ended: bool,
    level: Option<LogLevel>,
    subscriptions: BTreeSet<String>,
    stream: Option<CancellationToken>,
}

impl SessionState {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the session, and the stream it may have open.
    pub(crate) fn end(&self) {
        let mut inner = self.lock();
        inner.ended = true;
        inner.subscriptions.clear();
        if let Some(stream) = inner.stream.take() {
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

    /// Watches a resource; `false` when it watches too many already.
    pub(crate) fn subscribe(&self, uri: &str) -> bool {
        let mut inner = self.lock();
        if inner.subscriptions.len() >= SUBSCRIPTIONS_MAX && !inner.subscriptions.contains(uri) {
            return false;
        }
        inner.subscriptions.insert(uri.to_owned());
        true
    }

    pub(crate) fn unsubscribe(&self, uri: &str) {
        self.lock().subscriptions.remove(uri);
    }

    pub(crate) fn subscriptions(&self) -> Vec<String> {
        self.lock().subscriptions.iter().cloned().collect()
    }

    /// The one stream of the session; `None` once it has ended. A message must not go out on two, so an older one ends.
    pub(crate) fn open_stream(&self) -> Option<CancellationToken> {
        let mut inner = self.lock();
        if inner.ended {
            return None;
        }
        let token = CancellationToken::new();
        if let Some(older) = inner.stream.replace(token.clone()) {
            older.cancel();
        }
        Some(token)
    }
}
