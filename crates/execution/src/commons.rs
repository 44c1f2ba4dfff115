//! What several nodes have in common, in Redis or Valkey: the counts of the limiter, answers of upstreams, and who is
//! there. Nothing depends on it: where it is away or slow, each node goes on by itself.
//!
//! Whoever can read it learns how many requests a server has by its id, and no more: answers are sealed and lie under
//! keyed names, so that only nodes that hold the installation's encryption keys can read, find or forge one.

mod address;
mod answers;
mod keeper;
mod keys;
mod line;
mod windows;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use redis::{Client, Script};

pub use address::{Address, BadAddress};
use keys::Keys;
use line::Line;

/// How long a call waits for it, at most, each time that it asks.
pub const BUDGET: Duration = Duration::from_millis(50);

/// The commons, as one node sees it.
pub struct Commons {
    client: Client,
    keys: Keys,
    line: Line,
    /// What this node is called there.
    node: String,
    /// How many nodes there were when it was last known.
    nodes: AtomicU32,
    window: Script,
    presence: Script,
}

impl std::fmt::Debug for Commons {
    /// The client knows a password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Commons").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Commons {
    /// The commons of all nodes that were given the same `secret`. Nothing is dialled yet.
    pub fn new(address: &Address, secret: &[u8; 32], node: u64) -> Result<Self, BadAddress> {
        Ok(Self {
            client: address.client()?,
            keys: Keys::of(secret).ok_or(BadAddress)?,
            line: Line::default(),
            node: format!("{node:016x}"),
            nodes: AtomicU32::new(1),
            window: Script::new(include_str!("commons/window.lua")),
            presence: Script::new(include_str!("commons/presence.lua")),
        })
    }

    /// This node's part of a limit, for when it cannot ask. Never 0, for that is no limit.
    pub(crate) fn share(&self, limit: u32) -> u32 {
        (limit / self.nodes.load(Ordering::Relaxed).max(1)).max(1)
    }

    /// Whether what was counted there in the last minute is all that there was to count.
    pub(crate) fn knows_all(&self) -> bool {
        self.line.is_trusted()
    }
}

#[cfg(test)]
mod tests;
