//! Answers of more and more bytes, from an upstream that serves files; beside each the minimal program, with the same.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{BodyStep, GrowthStep};
use crate::gateways::{Minimal, TOOLS, create_endpoint, start_service};
use crate::nginx::Nginx;
use crate::plan::Plan;
use crate::requests::{FixedTextCall, McpCaller, ToolCallRequest};
use crate::target::BenchTarget;

/// Few, for each may have some answers of eight megabytes in hand.
pub(super) const CONNECTIONS: u64 = 4;

/// The last is the largest body that is read.
const STEPS: [(usize, &str, &str); 5] = [
    (1 << 10, "1k", "growth, body: 1 KB"),
    (16 << 10, "16k", "growth, body: 16 KB"),
    (128 << 10, "128k", "growth, body: 128 KB"),
    (1 << 20, "1m", "growth, body: 1 MB"),
    (8 << 20, "8m", "growth, body: 8 MB"),
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
    let origin = format!("{}/{file}", upstream.origin());
    let app = start_service("on");
    let endpoint = create_endpoint(&app.client(), &origin, TOOLS, 0).await;
    let target = BenchTarget::from_service(name, &app, request_for(endpoint.bare(&app), body));
    let process = Minimal::start(&origin, &json!({"tools": []}));
    let minimal = BenchTarget::from_minimal(name, &process, request_for(process.caller(), body));
    let body = BodyStep { bytes: body.len() as u64, minimal, _process: process, _upstream: Arc::clone(upstream) };
    GrowthStep { body: Some(body), ..GrowthStep::new(target, app) }
}

fn request_for(caller: McpCaller, body: &str) -> FixedTextCall {
    FixedTextCall { call: ToolCallRequest::new(caller, TOOLS), text: Value::from(body).to_string().into_bytes() }
}

/// A list of items like those of many APIs, of exactly so many bytes.
fn body(bytes: usize) -> String {
    let mut text = "[".to_owned();
    for number in 0.. {
        let item = json!({"id": number, "name": format!("Item {number}"), "text": "x".repeat(60), "is_new": false});
        let item = format!("{item},");
        if text.len() + item.len() > bytes - 20 {
            break;
        }
        text += &item;
    }
    let rest = bytes - text.len() - 3;
    text + "\"" + &"x".repeat(rest) + "\"]"
}
