//! What the calls of a batch add up to, in memory: first by hour, tool and type of client, which is the one time that each
//! call is looked at; then by whatever is coarser, each from the next finer.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use domain::ids::{ServerId, ToolId, UserId};
use domain::time::Timestamp;
use domain::usage::{Grain, Scope, Totals};

use super::batch::Incoming;

/// Which row of `usage` a sum belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key {
    pub(super) scope: Scope,
    pub(super) grain: Grain,
    /// Empty for all together.
    pub(super) client_type: Arc<str>,
    pub(super) start: Timestamp,
}

/// One row.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// Who may see it; 0 for the sums over everything.
    pub(super) user_id: i64,
    pub(super) totals: Totals,
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

type Level = HashMap<Alike, Totals>;

/// The sums that a batch changes, in the order of their rows.
pub(super) fn add_up(calls: &[Incoming<'_>]) -> Vec<(Key, Sum)> {
    let tools = by_tool(calls);
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

fn by_tool(calls: &[Incoming<'_>]) -> Level {
    let mut sums = Level::new();
    for Incoming { client_type, record, .. } in calls {
        let alike = Alike {
            user: record.user_id,
            server: record.server_id,
            tool: record.tool_id,
            client_type: Arc::clone(client_type),
            start: Grain::Hour.start_of(record.at),
        };
        sums.entry(alike).or_default().add(record);
    }
    sums
}

/// Sums over what a coarser look makes alike.
fn fold(finer: &Level, coarser: impl Fn(Alike) -> Alike) -> Level {
    let mut sums = Level::new();
    for (alike, totals) in finer {
        sums.entry(coarser(alike.clone())).or_default().merge(totals);
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
            for (alike, totals) in sums.iter().filter(|(alike, _)| *grain != Grain::Ever || alike.client_type == nobody)
            {
                let key = Key {
                    scope: scope(alike),
                    grain: *grain,
                    client_type: Arc::clone(&alike.client_type),
                    start: grain.start_of(alike.start),
                };
                let sum = rows.entry(key).or_default();
                sum.user_id = alike.user.0;
                sum.totals.merge(totals);
            }
        }
    }
}
