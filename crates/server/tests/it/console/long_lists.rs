//! Long lists: the page only contains visible rows. The test scrolls through up to a thousand tools, and through some
//! thousand calls of a log of up to a million.

use serde_json::json;
use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::{Clock as _, SystemClock, Timestamp};
use toolgate_testkit::volume;

use super::browser::Browser;
use crate::recorded;
use crate::toolgate;

/// Limit for rendered rows. A screen shows about 20 rows, and a few more are rendered beyond its edges.
const ROWS_MAX: u64 = 60;

#[tokio::test]
async fn many_tools_and_a_long_log_render_only_a_few_rows() {
    let Some(browser) = Browser::find() else { return };
    let mut app = toolgate().start();
    let owner = app.client();
    let server = owner.create("/servers", json!({"name": "Long"})).await;
    let path = format!("/servers/{}/tools", server["id"]);
    let tools = volume::full_or_sample(1_000, 300);
    for number in 1..=tools {
        let name = format!("tool_{number:04}");
        owner.create(&path, json!({"name": name, "endpoint_url": "https://api.example.com/"})).await;
    }
    app.terminate();
    let database = format!("sqlite://{}", app.data_dir().join("toolgate.db").display());
    let now_ms = SystemClock.now().as_millis();
    let calls = volume::full_or_sample(1_000_000, 50_000);
    recorded::insert_calls(&database, app.data_dir(), (now_ms - calls..now_ms).map(call).collect()).await;
    app.restart();

    // Pages of the log after the first, a hundred calls each.
    let (pages, foot) = volume::full_or_sample((24, "2,500 calls loaded"), (11, "1,200 calls loaded"));
    let output = browser.run("long_lists.mjs", &app, &json!({"server": server["id"], "pages": pages})).await;
    output.assert_no_errors();
    let positions = output["tools"].as_array().unwrap();
    assert!(positions.iter().all(|rows| rows["count"].as_u64().unwrap() < ROWS_MAX), "{output:#}");
    assert_eq!(positions.last().unwrap()["last"], format!("tool_{tools:04}"), "{output:#}");
    assert_eq!(output["moved"], json!({"status": 200, "name": "tool_0001", "last": "tool_0001"}), "{output:#}");
    assert!(output["log"]["most"].as_u64().unwrap() < ROWS_MAX, "{output:#}");
    assert_eq!(output["log"]["cursors"], pages, "{output:#}");
    assert_eq!(output["log"]["foot"], foot, "{output:#}");
}

fn call(at_ms: i64) -> CallRecord {
    CallRecord {
        at: Timestamp::from_millis(at_ms),
        failure: None,
        ..CallRecord::new(UserId(1), ServerId(1), ToolId(1), "cursor".to_owned())
    }
}
