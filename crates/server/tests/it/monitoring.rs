//! Metrics and health checks of a running service.

mod access;
mod families;
mod formats;
mod health;
mod nodes;
mod outage;
mod samples;

use std::time::Duration;

use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, RunningService, TestResponse};

use crate::toolgate;
use samples::Samples;

const WAIT_TIMEOUT: Duration = Duration::from_mins(1);
const LOG_TEXT: &str = "listening for health checks and metrics";

/// A service with a separate address for metrics.
fn monitored_service() -> ServiceBuilder {
    toolgate().env("TOOLGATE_METRICS_LISTEN", "127.0.0.1:0")
}

/// The origin of the address for metrics, from a log.
fn monitoring_origin(log: &str) -> Option<String> {
    let line = log.lines().find(|line| line.contains(LOG_TEXT))?;
    let address = line.split_once("address=")?.1.split_whitespace().next()?;
    Some(format!("http://{address}"))
}

/// A client of the address for metrics.
fn monitoring_client(app: &RunningService) -> Client {
    app.wait_for_log(LOG_TEXT, WAIT_TIMEOUT);
    Client::new(&monitoring_origin(&app.logs()).expect("the log has the address"), None)
}

/// Requests a path of the main address, without a key.
async fn get_public(app: &RunningService, path: &str) -> TestResponse {
    app.client_with_key(None).get(&format!("{}{path}", app.origin())).send().await
}

async fn scrape(client: &Client) -> Samples {
    Samples::parse(&client.get("/metrics").send().await.expect(200).text())
}
