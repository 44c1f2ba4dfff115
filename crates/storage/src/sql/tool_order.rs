//! Reorders a server's tools in one statement, so that a concurrent list sees the old order or the new one.

use std::collections::HashSet;

use sqlx::AssertSqlSafe;
use toolgate_domain::audit::Actor;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::ids::{ServerId, ToolId};

use super::row::params;
use super::tx::Tx;
use crate::error::Result;

impl Tx {
    /// Renumbers all tools of a locked server: first `leading_tools`, then the others in their current order.
    pub(super) async fn set_tool_order(
        &mut self,
        actor: &Actor,
        server_id: ServerId,
        leading_tools: &[ToolId],
    ) -> Result<()> {
        let sql = "SELECT id, sort_order FROM tools WHERE server_id = $1 ORDER BY sort_order, id";
        let rows = self.fetch_all(sql, params![server_id.0]).await?;
        let current: Vec<(i64, i64)> =
            rows.iter().map(|row| Ok((row.int("id")?, row.int("sort_order")?))).collect::<Result<_>>()?;
        let changed = changed_positions(&current, leading_tools)?;
        if changed.is_empty() {
            return Ok(());
        }
        let values: Vec<String> = changed.iter().map(|(id, position)| format!("({id}, {position})")).collect();
        let sql = format!(
            "WITH moved (id, sort_order) AS (VALUES {}) UPDATE tools SET sort_order = moved.sort_order, \
             revision = revision + 1, updated_at = $1 FROM moved WHERE tools.id = moved.id",
            values.join(", ")
        );
        self.execute(AssertSqlSafe(sql), params![actor.at]).await
    }
}

/// The tools whose position changes, as pairs of id and new position. `current` has the id and position of each tool.
fn changed_positions(current: &[(i64, i64)], leading_tools: &[ToolId]) -> std::result::Result<Vec<(i64, i64)>, Fault> {
    let server_tools: HashSet<i64> = current.iter().map(|(id, _)| *id).collect();
    let mut leading_ids = HashSet::new();
    for (index, id) in leading_tools.iter().enumerate() {
        if !server_tools.contains(&id.0) {
            let message = format!("tool_ids[{index}]: {id} is not a tool of this server.");
            return Err(Fault::invalid_value("tool_ids", message));
        }
        if !leading_ids.insert(id.0) {
            let message = format!("tool_ids[{index}]: {id} is given twice.");
            return Err(Fault::new("tool_ids", FaultKind::DuplicateItems, message));
        }
    }
    let others = current.iter().map(|(id, _)| *id).filter(|id| !leading_ids.contains(id));
    let order = leading_tools.iter().map(|id| id.0).chain(others);
    let old_positions: std::collections::HashMap<i64, i64> = current.iter().copied().collect();
    Ok((0..)
        .zip(order)
        .map(|(position, id)| (id, position))
        .filter(|(id, position)| old_positions.get(id) != Some(position))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[i64]) -> Vec<ToolId> {
        ids.iter().map(|id| ToolId(*id)).collect()
    }

    #[test]
    fn only_tools_that_move_are_written_and_the_others_follow_in_order() {
        let current = [(7, 0), (8, 1), (9, 99)];
        assert_eq!(changed_positions(&current, &ids(&[7, 8, 9])).unwrap(), [(9, 2)]);
        assert_eq!(changed_positions(&current, &ids(&[9])).unwrap(), [(9, 0), (7, 1), (8, 2)]);
    }

    #[test]
    fn errors_name_the_foreign_or_repeated_id() {
        let current = [(7, 0), (8, 1)];
        assert!(changed_positions(&current, &ids(&[7, 1])).unwrap_err().message.starts_with("tool_ids[1]: 1 is not"));
        assert!(changed_positions(&current, &ids(&[7, 7])).unwrap_err().message.contains("twice"));
    }
}
