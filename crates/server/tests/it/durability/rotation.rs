//! A killed key rotation loses no secret, and the next rotation completes it.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, MockResponse, Postgres, RunningService, Upstream};

use crate::toolgate;

const TOOLS: usize = 120;
const KILLS: u32 = 9;

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_in_a_rotation_of_keys_on_sqlite_loses_no_secret() {
    kill_rotations(toolgate()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_in_a_rotation_of_keys_on_postgresql_loses_no_secret() {
    let Some(database) = Postgres::fresh_database() else { return };
    kill_rotations(toolgate().postgres(database.url())).await;
}

async fn kill_rotations(builder: ServiceBuilder) {
    let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
    let app = builder.start();
    let api = app.client();
    let server = api.post("/servers").json(json!({"name": "S", "rate_limit_per_min": 0})).send().await.expect(201);
    let server = server.json();
    for number in 0..TOOLS {
        let tool = json!({
            "name": format!("t{number}"), "endpoint_url": upstream.url("/"), "method": "GET",
            "auth_type": "bearer", "auth_credentials": {"token": format!("secret-{number}")},
        });
        api.post(&format!("/servers/{}/tools", server["id"])).json(tool).send().await.expect(201);
    }
    let (mut killed_count, mut rotation_time) = (0, time_rotation(&app));
    for attempt in 0..KILLS {
        let mut rotation = app.command().arg("rotate-keys").spawn().unwrap();
        // The test cannot observe the progress of another process, so the kills are spread over the time of a rotation.
        tokio::time::sleep(rotation_time * attempt / KILLS).await;
        rotation.kill().unwrap();
        if rotation.wait().unwrap().success() {
            rotation_time /= 2;
        } else {
            killed_count += 1;
        }
    }
    assert!(killed_count > KILLS / 3, "only {killed_count} of {KILLS} rotations were killed before they ended");
    // The secrets are now sealed with different keys, all newer than those that the service loaded at its start.
    let mcp = McpClient::new(server["endpoint_url"].as_str().unwrap());
    for number in (0..TOOLS).step_by(7) {
        let params = json!({"name": format!("t{number}"), "arguments": {}});
        mcp.request("tools/call", params).send().await.expect(200);
        let sent = upstream.last();
        assert_eq!(sent.header("authorization"), Some(format!("Bearer secret-{number}").as_str()));
    }
    assert_rotation_completes(app).await;
}

fn time_rotation(app: &RunningService) -> Duration {
    let started = Instant::now();
    let rotated = app.command().arg("rotate-keys").output().unwrap();
    assert!(rotated.status.success(), "{}", String::from_utf8_lossy(&rotated.stderr));
    started.elapsed()
}

/// Asserts that a rotation completes: the service starts with only the newest key, so that key opens every secret.
async fn assert_rotation_completes(mut app: RunningService) {
    time_rotation(&app);
    app.kill();
    let file = app.data_dir().join("encryption-keys");
    let newest_key = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, newest_key).unwrap();
    app.restart();
    app.client().get("/servers").send().await.expect(200);
}
