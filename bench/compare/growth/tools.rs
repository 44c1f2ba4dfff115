//! Servers with a growing number of tools.

use super::{GrowthStep, included_steps};
use crate::gateways::{RecordingMode, ToolKind, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::ToolCallRequests;
use crate::target::BenchTarget;

const STEPS: [u64; 3] = [10, 100, 1000];

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<GrowthStep> {
    let mut steps = Vec::new();
    for (tools, name) in included_steps(plan, "tools in a server", STEPS) {
        let app = start_service(RecordingMode::On);
        let endpoint = create_endpoint(&app.client(), &upstream.origin(), tools, ToolKind::Plain).await;
        let calls = ToolCallRequests::new(endpoint.bare(&app), tools);
        steps.push(GrowthStep::new(BenchTarget::from_service(&name, &app, calls), app));
    }
    steps
}
