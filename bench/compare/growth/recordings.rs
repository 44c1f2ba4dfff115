//! Databases of more and more recorded calls.

use std::time::Instant;

use super::{Step, wanted};
use crate::asks::Call;
use crate::cell::Cell;
use crate::gateways::{TOOLS, endpoint_of, serving};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::recorded;

const STEPS: [u64; 3] = [0, QUICK, 10_000_000];
/// More take minutes to fill.
const QUICK: u64 = 1_000_000;

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<Step> {
    let mut steps = Vec::new();
    for (calls, name) in wanted(plan, "recorded calls", STEPS) {
        if calls > QUICK && !plan.is_full {
            println!("{name}: left out, for it takes minutes to fill; FULL=1 has it");
            continue;
        }
        steps.push(step(&name, calls, upstream).await);
    }
    steps
}

async fn step(name: &str, calls: u64, upstream: &Nginx) -> Step {
    let mut app = serving("on");
    let api = app.client();
    recorded::furnish(&api).await;
    let endpoint = endpoint_of(&api, &upstream.origin(), TOOLS, 0).await;
    if calls > 0 {
        app.terminate();
        let began = Instant::now();
        recorded::fill(app.data_dir(), None, calls).await;
        println!("{calls} calls recorded in {:.0} s", began.elapsed().as_secs_f64());
        app.restart();
    }
    let call = Call::of(endpoint.bare(&app), TOOLS);
    Step::new(Cell::of_app(name, &app, call), app)
}
