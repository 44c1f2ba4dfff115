//! The store of ended sessions in SQL.

use async_trait::async_trait;
use toolgate_domain::session::SessionIdentity;
use toolgate_domain::time::Timestamp;

use super::SqlStorage;
use super::row::{SqlRow, params};
use crate::changes::ChangeEvent;
use crate::ended_sessions::EndedSessionStore;
use crate::error::Result;

const FIRST_PAGE: &str = "SELECT id, expires_at FROM ended_sessions ORDER BY expires_at DESC, id DESC LIMIT $1";
/// The first condition is redundant, but lets the databases use the index.
const NEXT_PAGE: &str = "SELECT id, expires_at FROM ended_sessions \
     WHERE expires_at <= $1 AND (expires_at < $1 OR id < $2) ORDER BY expires_at DESC, id DESC LIMIT $3";

#[async_trait]
impl EndedSessionStore for SqlStorage {
    async fn end_sessions(&self, sessions: &[SessionIdentity]) -> Result<()> {
        let mut sessions = sessions.to_vec();
        // All nodes insert in the same order, so that two transactions with the same sessions do not deadlock.
        sessions.sort_unstable_by_key(|session| session.nonce);
        let mut tx = self.db.begin().await?;
        for session in sessions {
            let sql = "INSERT INTO ended_sessions (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING";
            tx.execute(sql, params![session.nonce.to_vec(), session.expires_at]).await?;
            tx.record_change(ChangeEvent::SessionEnded(session));
        }
        tx.commit().await
    }

    async fn ended_sessions(&self, last: Option<SessionIdentity>, limit: u32) -> Result<Vec<SessionIdentity>> {
        let limit = i64::from(limit);
        let rows = match last {
            None => self.db.fetch_all(FIRST_PAGE, params![limit]).await?,
            Some(last) => self.db.fetch_all(NEXT_PAGE, params![last.expires_at, last.nonce.to_vec(), limit]).await?,
        };
        let sessions: Result<Vec<_>> = rows.iter().map(session_from_row).collect();
        Ok(sessions?.into_iter().flatten().collect())
    }

    async fn delete_ended_sessions_before(&self, cutoff: Timestamp) -> Result<()> {
        let mut tx = self.db.begin().await?;
        tx.execute("DELETE FROM ended_sessions WHERE expires_at < $1", params![cutoff]).await?;
        tx.commit().await
    }
}

/// `None` for an id of another length, which only another version could have stored.
fn session_from_row(row: &SqlRow) -> Result<Option<SessionIdentity>> {
    let expires_at = row.time("expires_at")?;
    Ok(row.bytes("id")?.try_into().ok().map(|nonce| SessionIdentity { nonce, expires_at }))
}
