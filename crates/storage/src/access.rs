//! What happens at endpoints and is not recorded for each request: the last use of keys.

use async_trait::async_trait;
use toolgate_domain::ids::EndpointKeyId;
use toolgate_domain::time::Timestamp;

use crate::error::Result;

/// The last use of an endpoint key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// The key.
    pub key: EndpointKeyId,
    /// When it was used.
    pub at: Timestamp,
}

/// Stores figures on the access to endpoints. Several nodes can write them concurrently.
#[async_trait]
pub trait AccessStore {
    /// Stores the last use of keys; an earlier time than the stored one has no effect. Returns the uses that were not
    /// stored, because the key is being changed or does not exist.
    async fn record_key_uses(&self, uses: &[KeyUse]) -> Result<Vec<KeyUse>>;
}
