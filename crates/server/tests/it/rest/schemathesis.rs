//! Tests the service against its OpenAPI document with schemathesis: no reply is a 5xx, undocumented, or different from
//! its documented schema.
//!
//! `scripts/schemathesis` installs schemathesis and prints its folder. If `TOOLGATE_SCHEMATHESIS` does not name that
//! folder, the test is skipped with a message on stderr; with `CI=true` it fails.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::process::Command;
use toolgate_testkit::ApiFixture;
use toolgate_testkit::objects::id;

use crate::external_tools;
use crate::toolgate;

pub(super) const FOLDER_ENV: &str = "TOOLGATE_SCHEMATHESIS";
/// Environment variable with the number of cases per operation. If it is set, the coverage phase with all boundary
/// values runs, too.
const CASES_ENV: &str = "TOOLGATE_TEST_SCHEMATHESIS_CASES";
const RUN_TIMEOUT: Duration = Duration::from_hours(1);

/// Checks that do not apply: POST can override the method, and the rules of the fields are stricter than a schema can
/// express or, where a number may be sent as text, more lenient.
const EXCLUDED_CHECKS: &str = "unsupported_method,negative_data_rejection,positive_data_acceptance";
/// Excluded paths: the first would call generated URLs, the second never ends.
const EXCLUDED_PATHS: [&str; 2] = ["/tools/{id}/test", "/calls/stream"];

#[tokio::test]
async fn schemathesis_finds_no_undocumented_reply() {
    let Some(folder) = external_tools::installed_path(FOLDER_ENV, "scripts/schemathesis") else { return };
    let service = ApiFixture::start(toolgate());
    create_objects(&service).await;
    let home = tempfile::tempdir().unwrap();
    let command = command(&folder, home.path(), &service).kill_on_drop(true).output();
    let output =
        tokio::time::timeout(RUN_TIMEOUT, command).await.expect("schemathesis must finish within the timeout").unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    let cases = generated_cases(&stdout).unwrap_or(0);
    assert!(cases > 300, "schemathesis generated too few cases: {stdout}");
    eprintln!("{cases} cases of schemathesis");
    service.api.read("/servers").await;
    let logs = service.app.logs();
    assert!(!logs.contains("panicked") && !logs.contains("ERROR"), "{logs}");
}

/// Creates one object of each kind, so that small ids exist.
async fn create_objects(service: &ApiFixture) {
    let server = service.api.create_default_server().await;
    service.api.create_tool(server, json!({})).await;
    for (kind, body) in [
        ("prompts", json!({"name": "p", "template_content": "x"})),
        ("resources", json!({"uri": "doc://a", "name": "r", "data_source_config": {"content": "x"}})),
        ("keys", json!({"name": "k"})),
    ] {
        service.api.post(&format!("/servers/{server}/{kind}")).json(body).send().await.expect(201);
    }
    // The key that schemathesis uses must not be deleted; `hooks.py` gets its id.
    let keys = service.api.read("/api-keys").await;
    assert_eq!((id(&keys[0]), &keys[0]["user_id"]), (1, &json!(1)), "{keys}");
}

/// A command with a clean environment, without proxies or settings.
fn command(folder: &Path, home: &Path, service: &ApiFixture) -> Command {
    let cases = std::env::var(CASES_ENV).ok().filter(|text| !text.is_empty());
    let phases = if cases.is_some() { "coverage,fuzzing,stateful" } else { "fuzzing,stateful" };
    let mut command = Command::new(folder.join("bin/schemathesis"));
    command.env_clear().env("HOME", home).current_dir(home);
    command.env("PYTHONPATH", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemathesis"));
    command.env("SCHEMATHESIS_HOOKS", "hooks").env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("TOOLGATE_OWN_KEY_ID", "1").env("TOOLGATE_OWN_USER_ID", "1");
    command.args(["run", "--no-color", "--continue-on-failure", "--generation-database=none", "--seed=6"]);
    command.args(["--request-timeout=20", "--warnings=off", "--phases", phases, "--exclude-checks", EXCLUDED_CHECKS]);
    command.args(["--max-examples", cases.as_deref().unwrap_or("10")]);
    command.args(EXCLUDED_PATHS.iter().flat_map(|path| ["--exclude-path", path]));
    command.arg("--header").arg(format!("Authorization: Bearer {}", service.app.key()));
    command.arg(format!("{}/openapi.json", service.app.api_base()));
    command
}

/// Parses `4750 generated, 4750 passed`.
fn generated_cases(stdout: &str) -> Option<usize> {
    let line = stdout.lines().find(|line| line.contains(" generated, "))?;
    line.split_whitespace().next()?.parse().ok()
}
