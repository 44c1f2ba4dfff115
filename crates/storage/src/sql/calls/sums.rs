//! What the calls of a batch add up to, in memory: first by hour, tool and type of client, which is the one time that each
//! call is looked at; then by whatever is coarser, each from the next finer.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Scope, Totals};

use super::batch::Incoming;
use super::marks::outcome_bit;

/// Which row of `usage` a sum belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key {
    pub(super) scope: Scope,
    pub(super) grain: Grain,
    /// Empty for all together.
    pub(super) client_type: Arc<str>,
    pub(super) start: Timestamp,
}

/// What calls add up to, and how they ended.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) totals: Totals,
    /// Bits, as in [`Marks`](super::marks::Marks).
    pub(super) outcomes: i64,
}

impl Tally {
    pub(super) fn merge(&mut self, other: &Self) {
        self.totals.merge(&other.totals);
        self.outcomes |= other.outcomes;
    }
}

/// One row.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// Who may see it; 0 for the sums over everything.
    pub(super) user_id: i64,
    pub(super) tally: Tally,
}

/// Calls that are alike in this. What a level does not tell apart is 0.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Alike {
    user: UserId,
    server: ServerId,
    tool: ToolId,
    client_type: Arc<str>,
    start: Timestamp,
}

type Level = HashMap<Alike, Tally>;

/// The sums of a batch by hour, tool and type of client.
#[derive(Default)]
pub(super) struct Sums(Level);

impl Sums {
    pub(super) fn add(&mut self, calls: &[Incoming]) {
        for Incoming { client_type, record, .. } in calls {
            let alike = Alike {
                user: record.user_id,
                server: record.server_id,
                tool: record.tool_id,
                client_type: Arc::clone(client_type),
                start: Grain::Hour.start_of(record.at),
            };
            let tally = self.0.entry(alike).or_default();
            tally.totals.add(record);
            tally.outcomes |= outcome_bit(record.failure);
        }
    }

    /// The rows that they change, in the order of rows.
    pub(super) fn into_rows(self) -> Vec<(Key, Sum)> {
        let Self(tools) = self;
        let servers = fold(&tools, |alike| Alike { tool: ToolId(0), ..alike });
        let owners = fold(&servers, |alike| Alike { server: ServerId(0), ..alike });
        let all = fold(&owners, |alike| Alike { user: UserId(0), ..alike });
        let mut rows = HashMap::new();
        let ever = [Grain::Hour, Grain::Day, Grain::Ever];
        collect(&mut rows, tools, |alike| Scope::Tool(alike.tool), &ever);
        let periods = [Grain::Hour, Grain::Day];
        collect(&mut rows, servers, |alike| Scope::Server(alike.server), &periods);
        collect(&mut rows, owners, |alike| Scope::Owner(alike.user), &periods);
        collect(&mut rows, all, |_| Scope::All, &periods);
        let mut rows: Vec<(Key, Sum)> = rows.into_iter().collect();
        rows.sort_unstable_by(|one, other| one.0.cmp(&other.0)); // neighbours are written together
        rows
    }
}

/// Sums over what a coarser look makes alike.
fn fold(finer: &Level, coarser: impl Fn(Alike) -> Alike) -> Level {
    let mut sums = Level::new();
    for (alike, tally) in finer {
        sums.entry(coarser(alike.clone())).or_default().merge(tally);
    }
    sums
}

/// The rows of one level: for each type of client and for all together, for each grain.
fn collect(rows: &mut HashMap<Key, Sum>, level: Level, scope: impl Fn(&Alike) -> Scope, grains: &[Grain]) {
    let nobody: Arc<str> = "".into();
    let together = fold(&level, |alike| Alike { client_type: Arc::clone(&nobody), ..alike });
    for sums in [level, together] {
        for grain in grains {
            // All time is told for all clients together only.
            for (alike, tally) in sums.iter().filter(|(alike, _)| *grain != Grain::Ever || alike.client_type == nobody)
            {
                let key = Key {
                    scope: scope(alike),
                    grain: *grain,
                    client_type: Arc::clone(&alike.client_type),
                    start: grain.start_of(alike.start),
                };
                let sum = rows.entry(key).or_default();
                sum.user_id = alike.user.0;
                sum.tally.merge(tally);
            }
        }
    }
}
