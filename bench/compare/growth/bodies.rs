//! Response bodies of growing size, from an upstream that serves files; compared with the minimal gateway.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{BodyStep, GrowthStep};
use crate::gateways::{MinimalGatewayProcess, RecordingMode, TOOLS, ToolKind, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::{BenchClient, FixedTextCalls, ToolCallRequests};
use crate::target::BenchTarget;

/// Number of connections; small, because each may hold several responses of 8 MiB in memory.
pub(super) const CONNECTIONS: u64 = 4;

/// Size, file name and row name. The last size is the largest body that Toolgate reads.
const STEPS: [(usize, &str, &str); 5] = [
    (1 << 10, "1k", "growth, response body: 1 KiB"),
    (16 << 10, "16k", "growth, response body: 16 KiB"),
    (128 << 10, "128k", "growth, response body: 128 KiB"),
    (1 << 20, "1m", "growth, response body: 1 MiB"),
    (8 << 20, "8m", "growth, response body: 8 MiB"),
];

pub(super) async fn steps(plan: &Plan) -> Vec<GrowthStep> {
    let included: Vec<_> = STEPS.into_iter().filter(|(_, _, name)| plan.includes(name)).collect();
    let bodies: Vec<_> = included.iter().map(|(bytes, _, _)| body(*bytes)).collect();
    let files: Vec<_> = included.iter().zip(&bodies).map(|((_, file, _), body)| (*file, body.as_bytes())).collect();
    if included.is_empty() {
        return Vec::new();
    }
    let upstream = Arc::new(Nginx::bodies(&files));
    let mut steps = Vec::new();
    for ((_, file, name), body) in included.iter().zip(&bodies) {
        steps.push(step(name, &upstream, file, body).await);
    }
    steps
}

async fn step(name: &str, upstream: &Arc<Nginx>, file: &str, body: &str) -> GrowthStep {
    let base_url = format!("{}/{file}", upstream.origin());
    let app = start_service(RecordingMode::On);
    let endpoint = create_endpoint(&app.client(), &base_url, TOOLS, ToolKind::Plain).await;
    let target = BenchTarget::from_service(name, &app, calls_for(endpoint.bare(&app), body));
    let process = MinimalGatewayProcess::start(&base_url, &json!({"tools": []}));
    let minimal = BenchTarget::from_minimal_gateway(name, &process, calls_for(process.client(), body));
    let body_step = BodyStep { bytes: body.len() as u64, minimal, _process: process, _upstream: Arc::clone(upstream) };
    GrowthStep { body: Some(body_step), ..GrowthStep::new(target, app) }
}

fn calls_for(client: BenchClient, body: &str) -> FixedTextCalls {
    FixedTextCalls { calls: ToolCallRequests::new(client, TOOLS), text: Value::from(body).to_string().into_bytes() }
}

/// A JSON list of items, as many APIs return it, of exactly `bytes` bytes.
fn body(bytes: usize) -> String {
    let mut text = "[".to_owned();
    for number in 0.. {
        let item = json!({"id": number, "name": format!("Item {number}"), "text": "x".repeat(60), "is_new": false});
        let item = format!("{item},");
        // Leaves 20 bytes for the final string, which fills the body to its exact size.
        if text.len() + item.len() > bytes - 20 {
            break;
        }
        text += &item;
    }
    // Three bytes are for the quotes and the closing bracket.
    let padding = bytes - text.len() - 3;
    text + "\"" + &"x".repeat(padding) + "\"]"
}
