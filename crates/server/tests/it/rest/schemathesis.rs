//! The service against its own OpenAPI document, tried by schemathesis: no reply is a server's fault, undocumented or
//! of another form than documented.
//!
//! `scripts/schemathesis` installs it and names its folder; without it the test is left out with a word on stderr,
//! except under `CI=true`.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::process::Command;

use super::setup::id;
use super::{Service, Setup};
use crate::left_out;

const FOLDER: &str = "TOOLGATE_SCHEMATHESIS";
/// How many cases for each operation. With it set, the phase of every boundary value is run as well.
const CASES: &str = "TOOLGATE_TEST_SCHEMATHESIS_CASES";
const PATIENCE: Duration = Duration::from_hours(1);

/// Not checked: a POST stands for other methods, and what is a bad value is for the fields' rules to say, which are
/// stricter than a schema can tell and, where a number may come as text, kinder.
const UNCHECKED: &str = "unsupported_method,negative_data_rejection,positive_data_acceptance";
/// The one would call whatever address was made up for a tool; the other has no end.
const UNTRIED: [&str; 2] = ["/tools/{id}/test", "/calls/stream"];

#[tokio::test]
async fn schemathesis_finds_nothing_that_the_document_does_not_promise() {
    let Some(folder) = left_out::folder(FOLDER, "scripts/schemathesis") else { return };
    let service = Setup::sqlite().start();
    seed(&service).await;
    let home = tempfile::tempdir().unwrap();
    let command = command(&folder, home.path(), &service).kill_on_drop(true).output();
    let output = tokio::time::timeout(PATIENCE, command).await.expect("schemathesis comes to an end").unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let cases = generated(&said).unwrap_or(0);
    assert!(cases > 300, "too little was tried: {said}");
    eprintln!("{cases} cases of schemathesis");
    service.read("/servers").await;
    let logs = service.app.logs();
    assert!(!logs.contains("panicked") && !logs.contains("ERROR"), "{logs}");
}

/// One of each object, so that small ids lead somewhere.
async fn seed(service: &Service) {
    let server = service.server_id().await;
    service.tool(server, json!({})).await;
    for (kind, body) in [
        ("prompts", json!({"name": "p", "template_content": "x"})),
        ("resources", json!({"uri": "doc://a", "name": "r", "data_source_config": {"content": "x"}})),
        ("keys", json!({"name": "k"})),
    ] {
        service.api.post(&format!("/servers/{server}/{kind}")).json(body).send().await.expect(201);
    }
    // The one that schemathesis comes with must stay; `hooks.py` is told its id.
    let keys = service.read("/api-keys").await;
    assert_eq!((id(&keys[0]), &keys[0]["user_id"]), (1, &json!(1)), "{keys}");
}

/// Nothing of our own environment gets in: no proxy, no settings.
fn command(folder: &Path, home: &Path, service: &Service) -> Command {
    let cases = std::env::var(CASES).ok().filter(|text| !text.is_empty());
    let phases = if cases.is_some() { "coverage,fuzzing,stateful" } else { "fuzzing,stateful" };
    let mut command = Command::new(folder.join("bin/schemathesis"));
    command.env_clear().env("HOME", home).current_dir(home);
    command.env("PYTHONPATH", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemathesis"));
    command.env("SCHEMATHESIS_HOOKS", "hooks").env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("TOOLGATE_OWN_KEY_ID", "1").env("TOOLGATE_OWN_USER_ID", "1");
    command.args(["run", "--no-color", "--continue-on-failure", "--generation-database=none", "--seed=6"]);
    command.args(["--request-timeout=20", "--warnings=off", "--phases", phases, "--exclude-checks", UNCHECKED]);
    command.args(["--max-examples", cases.as_deref().unwrap_or("10")]);
    command.args(UNTRIED.iter().flat_map(|path| ["--exclude-path", path]));
    command.arg("--header").arg(format!("Authorization: Bearer {}", service.app.key()));
    command.arg(format!("{}/openapi.json", service.app.api_base()));
    command
}

/// From `4750 generated, 4750 passed`.
fn generated(said: &str) -> Option<usize> {
    let line = said.lines().find(|line| line.contains(" generated, "))?;
    line.split_whitespace().next()?.parse().ok()
}
