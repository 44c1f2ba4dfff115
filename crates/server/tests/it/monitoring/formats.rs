//! Both text formats, checked by `promtool`, and the documentation of all metrics.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{fs, path::Path};

use serde_json::json;
use toolgate_testkit::{Client, MockResponse, ServiceFixture, Upstream};

use super::{monitored_service, monitoring_client};
use crate::external_tools;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0";

/// The text in the older format, and in OpenMetrics.
async fn both_formats(client: &Client) -> [String; 2] {
    let older = client.get("/metrics").send().await.expect(200);
    assert_eq!(older.header("content-type").unwrap(), "text/plain; version=0.0.4; charset=utf-8");
    let newer = client.get("/metrics").header("accept", OPEN_METRICS).send().await.expect(200);
    assert_eq!(newer.header("content-type").unwrap(), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    [older.text(), newer.text()]
}

async fn start() -> ServiceFixture {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let fixture =
        ServiceFixture::start(monitored_service().env("TOOLGATE_METRICS_TOOLS", "top5"), upstream, json!({})).await;
    fixture.create_tool(json!({})).await;
    fixture.caller().text("tool", json!({})).await;
    fixture
}

#[tokio::test]
async fn both_formats_have_the_same_samples() {
    let fixture = start().await;
    let [older, newer] = both_formats(&monitoring_client(&fixture.app)).await;
    assert!(newer.ends_with("# EOF\n") && !older.contains("# EOF"));
    assert!(
        newer.contains("# TYPE toolgate_calls counter\n") && older.contains("# TYPE toolgate_calls_total counter\n")
    );
    let series = |text: &str| -> BTreeSet<String> {
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        samples.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned())).collect()
    };
    assert_eq!(series(&older), series(&newer));
    for line in older.lines().filter(|line| line.starts_with("# HELP")) {
        assert!(line.ends_with('.'), "{line}");
    }
}

#[tokio::test]
async fn promtool_finds_no_problem() {
    if !external_tools::are_installed(&["promtool"]) {
        return;
    }
    let fixture = start().await;
    let [older, _] = both_formats(&monitoring_client(&fixture.app)).await;
    let mut promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    promtool.stdin.take().unwrap().write_all(older.as_bytes()).unwrap();
    let output = promtool.wait_with_output().unwrap();
    let problems = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(output.status.success() && problems.is_empty(), "{problems}");
}

#[tokio::test]
async fn the_documentation_has_a_row_for_every_metric_and_no_other() {
    let fixture = start().await;
    let [older, _] = both_formats(&monitoring_client(&fixture.app)).await;
    let served: BTreeSet<&str> =
        older.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let documented: BTreeSet<&str> = rows.map(|(name, _)| name).filter(|name| !name.starts_with('/')).collect();
    let undocumented: Vec<_> = served.difference(&documented).collect();
    // This service has no Redis.
    let only_with_redis = |name: &&&str| {
        ["toolgate_redis_", "toolgate_cluster_nodes", "toolgate_change_notifications", "toolgate_rate_limit_lease"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let not_served: Vec<_> = documented.difference(&served).filter(|name| !only_with_redis(name)).collect();
    assert!(undocumented.is_empty() && not_served.is_empty(), "{undocumented:?} {not_served:?}");
}
