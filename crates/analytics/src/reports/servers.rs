//! Calls by server, for a given list of servers.

use std::collections::HashMap;

use toolgate_domain::ids::ServerId;
use toolgate_domain::usage::Totals;
use toolgate_storage::{Result, ServerUsageQuery, Storage};

/// Maximum number of servers in one report.
pub const SERVERS_MAX: u32 = 100;
/// Maximum number of daily rollups that one report reads.
pub const SERVER_DAYS_MAX: u64 = 40_000;

/// The calls of one server.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerUsage {
    /// The server.
    pub server_id: ServerId,
    /// Its calls.
    pub totals: Totals,
}

/// The calls of each requested server, in the requested order.
pub async fn servers(storage: &dyn Storage, query: &ServerUsageQuery) -> Result<Vec<ServerUsage>> {
    Ok(in_requested_order(&query.servers, storage.usage_by_server(query).await?))
}

fn in_requested_order(requested: &[ServerId], mut rollups: HashMap<ServerId, Totals>) -> Vec<ServerUsage> {
    let usage = |id: &ServerId| ServerUsage { server_id: *id, totals: rollups.remove(id).unwrap_or_default() };
    requested.iter().map(usage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_requested_server_is_reported_in_the_requested_order() {
        let rollups = HashMap::from([(ServerId(1), Totals { calls: 5, ..Totals::default() })]);
        let usage = in_requested_order(&[ServerId(7), ServerId(1)], rollups);
        assert_eq!(
            usage.iter().map(|server| (server.server_id.0, server.totals.calls)).collect::<Vec<_>>(),
            [(7, 0), (1, 5)]
        );
    }
}
