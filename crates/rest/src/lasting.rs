//! The key of a reply that lasts: looked at when it changes, when it expires, and now and then in any case.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tokio::time::{Instant, sleep_until, timeout};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::context::Context;
use crate::credential::Credential;
use crate::key_changes::ChangesOf;

/// How long looking at the key may hold a reply up.
const PATIENCE: Duration = Duration::from_secs(2);

/// A key that a reply may outlast.
pub(crate) struct Lasting {
    credential: Credential,
    pub(crate) context: Arc<Context>,
    changes: ChangesOf,
    /// When the key expires, as far as is known.
    expires_at: Option<Timestamp>,
    /// How often to look although nobody told of a change.
    every: Duration,
    look_at: Instant,
}

impl Lasting {
    /// The key is looked at soon: it may have changed before its changes were listened to.
    pub(crate) fn new(credential: Credential, context: Arc<Context>, changes: ChangesOf, every: Duration) -> Self {
        Self { credential, context, changes, expires_at: None, every, look_at: Instant::now() }
    }

    /// Waits until the key has to be looked at.
    pub(crate) async fn due(&mut self) {
        tokio::select! {
            () = sleep_until(self.look_at) => {}
            () = self.changes.next() => self.look_at = Instant::now(),
        }
    }

    /// Whose objects the key shows by now; none where it opens nothing any more. Looks at the key where that is due.
    pub(crate) async fn visibility(&mut self, before: Visibility) -> Option<Visibility> {
        if self.changes.any() || Instant::now() >= self.look_at { self.look(before).await } else { Some(before) }
    }

    /// A database that does not answer is no reason to leave.
    async fn look(&mut self, before: Visibility) -> Option<Visibility> {
        let visibility = match timeout(PATIENCE, self.credential.principal(&self.context)).await {
            Ok(Ok(principal)) => {
                self.expires_at = principal.expires_at();
                Some(principal.visibility())
            }
            Ok(Err(error)) if matches!(error.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => None,
            Ok(Err(_)) | Err(_) => Some(before).filter(|_| self.life_left() != Some(Duration::ZERO)),
        };
        // A moment later than its end, for clocks differ.
        let end = self.life_left().map_or(self.every, |left| left + Duration::from_millis(1));
        self.look_at = Instant::now() + self.every.min(end);
        visibility
    }

    fn life_left(&self) -> Option<Duration> {
        let left = self.expires_at?.as_millis().saturating_sub(self.context.clock.now().as_millis());
        Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
    }
}
