//! More and more connections that were used once and now wait.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{Step, wanted};
use crate::asks::Call;
use crate::cell::Cell;
use crate::gateways::{TOOLS, endpoint_of, serving};
use crate::load::Connection;
use crate::nginx::Nginx;
use crate::plan::Plan;

const STEPS: [u64; 4] = [1, 100, 1000, MOST];
const MOST: u64 = 10_000;
/// With the most of them.
const GOAL_MIB: u64 = 200;
/// Descriptors for everything else.
const SPARE: u64 = 300;
/// So many are opened at a time.
const OPENERS: usize = 64;

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<Step> {
    let mut steps = Vec::new();
    for (idle, name) in wanted(plan, "idle connections", STEPS) {
        if idle + SPARE > open_files_max() {
            println!("{name}: left out, for `ulimit -n` is {}", open_files_max());
            continue;
        }
        let app = serving("on");
        let endpoint = endpoint_of(&app.client(), &upstream.origin(), TOOLS, 0).await;
        let call = Call::of(endpoint.bare(&app), TOOLS);
        let goal_mib = (idle == MOST).then_some(GOAL_MIB);
        steps.push(Step { idle, goal_mib, ..Step::new(Cell::of_app(&name, &app, call), app) });
    }
    steps
}

/// What a process may open, this one and those that it starts.
fn open_files_max() -> u64 {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|soft| soft.parse().ok()).unwrap_or(u64::MAX)
}

/// Connections that wait. The service closes one that waits for ten seconds, so they are made anew for each measurement.
pub(super) struct Idle(Vec<Connection>);

impl Idle {
    /// Opens connections and makes one call over each.
    pub(super) async fn open(cell: &Cell, count: u64, first: u64) -> Self {
        let mut openers = JoinSet::new();
        for opener in (0..count).take(OPENERS) {
            let (address, ask) = (cell.address.clone(), Arc::clone(&cell.ask));
            openers.spawn(async move {
                let mut opened = Vec::new();
                for number in (opener..count).step_by(OPENERS) {
                    let mut connection = Connection::open(&address).await;
                    connection.ask(&*ask, first + number).await;
                    opened.push(connection);
                }
                opened
            });
        }
        Self(openers.join_all().await.into_iter().flatten().collect())
    }

    /// How many the service has closed meanwhile.
    pub(super) fn closed(&self) -> usize {
        self.0.iter().filter(|connection| !connection.is_waiting()).count()
    }
}
