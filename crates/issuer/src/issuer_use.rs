//! Whether a server uses the built-in issuer. The issuer's document exists only then, and anyone may request it, so the
//! result is cached until a server changes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use toolgate_storage::{ChangeEvent, ChangeListener, OAuthServer, Result, Storage};

/// The most servers that are read to find one that uses the built-in issuer.
const SERVERS_MAX: u32 = 10_000;

#[derive(Debug, Default)]
pub(crate) struct IssuerUse {
    state: Mutex<UseState>,
}

#[derive(Debug, Default)]
struct UseState {
    /// `None` if it must be read.
    is_used: Option<bool>,
    /// The number of changes. A result that was read before a change is not cached after it.
    changes: u64,
}

impl IssuerUse {
    /// Whether a server that is not a draft uses the built-in issuer.
    pub(crate) async fn is_used(&self, storage: &dyn Storage) -> Result<bool> {
        let changes = {
            let state = self.state();
            if let Some(is_used) = state.is_used {
                return Ok(is_used);
            }
            state.changes
        };
        let is_used = storage.list_oauth_servers(SERVERS_MAX).await?.iter().any(OAuthServer::has_built_in_issuer);
        let mut state = self.state();
        if state.changes == changes {
            state.is_used = Some(is_used);
        }
        Ok(is_used)
    }

    fn state(&self) -> MutexGuard<'_, UseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChangeListener for IssuerUse {
    fn changed(&self, change: &ChangeEvent) {
        if matches!(change, ChangeEvent::Server(_) | ChangeEvent::Everything) {
            let mut state = self.state();
            state.is_used = None;
            state.changes += 1;
        }
    }
}
