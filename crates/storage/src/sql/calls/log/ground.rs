//! Whether a walk can lead to anything that was asked for.

use toolgate_domain::usage::Scope;

use super::walk::{Stretch, Walk};
use crate::sql::calls::block::Block;
use crate::sql::calls::blocks::scopes_of;
use crate::sql::server_lock::owner;
use crate::sql::tx::Tx;
use crate::{CallQuery, Result};

impl Tx {
    /// Whether the calls of a walk can be among those that were asked for: a tool stays with its server, and a server with
    /// its owner, so one call speaks for all.
    pub(super) async fn is_ground_of(&mut self, walk: &Walk, query: &CallQuery) -> Result<bool> {
        let (owner, server) = (owner(query.visibility), query.server);
        let is_told_by_scope = match walk.scope {
            Scope::All | Scope::Owner(_) => true,
            Scope::Server(_) => owner.is_none(),
            Scope::Tool(_) => owner.is_none() && server.is_none(),
        };
        if is_told_by_scope {
            return Ok(true);
        }
        let keys = self.keys_of_blocks(&walk.of_whole_scope(), Stretch::WHOLE, 1).await?;
        if keys.is_empty() {
            return Ok(false);
        }
        let packed = self.blocks(&keys).await?;
        let Some(packed) = packed.first() else { return Ok(false) };
        // Where that cannot be read, each call speaks for itself.
        let Ok(block) = Block::open(packed) else { return Ok(true) };
        let mut places = block.places().iter().filter(|place| scopes_of(**place).contains(&walk.scope));
        Ok(places.next().is_some_and(|place| {
            owner.is_none_or(|owner| owner == place.user) && server.is_none_or(|server| server.0 == place.server)
        }))
    }
}
