//! Databases with a growing number of recorded calls.

use std::time::Instant;

use super::{GrowthStep, included_steps};
use crate::gateways::{RecordingMode, TOOLS, ToolKind, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::recorded_calls;
use crate::requests::ToolCallRequests;
use crate::target::BenchTarget;

const STEPS: [u64; 3] = [0, QUICK_CALLS_MAX, 10_000_000];
/// Maximum number of calls in a database that is filled in less than a minute. Larger ones need `FULL=1`.
const QUICK_CALLS_MAX: u64 = 1_000_000;

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<GrowthStep> {
    let mut steps = Vec::new();
    for (recorded_count, name) in included_steps(plan, "recorded calls", STEPS) {
        if recorded_count > QUICK_CALLS_MAX && !plan.is_full {
            println!("{name}: skipped, because it takes minutes to fill; set FULL=1 to include it");
            continue;
        }
        steps.push(step(&name, recorded_count, upstream).await);
    }
    steps
}

async fn step(name: &str, recorded_count: u64, upstream: &Nginx) -> GrowthStep {
    let mut app = start_service(RecordingMode::On);
    let api = app.client();
    recorded_calls::create_servers(&api).await;
    let endpoint = create_endpoint(&api, &upstream.origin(), TOOLS, ToolKind::Plain).await;
    if recorded_count > 0 {
        app.terminate();
        let began = Instant::now();
        recorded_calls::fill(app.data_dir(), None, recorded_count).await;
        println!("{recorded_count} calls recorded in {:.0} s", began.elapsed().as_secs_f64());
        app.restart();
    }
    let calls = ToolCallRequests::new(endpoint.bare(&app), TOOLS);
    GrowthStep::new(BenchTarget::from_service(name, &app, calls), app)
}
