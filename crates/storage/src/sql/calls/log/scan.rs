//! The scan for a page: its scope, range and filters, and the queries for the next blocks.

use std::collections::BTreeSet;

use toolgate_domain::call::{CallCredential, CallId};
use toolgate_domain::ids::UserId;
use toolgate_domain::time::{HOUR_MS, Timestamp};
use toolgate_domain::usage::{Grain, UsageScope};

use super::call_access::CallAccess;
use crate::calls::CallQuery;
use crate::error::Result;
use crate::sql::calls::bitmask::{CallBitmask, address_bit, client_bit, credential_bit};
use crate::sql::calls::client_types::stored_type;
use crate::sql::calls::span;
use crate::sql::row::params;
use crate::sql::tx::Tx;
use crate::sql::usage_columns::{grain_number, scope_numbers};

/// A bitmask with all bits.
const ALL_BITS: i64 = -1;

pub(super) const BLOCK_KEYS_SQL: &str = "SELECT block FROM call_index WHERE scope = $1 AND scope_id = $2 AND block >= $3 \
     AND block < $4 AND oldest < $5 AND (outcomes & $6) <> 0 AND (client_types & $7) <> 0 AND (credentials & $8) <> 0 \
     AND (addresses & $9) <> 0 ORDER BY block DESC LIMIT $10";

/// Maximum number of shared servers whose index entries are read separately; with more, the scan reads the blocks of
/// all servers.
const SHARED_SCOPES_MAX: usize = 32;

/// A scan of the ids from `from`, inclusive, to `before`, exclusive, newest first.
#[derive(Clone)]
pub(super) struct LogScan {
    /// The scopes that together have all matching calls, and possibly others.
    pub(super) scopes: Vec<UsageScope>,
    before: i64,
    from: i64,
    outcomes: i64,
    /// The name under which the type is stored.
    client_type: Option<String>,
    /// Bits as in [`CallBitmask::credentials`].
    credentials: i64,
    /// Bits as in [`CallBitmask::addresses`].
    addresses: i64,
}

/// A part of the scan: blocks from `from`, inclusive, to `end`, exclusive.
#[derive(Clone, Copy, Debug)]
pub(super) struct IdRange {
    pub(super) from: i64,
    pub(super) end: i64,
}

impl IdRange {
    pub(super) const ALL: Self = Self { from: 0, end: i64::MAX };
}

impl LogScan {
    pub(super) fn new(query: &CallQuery, access: &CallAccess) -> Self {
        let ends = [query.before, query.until.map(CallId::first_at)];
        let scopes = match (query.tool, query.server, access.user) {
            (Some(tool), _, _) => vec![UsageScope::Tool(tool)],
            (None, Some(server), _) => vec![UsageScope::Server(server)],
            (None, None, Some(user)) if access.shared.len() <= SHARED_SCOPES_MAX => {
                let owner = UsageScope::Owner(UserId(user));
                std::iter::once(owner).chain(access.shared_servers().map(UsageScope::Server)).collect()
            }
            (None, None, _) => vec![UsageScope::All],
        };
        // If the query names two credentials, no call matches, so either bit will do.
        let credential = query.caller.or(query.endpoint_key.map(CallCredential::EndpointKey));
        Self {
            scopes,
            before: ends.into_iter().flatten().map(|id| id.0).min().unwrap_or(i64::MAX),
            from: query.first_id().0,
            outcomes: query.outcome.map_or(ALL_BITS, CallBitmask::for_outcome),
            client_type: query.client_type.as_deref().map(|name| stored_type(name).into_owned()),
            credentials: credential.map_or(ALL_BITS, credential_bit),
            addresses: query.client_address.map_or(ALL_BITS, address_bit),
        }
    }

    /// A scan of all blocks of the same scope.
    pub(super) fn without_filters(&self) -> Self {
        Self {
            scopes: self.scopes.clone(),
            before: i64::MAX,
            from: 0,
            outcomes: ALL_BITS,
            client_type: None,
            credentials: ALL_BITS,
            addresses: ALL_BITS,
        }
    }

    /// A scan that ends at the span of this block. Rollups outlive the calls, so they also have hours without blocks.
    pub(super) fn not_before(&self, block: i64) -> Self {
        Self { from: self.from.max(span::start(CallId(block)).0), ..self.clone() }
    }

    /// Whether the query filters by outcome, client type or origin, so that blocks of the scope may have no match.
    pub(super) fn is_selective(&self) -> bool {
        self.client_type.is_some() || [self.outcomes, self.credentials, self.addresses] != [ALL_BITS; 3]
    }

    /// The newest id of the scan.
    pub(super) fn newest(&self) -> i64 {
        self.before.saturating_sub(1)
    }

    /// The range of all blocks of the scan. Its newest blocks may also have calls that are newer than the scan.
    pub(super) fn whole_range(&self) -> IdRange {
        IdRange { from: self.from, end: span::end(CallId(self.newest())).0 }
    }

    /// Whether `range` is the last part of the scan.
    pub(super) fn is_last_range(&self, range: IdRange) -> bool {
        range.from == self.from
    }

    /// The part of the scan that lies in an hour.
    pub(super) fn hour_range(&self, hour: Timestamp) -> IdRange {
        let end = hour.plus_millis(HOUR_MS);
        let whole = self.whole_range();
        IdRange { from: whole.from.max(CallId::first_at(hour).0), end: whole.end.min(CallId::first_at(end).0) }
    }
}

impl Tx {
    /// Keys of the newest blocks in `range` that can have matching calls, at most `limit`.
    pub(super) async fn block_keys(&mut self, scan: &LogScan, range: IdRange, limit: usize) -> Result<Vec<i64>> {
        let client_types = scan.client_type.as_deref().map_or(ALL_BITS, client_bit);
        let limit_param = i64::try_from(limit).unwrap_or(i64::MAX);
        let IdRange { from, end } = range;
        let LogScan { before, outcomes, credentials, addresses, .. } = *scan;
        let mut keys = BTreeSet::new();
        for (scope, scope_id) in scan.scopes.iter().copied().map(scope_numbers) {
            let mut params = params![scope, scope_id, from, end, before, outcomes, client_types];
            params.extend(params![credentials, addresses, limit_param]);
            for row in self.fetch_all(BLOCK_KEYS_SQL, params).await? {
                keys.insert(row.int("block")?);
            }
        }
        Ok(keys.into_iter().rev().take(limit).collect())
    }

    /// Key of the oldest block of the scopes.
    pub(super) async fn oldest_block(&mut self, scan: &LogScan) -> Result<Option<i64>> {
        let sql = "SELECT block FROM call_index WHERE scope = $1 AND scope_id = $2 ORDER BY block LIMIT 1";
        let mut oldest = None;
        for (scope, scope_id) in scan.scopes.iter().copied().map(scope_numbers) {
            if let Some(row) = self.fetch_optional(sql, params![scope, scope_id]).await? {
                let block = row.int("block")?;
                oldest = Some(oldest.map_or(block, |oldest: i64| oldest.min(block)));
            }
        }
        Ok(oldest)
    }

    /// The newest hour up to the id `newest` that has matching calls according to the rollups.
    pub(super) async fn newest_matching_hour(&mut self, scan: &LogScan, newest: i64) -> Result<Option<Timestamp>> {
        let sql = "SELECT start FROM usage WHERE scope = $1 AND scope_id = $2 AND grain = $3 AND client_type = $4 \
                   AND start >= $5 AND start <= $6 AND (outcomes & $7) <> 0 ORDER BY start DESC LIMIT 1";
        let client_type = scan.client_type.as_deref().unwrap_or_default();
        let oldest = Grain::Hour.start_of(CallId(scan.from).time());
        let newest = CallId(newest).time();
        let grain = grain_number(Grain::Hour);
        let mut newest_hour = None;
        for (scope, scope_id) in scan.scopes.iter().copied().map(scope_numbers) {
            let params = params![scope, scope_id, grain, client_type, oldest, newest, scan.outcomes];
            let hour = self.fetch_optional(sql, params).await?.map(|row| row.time("start")).transpose()?;
            newest_hour = newest_hour.max(hour);
        }
        Ok(newest_hour)
    }
}
