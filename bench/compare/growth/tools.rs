//! Servers of more and more tools.

use super::{Step, wanted};
use crate::asks::Call;
use crate::cell::Cell;
use crate::gateways::{endpoint_of, serving};
use crate::nginx::Nginx;
use crate::plan::Plan;

const STEPS: [u64; 3] = [10, 100, 1000];

pub(super) async fn steps(plan: &Plan, upstream: &Nginx) -> Vec<Step> {
    let mut steps = Vec::new();
    for (tools, name) in wanted(plan, "tools of a server", STEPS) {
        let app = serving("on");
        let endpoint = endpoint_of(&app.client(), &upstream.origin(), tools, 0).await;
        let call = Call::of(endpoint.bare(&app), tools);
        steps.push(Step::new(Cell::of_app(&name, &app, call), app));
    }
    steps
}
