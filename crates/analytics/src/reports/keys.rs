//! Calls by server and key.

use std::cmp::Reverse;

use toolgate_domain::ids::ServerId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::{KeyUsage, KeyUsageQuery, Result, Storage, UsageByKey};

/// Maximum number of daily rollups that one report reads; if there are more, the caller must select a shorter range or
/// a server.
pub const KEY_ROLLUPS_MAX: u32 = 40_000;

/// The keys to report.
#[derive(Clone, Copy, Debug)]
pub struct KeysQuery {
    /// The objects that the caller can see.
    pub visibility: Visibility,
    /// Only calls of this server.
    pub server: Option<ServerId>,
    /// Only days that start at or after this time.
    pub from: Timestamp,
    /// Only days that start before this time.
    pub until: Timestamp,
}

/// The servers and keys with their calls, the busiest first, unless there are too many.
pub async fn keys(storage: &dyn Storage, query: &KeysQuery) -> Result<UsageByKey> {
    let KeysQuery { visibility, server, from, until } = *query;
    let query = KeyUsageQuery { visibility, server, from, until, rollups_max: KEY_ROLLUPS_MAX };
    Ok(match storage.usage_by_key(&query).await? {
        UsageByKey::Keys(keys) => UsageByKey::Keys(sort_by_calls(keys)),
        UsageByKey::TooManyRollups => UsageByKey::TooManyRollups,
    })
}

fn sort_by_calls(mut keys: Vec<KeyUsage>) -> Vec<KeyUsage> {
    keys.sort_by_key(|key| (Reverse(key.totals.calls), key.server_id, key.credential));
    keys
}

#[cfg(test)]
mod tests {
    use toolgate_domain::call::CallCredential;
    use toolgate_domain::ids::EndpointKeyId;
    use toolgate_domain::usage::Totals;

    use super::*;

    #[test]
    fn the_busiest_key_is_first_and_equal_keys_have_a_fixed_order() {
        let key = |server, key, calls| KeyUsage {
            totals: Totals { calls, ..Totals::default() },
            ..KeyUsage::new(ServerId(server), String::new(), CallCredential::EndpointKey(EndpointKeyId(key)))
        };
        let sorted = sort_by_calls(vec![key(2, 1, 5), key(1, 9, 5), key(1, 3, 5), key(7, 7, 8)]);
        let order: Vec<(i64, i64)> = sorted.iter().map(|key| (key.server_id.0, key.credential.numbers().1)).collect();
        assert_eq!(order, [(7, 7), (1, 3), (1, 9), (2, 1)]);
    }
}
