//! Calls by server, of servers that somebody names.

use std::collections::HashMap;

use toolgate_domain::ids::ServerId;
use toolgate_domain::usage::Totals;
use toolgate_storage::{Result, ServerUsageQuery, Storage};

/// Most servers that are told of together: a page of them.
pub const SERVERS_MAX: u32 = 100;
/// Most days of servers that are added up.
pub const SERVER_DAYS_MAX: u64 = 40_000;

/// The calls of one server.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerUsage {
    /// The server.
    pub server_id: ServerId,
    /// Its calls.
    pub totals: Totals,
}

/// The calls of each server that was named, in that order.
pub async fn servers(storage: &dyn Storage, query: &ServerUsageQuery) -> Result<Vec<ServerUsage>> {
    Ok(in_order(&query.servers, storage.usage_by_server(query).await?))
}

fn in_order(named: &[ServerId], mut sums: HashMap<ServerId, Totals>) -> Vec<ServerUsage> {
    let told = named.iter().map(|id| ServerUsage { server_id: *id, totals: sums.remove(id).unwrap_or_default() });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_server_that_was_named_is_told_of_in_that_order() {
        let sums = HashMap::from([(ServerId(1), Totals { calls: 5, ..Totals::default() })]);
        let told = in_order(&[ServerId(7), ServerId(1)], sums);
        assert_eq!(
            told.iter().map(|server| (server.server_id.0, server.totals.calls)).collect::<Vec<_>>(),
            [(7, 0), (1, 5)]
        );
    }
}
