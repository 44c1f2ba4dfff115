//! What the calls of a batch add up to, in memory: first by hour, tool and type of client, which is the one time that each
//! call is looked at; then by whatever is coarser, each from the next finer.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Totals, UsageScope};

use super::batch::IncomingCall;
use super::bitmask::outcome_bit;

/// Which row of `usage` a sum belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RollupKey {
    pub(super) scope: UsageScope,
    pub(super) grain: Grain,
    /// Empty for all together.
    pub(super) client_type: Arc<str>,
    pub(super) start: Timestamp,
}

/// What calls add up to, and how they ended.
#[derive(Debug, Default)]
pub(super) struct RollupTally {
    pub(super) totals: Totals,
    /// Bits, as in [`CallBitmask`](super::marks::Marks).
    pub(super) outcomes: i64,
}

impl RollupTally {
    pub(super) fn merge(&mut self, other: &Self) {
        self.totals.merge(&other.totals);
        self.outcomes |= other.outcomes;
    }
}

/// One row.
#[derive(Debug, Default)]
pub(super) struct Rollup {
    /// Who may see it; 0 for the sums over everything.
    pub(super) user_id: i64,
    pub(super) tally: RollupTally,
}

/// Calls that are alike in this. What a level does not tell apart is 0.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RollupGroup {
    user: UserId,
    server: ServerId,
    tool: ToolId,
    client_type: Arc<str>,
    start: Timestamp,
}

type RollupLevel = HashMap<RollupGroup, RollupTally>;

/// The sums of a batch by hour, tool and type of client.
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

    /// The rows that they change, in the order of rows.
    pub(super) fn into_rows(self) -> Vec<(RollupKey, Rollup)> {
        let Self(tools) = self;
        let servers = fold(&tools, |group| RollupGroup { tool: ToolId(0), ..group });
        let owners = fold(&servers, |group| RollupGroup { server: ServerId(0), ..group });
        let all = fold(&owners, |group| RollupGroup { user: UserId(0), ..group });
        let mut rows = HashMap::new();
        let ever = [Grain::Hour, Grain::Day, Grain::AllTime];
        collect(&mut rows, tools, |group| UsageScope::Tool(group.tool), &ever);
        let periods = [Grain::Hour, Grain::Day];
        collect(&mut rows, servers, |group| UsageScope::Server(group.server), &periods);
        collect(&mut rows, owners, |group| UsageScope::Owner(group.user), &periods);
        collect(&mut rows, all, |_| UsageScope::All, &periods);
        let mut rows: Vec<(RollupKey, Rollup)> = rows.into_iter().collect();
        rows.sort_unstable_by(|one, other| one.0.cmp(&other.0)); // neighbours are written together
        rows
    }
}

/// Sums over what a coarser look makes alike.
fn fold(finer: &RollupLevel, coarser: impl Fn(RollupGroup) -> RollupGroup) -> RollupLevel {
    let mut rollups = RollupLevel::new();
    for (group, tally) in finer {
        rollups.entry(coarser(group.clone())).or_default().merge(tally);
    }
    rollups
}

/// The rows of one level: for each type of client and for all together, for each grain.
fn collect(
    rows: &mut HashMap<RollupKey, Rollup>,
    level: RollupLevel,
    scope: impl Fn(&RollupGroup) -> UsageScope,
    grains: &[Grain],
) {
    let all_clients: Arc<str> = "".into();
    let combined = fold(&level, |group| RollupGroup { client_type: Arc::clone(&all_clients), ..group });
    for rollups in [level, combined] {
        for grain in grains {
            // All time is told for all clients together only.
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
