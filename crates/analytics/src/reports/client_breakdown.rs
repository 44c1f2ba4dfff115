//! Calls by client type.

use std::cmp::Reverse;

use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::Totals;
use toolgate_domain::user::Visibility;
use toolgate_storage::{Result, Storage};

/// The calls of one client type.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientUsage {
    /// The type.
    pub client_type: String,
    /// Its calls.
    pub totals: Totals,
}

/// The client types with calls in a range of days, the busiest first.
pub async fn client_breakdown(
    storage: &dyn Storage,
    visibility: Visibility,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
) -> Result<Vec<ClientUsage>> {
    Ok(sort_by_calls(storage.usage_by_client(visibility, from, until).await?))
}

fn sort_by_calls(rollups: Vec<(String, Totals)>) -> Vec<ClientUsage> {
    let mut clients: Vec<ClientUsage> =
        rollups.into_iter().map(|(client_type, totals)| ClientUsage { client_type, totals }).collect();
    clients.sort_by(|a, b| (Reverse(a.totals.calls), &a.client_type).cmp(&(Reverse(b.totals.calls), &b.client_type)));
    clients
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_types_are_sorted_by_calls_then_by_name() {
        let rollups = [("b", 1), ("c", 5), ("a", 1)]
            .map(|(name, calls)| (name.to_owned(), Totals { calls, ..Totals::default() }));
        let order: Vec<String> = sort_by_calls(rollups.to_vec()).into_iter().map(|client| client.client_type).collect();
        assert_eq!(order, ["c", "a", "b"]);
    }
}
