//! A rotation of keys that is killed: every secret still opens, and the next rotation finishes the work.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, MockResponse, Postgres, RunningService, Upstream};

const TOOLS: usize = 120;
const KILLS: u32 = 9;

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_in_a_rotation_of_keys_on_sqlite_loses_no_secret() {
    kill_rotations(RunningService::builder(env!("CARGO_BIN_EXE_toolgate"))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_minus_nine_in_a_rotation_of_keys_on_postgresql_loses_no_secret() {
    let Some(database) = Postgres::fresh_database() else { return };
    kill_rotations(RunningService::builder(env!("CARGO_BIN_EXE_toolgate")).postgres(database.url())).await;
}

async fn kill_rotations(builder: ServiceBuilder) {
    let upstream = Upstream::with_handler(|request| {
        MockResponse::status(200).body(request.header("authorization").unwrap_or("none").to_owned())
    });
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
    let (mut cut_short, mut whole) = (0, time_a_rotation(&app));
    for kill in 0..KILLS {
        let mut rotation = app.command().arg("rotate-keys").spawn().unwrap();
        // There is no event to wait for inside of another process: the kills are spread over the time that it takes.
        tokio::time::sleep(whole * kill / KILLS).await;
        rotation.kill().unwrap();
        if rotation.wait().unwrap().success() {
            whole /= 2;
        } else {
            cut_short += 1;
        }
    }
    assert!(cut_short > KILLS / 3, "{cut_short} of {KILLS} rotations were cut short");
    // Some are sealed with one key, some with another; the service started before all of them.
    let mcp = McpClient::new(server["endpoint_url"].as_str().unwrap());
    for number in (0..TOOLS).step_by(7) {
        let params = json!({"name": format!("t{number}"), "arguments": {}});
        let answer = mcp.request("tools/call", params).send().await.expect(200).json();
        assert_eq!(answer["result"]["content"][0]["text"], format!("Bearer secret-{number}"), "{answer}");
    }
    assert_a_rotation_finishes(app).await;
}

fn time_a_rotation(app: &RunningService) -> Duration {
    let began = Instant::now();
    let rotated = app.command().arg("rotate-keys").output().unwrap();
    assert!(rotated.status.success(), "{}", String::from_utf8_lossy(&rotated.stderr));
    began.elapsed()
}

/// After it the newest key alone opens everything, or a start with it would be refused.
async fn assert_a_rotation_finishes(mut app: RunningService) {
    time_a_rotation(&app);
    app.kill();
    let file = app.data_dir().join("encryption-keys");
    let newest = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, newest).unwrap();
    app.restart();
    app.client().get("/servers").send().await.expect(200);
}
