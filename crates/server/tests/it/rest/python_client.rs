//! Generates a Python client from the served OpenAPI document with openapi-python-client, and calls the service with
//! it.
//!
//! `scripts/schemathesis` installs the generator, too; see [`super::schemathesis`].

use std::path::Path;

use serde_json::json;
use tokio::process::Command;
use toolgate_testkit::ApiFixture;

use super::schemathesis::FOLDER_ENV;
use crate::external_tools;
use crate::toolgate;

#[tokio::test]
async fn a_generated_python_client_lists_tools() {
    let Some(folder) = external_tools::installed_path(FOLDER_ENV, "scripts/schemathesis") else { return };
    let service = ApiFixture::start(toolgate());
    let server = service.api.create_default_server().await;
    service.api.create_tool(server, json!({"name": "get_weather"})).await;
    let work_dir = tempfile::tempdir().unwrap();
    let document = service.api.read("/openapi.json").await;
    std::fs::write(work_dir.path().join("openapi.json"), document.to_string()).unwrap();
    let generate = ["generate", "--path", "openapi.json", "--meta", "none", "--output-path", "toolgate_client"];
    run(&folder, "openapi-python-client", work_dir.path(), &[&generate[..], &["--fail-on-warning"]].concat()).await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemathesis/list_tools.py");
    let args = [script, service.app.api_base(), &service.app.key(), &server.to_string()];
    assert_eq!(run(&folder, "python", work_dir.path(), &args).await.trim(), "get_weather");
}

/// The output of a successful run in a clean environment. The generator formats the code with ruff, from the search
/// path.
async fn run(folder: &Path, program: &str, work_dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new(folder.join("bin").join(program));
    command.env_clear().env("HOME", work_dir).env("PATH", folder.join("bin")).env("PYTHONPATH", work_dir);
    let output = command.current_dir(work_dir).args(args).kill_on_drop(true).output().await.unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{program}: {stdout}\n{}", String::from_utf8_lossy(&output.stderr));
    stdout
}
