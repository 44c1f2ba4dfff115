//! The captured payloads of calls.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::{CallId, CapturedPayload};
use toolgate_domain::user::Visibility;

use super::key_list::KeyList;
use crate::calls::LoggedCall;
use crate::error::Result;
use crate::sql::SqlStorage;
use crate::sql::calls::block::CallTarget;
use crate::sql::row::{SqlRow, params};
use crate::sql::tx::Tx;

impl SqlStorage {
    /// The payloads of the calls that the caller may see, read with one statement.
    pub(in crate::sql::calls) async fn find_payloads(
        &self,
        visibility: Visibility,
        calls: &[&LoggedCall],
    ) -> Result<HashMap<CallId, CapturedPayload>> {
        let mut tx = self.db.begin_snapshot().await?;
        let access = tx.call_access(visibility).await?;
        let is_visible = |call: &&&LoggedCall| access.allows(CallTarget::from_record(&call.record));
        let ids: Vec<i64> =
            calls.iter().filter(|call| call.is_captured).filter(is_visible).map(|call| call.id.0).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let KeyList { placeholders, values } = KeyList::new(&ids);
        let sql = format!("SELECT id, arguments, response FROM captured_calls WHERE id IN ({placeholders})");
        let rows = tx.fetch_all(AssertSqlSafe(sql), values).await?;
        rows.iter().map(|row| Ok((CallId(row.int("id")?), payload_from_row(row)?))).collect()
    }
}

impl Tx {
    pub(super) async fn captured_payload(&mut self, id: CallId) -> Result<Option<CapturedPayload>> {
        let row =
            self.fetch_optional("SELECT arguments, response FROM captured_calls WHERE id = $1", params![id.0]).await?;
        row.map(|row| payload_from_row(&row)).transpose()
    }
}

fn payload_from_row(row: &SqlRow) -> Result<CapturedPayload> {
    Ok(CapturedPayload { arguments: row.text("arguments")?, response: row.text("response")? })
}
