//! Deletes expired grants, codes and sign-ins, and clients that were never allowed access or whose document is
//! outdated.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolgate_storage::StorageError;

use crate::context::IssuerContext;
use crate::lifetimes::{ENDED_GRANT_MS, STALE_DOCUMENT_MS, UNUSED_CLIENT_TTL_MS};

/// Short, because lists show access that was allowed and not taken until it is deleted.
const INTERVAL: Duration = Duration::from_mins(1);

/// Deletes expired rows now and every minute until `stopping` is cancelled. Every node does so: rows that another
/// node has deleted cost nothing.
pub async fn delete_expired_rows(context: Arc<IssuerContext>, stopping: CancellationToken) {
    loop {
        if let Some(Err(error)) = stopping.run_until_cancelled(delete_expired_rows_once(&context)).await {
            tracing::warn!(?error, "failed to delete expired rows of the issuer");
        }
        if stopping.run_until_cancelled(tokio::time::sleep(INTERVAL)).await.is_none() {
            return;
        }
    }
}

/// Deletes expired rows.
pub async fn delete_expired_rows_once(context: &IssuerContext) -> Result<(), StorageError> {
    let (storage, now) = (&context.storage, context.now());
    storage.delete_expired_grants(now, now.plus_millis(-ENDED_GRANT_MS)).await?;
    let unused_cutoff = now.plus_millis(-UNUSED_CLIENT_TTL_MS);
    storage.delete_unused_clients(unused_cutoff).await?;
    storage.delete_unused_documents(unused_cutoff, now.plus_millis(-STALE_DOCUMENT_MS)).await?;
    storage.delete_expired_sign_ins(now).await
}
