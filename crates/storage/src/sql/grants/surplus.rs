//! The limit on grants of one person: a new grant ends those that were not used for the longest time.

use toolgate_domain::audit::{Action, Actor};
use toolgate_domain::ids::{GrantId, UserId};
use toolgate_domain::oauth::grant::GRANTS_PER_USER_MAX;

use crate::error::Result;
use crate::sql::row::params;
use crate::sql::tx::Tx;

impl Tx {
    /// Makes room for a new grant of this user. Concurrent consents of one person may exceed the limit by their number,
    /// because the person is locked only `FOR SHARE`; the next consent corrects it.
    pub(super) async fn end_surplus_grants(&mut self, actor: &Actor, user_id: UserId) -> Result<()> {
        let sql = "SELECT id FROM oauth_grants WHERE user_id = $1 \
                   ORDER BY COALESCE(last_used_at, created_at) DESC, id DESC LIMIT $2 OFFSET $3";
        let rows = self.fetch_all(sql, params![user_id.0, i64::MAX, GRANTS_PER_USER_MAX - 1]).await?;
        let mut ids = rows.iter().map(|row| row.int("id").map(GrantId)).collect::<Result<Vec<_>>>()?;
        // All transactions lock grants in the order of their ids.
        ids.sort_unstable();
        for id in ids {
            if let Some(grant) = self.lock_grant(id).await? {
                self.end_audited_grant(actor, Action::Delete, &grant).await?;
            }
        }
        Ok(())
    }
}
