//! Databases with a growing number of recorded calls.

use std::time::Instant;

use super::{GrowthStep, included_steps};
use crate::gateways::{TOOLS, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::recorded_calls;
use crate::requests::ToolCallRequest;
use crate::target::BenchTarget;

const STEPS: [u64; 3] = [0, QUICK_CALLS_MAX, 10_000_000];
/// Larger databases take minutes to fill.
const QUICK_CALLS_MAX: u64 = 1_000_000;

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<GrowthStep> {
    let mut steps = Vec::new();
    for (calls, name) in included_steps(plan, "recorded calls", STEPS) {
        if calls > QUICK_CALLS_MAX && !plan.is_full {
            println!("{name}: skipped, because it takes minutes to fill; set FULL=1 to include it");
            continue;
        }
        steps.push(step(&name, calls, upstream).await);
    }
    steps
}

async fn step(name: &str, calls: u64, upstream: &Nginx) -> GrowthStep {
    let mut app = start_service("on");
    let api = app.client();
    recorded_calls::create_servers(&api).await;
    let endpoint = create_endpoint(&api, &upstream.origin(), TOOLS, 0).await;
    if calls > 0 {
        app.terminate();
        let began = Instant::now();
        recorded_calls::fill(app.data_dir(), None, calls).await;
        println!("{calls} calls recorded in {:.0} s", began.elapsed().as_secs_f64());
        app.restart();
    }
    let call = ToolCallRequest::new(endpoint.bare(&app), TOOLS);
    GrowthStep::new(BenchTarget::from_service(name, &app, call), app)
}
