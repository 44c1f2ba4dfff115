//! What this node has in common with others, as the settings want it.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use toolgate_execution::commons::Commons;
use toolgate_storage::Storage;

use crate::settings::Settings;

/// This node among others, until it ends.
pub(crate) struct Membership {
    commons: Arc<Commons>,
    tasks: TaskTracker,
}

/// Joins the other nodes; none where there is nothing to share.
pub(crate) async fn open(
    settings: &Settings,
    storage: &dyn Storage,
    stopping: &CancellationToken,
) -> anyhow::Result<Option<Membership>> {
    let Some(address) = &settings.redis_url else { return Ok(None) };
    // The oldest key: a rotation puts new ones before it, and nodes have to agree on one all the while.
    let secret = storage.signing_keys("redis").pop().context("there is no key to share answers with")?;
    let node = getrandom::u64().map_err(|error| anyhow!("the system gave no random numbers: {error}"))?;
    let commons = Arc::new(Commons::new(address, &secret, node)?);
    commons.greet().await;
    let (tasks, kept) = (TaskTracker::new(), Arc::clone(&commons));
    tasks.spawn(stopping.clone().run_until_cancelled_owned(async move { kept.keep().await }));
    Ok(Some(Membership { commons, tasks }))
}

impl Membership {
    pub(crate) fn commons(&self) -> Arc<Commons> {
        Arc::clone(&self.commons)
    }

    /// The others hear of it at once, instead of missing this node.
    pub(crate) async fn end(self) {
        self.tasks.close();
        self.tasks.wait().await;
        self.commons.leave().await;
    }
}
