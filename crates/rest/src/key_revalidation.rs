//! Revalidates the key, or the browser session, of a long-lived reply: when keys of its user change, when it expires,
//! and at a fixed interval.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tokio::time::{Instant, sleep_until, timeout};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use crate::context::ApiContext;
use crate::credential::RequestCredential;
use crate::key_changes::UserKeyChanges;

/// How long a revalidation may delay a reply.
const REVALIDATION_TIMEOUT: Duration = Duration::from_secs(2);

/// Revalidates the key of one reply, which may outlast the key.
pub(crate) struct KeyRevalidation {
    credential: RequestCredential,
    pub(crate) context: Arc<ApiContext>,
    changes: UserKeyChanges,
    /// When the key expires, as of the last revalidation.
    expires_at: Option<Timestamp>,
    /// How often to revalidate without a change notification.
    interval: Duration,
    next_check_at: Instant,
}

impl KeyRevalidation {
    /// The first revalidation is due immediately: the key may have changed before `changes` was subscribed.
    pub(crate) fn new(
        credential: RequestCredential,
        context: Arc<ApiContext>,
        changes: UserKeyChanges,
        interval: Duration,
    ) -> Self {
        Self { credential, context, changes, expires_at: None, interval, next_check_at: Instant::now() }
    }

    /// Waits until a revalidation is due. Cancel-safe: the due time is stored in `self`.
    pub(crate) async fn wait_until_due(&mut self) {
        tokio::select! {
            () = sleep_until(self.next_check_at) => {}
            () = self.changes.next() => self.next_check_at = Instant::now(),
        }
    }

    /// The objects the key gives access to: `current`, or the result of a revalidation if one is due. `None` if the key
    /// is no longer valid.
    pub(crate) async fn visibility(&mut self, current: Visibility) -> Option<Visibility> {
        let is_due = self.changes.has_changed() || Instant::now() >= self.next_check_at;
        if is_due { self.revalidate(current).await } else { Some(current) }
    }

    /// If the database is unavailable, the reply continues until the key expires.
    async fn revalidate(&mut self, current: Visibility) -> Option<Visibility> {
        let visibility = match timeout(REVALIDATION_TIMEOUT, self.credential.principal(&self.context)).await {
            Ok(Ok(principal)) => {
                self.expires_at = principal.expires_at();
                Some(principal.visibility())
            }
            Ok(Err(error)) if matches!(error.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => None,
            Ok(Err(_)) | Err(_) => Some(current).filter(|_| self.remaining_lifetime() != Some(Duration::ZERO)),
        };
        // One millisecond after the expiry, so that this check sees the key as expired.
        let until_expiry = self.remaining_lifetime().map_or(self.interval, |left| left + Duration::from_millis(1));
        self.next_check_at = Instant::now() + self.interval.min(until_expiry);
        visibility
    }

    fn remaining_lifetime(&self) -> Option<Duration> {
        let millis_left = self.expires_at?.as_millis().saturating_sub(self.context.services.clock.now().as_millis());
        Some(Duration::from_millis(u64::try_from(millis_left).unwrap_or(0)))
    }
}
