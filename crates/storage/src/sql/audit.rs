//! Audit rows. Each is written in the transaction of the change that it records.

use toolgate_domain::audit::{Action, Actor, ObjectKind};

use super::row::params;
use super::tx::Tx;
use crate::error::Result;

impl Tx {
    pub(super) async fn audit(
        &mut self,
        actor: &Actor,
        action: Action,
        kind: ObjectKind,
        object_id: i64,
    ) -> Result<()> {
        self.execute(
            "INSERT INTO audit (at, user_id, key_id, action, object_kind, object_id, fields) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            params![
                actor.at,
                actor.user_id.map(|id| id.0),
                actor.key_id.map(|id| id.0),
                action.as_str(),
                kind.as_str(),
                object_id,
                actor.fields.as_str(),
            ],
        )
        .await
    }
}
