//! Traces and log records for an OpenTelemetry collector. The receiver decodes messages with OpenTelemetry's own Python
//! package, which `scripts/otlp-receiver` installs.

mod calls;
mod collector_outages;
mod receiver;
mod sampling;
mod settings;
mod two_services;

use serde_json::{Value, json};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{MockResponse, RunningService, ServiceFixture, Upstream};

use crate::toolgate;

/// The header `traceparent` of a caller that traces its request.
const SAMPLED_CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A service that traces every request.
fn traced_service(endpoint: &str) -> ServiceBuilder {
    toolgate().env("TOOLGATE_OTLP_ENDPOINT", endpoint).env("TOOLGATE_TRACE_SAMPLE", "1")
}

/// A service with the tool `tool`.
async fn start_with_tool(builder: ServiceBuilder, settings: Value) -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("fine"));
    let fixture = ServiceFixture::start(builder, upstream, json!({"settings": settings})).await;
    fixture.create_tool(json!({})).await;
    fixture
}

/// The number of spans or log records with this outcome, from the metrics of a service.
async fn item_count(app: &RunningService, signal: &str, outcome: &str) -> u64 {
    let metrics = app.client().get(&format!("{}/metrics", app.origin())).send().await.expect(200).text();
    let series = format!("toolgate_otlp_items_total{{signal=\"{signal}\",outcome=\"{outcome}\"}} ");
    let value = metrics.lines().find_map(|line| line.strip_prefix(&series));
    value.unwrap_or_else(|| panic!("{series} is missing")).parse().unwrap()
}
