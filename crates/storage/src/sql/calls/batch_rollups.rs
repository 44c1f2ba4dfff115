//! In-memory rollups of a batch. Calls are added up once by hour, tool and client type; each coarser level is computed
//! from the next finer one.

use std::hash::Hash;
use std::sync::Arc;

use ahash::HashMap;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Totals, UsageScope};

use super::bitmask::outcome_bit;
use super::incoming_call::IncomingCall;

/// Primary key of a row of `usage`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RollupKey {
    pub(super) scope: UsageScope,
    pub(super) grain: Grain,
    /// Empty for all client types together.
    pub(super) client_type: Arc<str>,
    pub(super) start: Timestamp,
}

/// Totals and outcomes of calls.
#[derive(Debug, Default)]
pub(super) struct RollupTally {
    pub(super) totals: Totals,
    /// Bits as in [`CallBitmask::outcomes`](super::bitmask::CallBitmask::outcomes).
    pub(super) outcomes: i64,
}

impl RollupTally {
    pub(super) fn merge(&mut self, other: &Self) {
        self.totals.merge(&other.totals);
        self.outcomes |= other.outcomes;
    }
}

/// Values of a row of `usage`.
#[derive(Debug, Default)]
pub(super) struct Rollup {
    /// Owner of the calls; 0 for the rollups of the whole installation.
    pub(super) user_id: i64,
    pub(super) tally: RollupTally,
}

/// Grouping key of a level. Fields that the level does not distinguish are 0 or empty.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RollupGroup {
    user: UserId,
    server: ServerId,
    tool: ToolId,
    client_type: Arc<str>,
    start: Timestamp,
}

type RollupLevel = HashMap<RollupGroup, RollupTally>;

/// Rollups of a batch by hour, tool and client type.
#[derive(Default)]
pub(super) struct BatchRollups(RollupLevel);

impl BatchRollups {
    pub(super) fn add(&mut self, calls: &[IncomingCall]) {
        for IncomingCall { client_type, record, .. } in calls {
            let group = RollupGroup {
                user: record.user_id,
                server: record.server_id,
                tool: record.tool_id,
                client_type: Arc::clone(client_type),
                start: Grain::Hour.start_of(record.at),
            };
            let tally = self.0.entry(group).or_default();
            tally.totals.add(record);
            tally.outcomes |= outcome_bit(record.failure);
        }
    }

    /// The rows to add to `usage`, in the order of the primary key.
    pub(super) fn into_rows(self) -> Vec<(RollupKey, Rollup)> {
        let Self(tools) = self;
        let servers = fold(&tools, |group| RollupGroup { tool: ToolId(0), ..group });
        let owners = fold(&servers, |group| RollupGroup { server: ServerId(0), ..group });
        let all = fold(&owners, |group| RollupGroup { user: UserId(0), ..group });
        let mut rows = HashMap::default();
        let with_all_time = [Grain::Hour, Grain::Day, Grain::AllTime];
        add_rows(&mut rows, tools, |group| UsageScope::Tool(group.tool), &with_all_time);
        let periods = [Grain::Hour, Grain::Day];
        add_rows(&mut rows, servers, |group| UsageScope::Server(group.server), &periods);
        add_rows(&mut rows, owners, |group| UsageScope::Owner(group.user), &periods);
        add_rows(&mut rows, all, |_| UsageScope::All, &periods);
        let mut rows: Vec<(RollupKey, Rollup)> = rows.into_iter().collect();
        rows.sort_unstable_by(|(one, _), (other, _)| one.cmp(other)); // adjacent rows are written together
        rows
    }
}

/// Merges the groups that `coarser` maps to the same key.
fn fold(finer: &RollupLevel, coarser: impl Fn(RollupGroup) -> RollupGroup) -> RollupLevel {
    let mut rollups = RollupLevel::default();
    for (group, tally) in finer {
        rollups.entry(coarser(group.clone())).or_default().merge(tally);
    }
    rollups
}

/// Adds the rows of one level, for each grain: one for each client type and one for all client types together.
fn add_rows(
    rows: &mut HashMap<RollupKey, Rollup>,
    level: RollupLevel,
    scope: impl Fn(&RollupGroup) -> UsageScope,
    grains: &[Grain],
) {
    let all_clients: Arc<str> = "".into();
    let combined = fold(&level, |group| RollupGroup { client_type: Arc::clone(&all_clients), ..group });
    for rollups in [level, combined] {
        for grain in grains {
            // All-time rollups exist only for all client types together.
            for (group, tally) in
                rollups.iter().filter(|(group, _)| *grain != Grain::AllTime || group.client_type == all_clients)
            {
                let key = RollupKey {
                    scope: scope(group),
                    grain: *grain,
                    client_type: Arc::clone(&group.client_type),
                    start: grain.start_of(group.start),
                };
                let rollup = rows.entry(key).or_default();
                rollup.user_id = group.user.0;
                rollup.tally.merge(tally);
            }
        }
    }
}
