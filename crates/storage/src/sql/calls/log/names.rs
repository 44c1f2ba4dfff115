//! Names of the servers and tools of calls, or their last names if they were deleted.

use std::collections::{BTreeSet, HashMap};

use crate::calls::LoggedCall;
use crate::error::Result;
use crate::sql::bulk::BulkStatement;
use crate::sql::tx::Tx;

static SELECT_SERVER_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, COALESCE((SELECT s.name FROM servers s WHERE s.id = w.id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'server' AND f.id = w.id)) AS name FROM wanted w",
);

static SELECT_TOOL_NAMES: BulkStatement = BulkStatement::new(
    "WITH wanted (id) AS (VALUES ",
    1,
    ") SELECT w.id, COALESCE((SELECT t.name FROM tools t WHERE t.id = w.id), \
     (SELECT f.name FROM former_names f WHERE f.kind = 'tool' AND f.id = w.id)) AS name FROM wanted w",
);

impl Tx {
    pub(super) async fn fill_names(&mut self, calls: &mut [LoggedCall]) -> Result<()> {
        let servers = self.read_names(&SELECT_SERVER_NAMES, calls.iter().map(|call| call.record.server_id.0)).await?;
        let tools = self.read_names(&SELECT_TOOL_NAMES, calls.iter().map(|call| call.record.tool_id.0)).await?;
        for call in calls {
            call.server_name = servers.get(&call.record.server_id.0).cloned();
            call.tool_name = tools.get(&call.record.tool_id.0).cloned();
        }
        Ok(())
    }

    async fn read_names(
        &mut self,
        select: &BulkStatement,
        ids: impl Iterator<Item = i64>,
    ) -> Result<HashMap<i64, String>> {
        let ids: Vec<i64> = ids.collect::<BTreeSet<_>>().into_iter().collect();
        let mut names = HashMap::new();
        for row in self.fetch_bulk(select, &ids, |id, values| values.add(*id)).await? {
            if let Some(name) = row.opt_text("name")? {
                names.insert(row.int("id")?, name);
            }
        }
        Ok(names)
    }
}
