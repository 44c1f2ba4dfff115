//! Whose count decides: this node's own, or that of all nodes together where they have a commons.

use std::sync::Arc;

use toolgate_domain::ids::ServerId;

use super::{Limiter, RequestKind, RetryAfter};
use crate::commons::Commons;

/// The limits of all servers.
#[derive(Debug, Default)]
pub struct Limits {
    local: Limiter,
    commons: Option<Arc<Commons>>,
}

impl Limits {
    /// Nothing counted yet.
    pub fn new(commons: Option<Arc<Commons>>) -> Self {
        Self { local: Limiter::new(), commons }
    }

    /// Counts one request, or says when to come again. A `limit` of 0 is none.
    pub async fn admit(&self, server: ServerId, kind: RequestKind, limit: u32) -> Result<(), RetryAfter> {
        match &self.commons {
            Some(commons) if limit > 0 => Box::pin(self.admit_together(commons, server, kind, limit)).await,
            _ => self.local.admit(server, kind, limit),
        }
    }

    /// The commons decides. What it admits is counted here as well: when it goes away, a node that had its share has
    /// had it. For a minute after it came back it does not know what was admitted meanwhile, so both have to agree.
    async fn admit_together(
        &self,
        commons: &Commons,
        server: ServerId,
        kind: RequestKind,
        limit: u32,
    ) -> Result<(), RetryAfter> {
        if !commons.knows_all() {
            self.local.admit(server, kind, commons.share(limit))?;
            return match commons.count(server, kind, limit).await {
                Some(Err(wait)) => {
                    self.local.take_back(server, kind);
                    Err(wait)
                }
                _ => Ok(()),
            };
        }
        match commons.count(server, kind, limit).await {
            Some(Ok(())) => {
                self.local.record(server, kind);
                Ok(())
            }
            Some(refused) => refused,
            None => self.local.admit(server, kind, commons.share(limit)),
        }
    }
}
