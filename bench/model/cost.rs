//! The CPU time of shaping, searching, estimating and masking, on one thread.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::Value;
use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::{NEW_TOOL_SHAPING, Shaping};
use toolgate_domain::tokens::estimate;
use toolgate_execution::content;
use toolgate_execution::egress::UpstreamResponse;
use toolgate_execution::tool::CompiledTool;
use toolgate_shaping::{Part, ShapingInput, shape};
use toolgate_testkit::generated_tools::{GeneratedTool, generated_tools};

use crate::lists::index;
use crate::masking::{SECRET, tool_with_secret, tool_without_secrets};
use crate::responses;

/// The size of the measured body.
const BODY_BYTES: usize = 300_000;
/// Names of queries and the queries: one whose words are spelt correctly, and one with a typing error in most words.
const QUERIES: [(&str, &str); 2] =
    [("plain", "show unpaid invoices"), ("typing errors", "exprot invoizes sprdsheet custmers")];
/// Many short rounds, of which the fastest is reported: other programs on the machine interrupt some of them. A debug
/// build only checks that the measurements run.
const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 50 };
/// The minimum duration of a round, in microseconds.
const ROUND_US: f64 = 2_000.0;

/// One measured step.
pub(crate) struct CostFigure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

pub(crate) fn measure() -> Vec<CostFigure> {
    let body = responses::issues(BODY_BYTES);
    let mut figures = shaping(&body);
    figures.extend(masking(&body));
    figures.extend(searching());
    figures
}

fn shaping(body: &str) -> Vec<CostFigure> {
    let answer = ShapingInput { body, media_type: "application/json", reference: Some("r_7Kq2mDxYz0123456") };
    let new_tool = Shaping::parse(&JsonObject::from_stored(NEW_TOOL_SHAPING.to_owned())).unwrap_or_default();
    let response = response(body);
    let per_kb = |us: f64| us * 1_000.0 / kilobytes(body);
    let off = microseconds(|| {
        let mut out = Vec::new();
        content::write_json(&content::to_block(&response), &mut out);
        out
    });
    let on = microseconds(|| shape(&answer, &new_tool, Part::Start, None));
    let parsed = microseconds(|| serde_json::from_str::<Value>(body).map(|value| value.to_string()));
    let estimated = microseconds(|| estimate(body));
    let hashed =
        microseconds(|| body.bytes().fold(0_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)));
    let speed = |us: f64| f64::from(u32::try_from(body.len()).unwrap_or(u32::MAX)) / us;
    vec![
        figure("body to text block, shaping off", per_kb(off), "ns/KB"),
        figure("shaping with the rules of a new tool", per_kb(on), "ns/KB"),
        figure("shaping 300 KB", on / 1_000.0, "ms"),
        figure("reference: serde_json, parse and write", per_kb(parsed), "ns/KB"),
        figure("estimator", speed(estimated), "MB/s"),
        figure("reference: a multiplication for each byte", speed(hashed), "MB/s"),
    ]
}

fn masking(body: &str) -> Vec<CostFigure> {
    let (plain, secret) = (tool_without_secrets(), tool_with_secret());
    let clean = Arc::new(response(body));
    let echoed = Arc::new(response(&body.replacen("\"title\":\"", &format!("\"title\":\"{SECRET} "), 1)));
    let per_kb = |us: f64| us * 1_000.0 / kilobytes(body);
    let mask = |tool: &CompiledTool, response: &Arc<UpstreamResponse>| {
        let arguments = tool.validate(None).expect("the tool needs no arguments");
        microseconds(|| tool.mask_response(&arguments, Arc::clone(response)))
    };
    vec![
        figure("masking, tool without a secret", mask(&plain, &clean) * 1_000.0, "ns"),
        figure("masking, secret not in the body", per_kb(mask(&secret, &clean)), "ns/KB"),
        figure("masking, secret in the body", per_kb(mask(&secret, &echoed)), "ns/KB"),
    ]
}

fn searching() -> Vec<CostFigure> {
    let mut tools = generated_tools();
    let more: Vec<GeneratedTool> = tools.iter().take(1_000 - tools.len()).cloned().collect();
    tools.extend(more);
    let searched = index(&tools);
    let mut figures: Vec<CostFigure> = QUERIES
        .iter()
        .map(|(name, query)| {
            let us = microseconds(|| searched.search(query, 8, |_| true, |_| 0));
            figure(&format!("search of 1,000 tools, {name}"), us, "us")
        })
        .collect();
    figures.push(figure("search index of 1,000 tools, building", microseconds(|| index(&tools)) / 1_000.0, "ms"));
    let kib = f64::from(u32::try_from(searched.size_bytes()).unwrap_or(u32::MAX)) / 1024.0;
    figures.push(figure("search index of 1,000 tools, size", kib, "KiB"));
    figures
}

fn figure(name: &str, value: f64, unit: &'static str) -> CostFigure {
    CostFigure { name: name.to_owned(), value, unit }
}

fn kilobytes(body: &str) -> f64 {
    f64::from(u32::try_from(body.len()).unwrap_or(u32::MAX)) / 1_000.0
}

fn response(body: &str) -> UpstreamResponse {
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    UpstreamResponse {
        status: StatusCode::OK,
        headers,
        body: Bytes::copy_from_slice(body.as_bytes()),
        sent_tokens: Vec::new(),
    }
}

/// The time of `work` in microseconds, in the fastest round.
fn microseconds<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut run = |count: u32| {
        let start = Instant::now();
        for _ in 0..count {
            black_box(work());
        }
        start.elapsed().as_secs_f64() * 1e6 / f64::from(count)
    };
    // The first run fills caches; the next three determine how many runs a round has.
    run(1);
    let single = run(3).max(0.001);
    let count =
        (0..=20).map(|power| 1 << power).find(|count| f64::from(*count) * single >= ROUND_US).unwrap_or(1 << 20);
    (0..ROUNDS).map(|_| run(count)).fold(f64::INFINITY, f64::min)
}
