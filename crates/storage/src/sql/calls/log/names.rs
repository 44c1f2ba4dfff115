//! Fills in the names that the calls of a page refer to.

use crate::calls::LoggedCall;
use crate::error::Result;
use crate::sql::object_names::{SELECT_SERVER_NAMES, SELECT_TOOL_NAMES};
use crate::sql::tx::Tx;

impl Tx {
    pub(super) async fn fill_names(&mut self, calls: &mut [LoggedCall]) -> Result<()> {
        let servers = self.read_names(&SELECT_SERVER_NAMES, calls.iter().map(|call| call.record.server_id.0)).await?;
        let tools = self.read_names(&SELECT_TOOL_NAMES, calls.iter().map(|call| call.record.tool_id.0)).await?;
        let credentials = self.credential_names(calls.iter().map(|call| call.record.origin.credential)).await?;
        for call in calls {
            call.server_name = servers.get(&call.record.server_id.0).cloned();
            call.tool_name = tools.get(&call.record.tool_id.0).cloned();
            call.credential_name = credentials.name(call.record.origin.credential);
        }
        Ok(())
    }
}
