//! Black-box tests of startup: output, files, and the routes outside the API.

mod commands;
mod exposure;
mod idle_connections;
mod import;
mod import_commit;
mod limits;
mod refusals;
mod restarts;
mod smuggling;
mod stopping;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use toolgate_testkit::postgres::PostgresOptions;
use toolgate_testkit::running_service::TEST_KEY;
use toolgate_testkit::secrets::find_secret;
use toolgate_testkit::{Postgres, RunningService};

use crate::{external_tools, toolgate};

const LOG_TIMEOUT: Duration = Duration::from_secs(30);

/// Requests a path outside the management API, without a key.
async fn get(app: &RunningService, path: &str) -> toolgate_testkit::TestResponse {
    app.client_with_key(None).get(&format!("{}{path}", app.origin())).send().await
}

async fn assert_serves(app: &RunningService) {
    for path in ["/healthz", "/readyz"] {
        assert_eq!(get(app, path).await.expect(200).json()["status"], "ok");
    }
    app.client().get("/servers").send().await.expect(200);
    app.client_with_key(Some("tg_wrong")).get("/servers").send().await.expect(401);
}

#[tokio::test]
async fn the_banner_shows_the_addresses_once_the_service_is_ready() {
    let mut app = toolgate().start();
    assert_serves(&app).await;
    let (origin, version) = (app.origin(), env!("CARGO_PKG_VERSION"));
    let expected = format!(
        "Toolgate {version}\n  console   {origin}/\n  api_base  {origin}/wp-json/toolgate/v1\n  \
         try       curl -H \"Authorization: Bearer $TOOLGATE_API_KEY\" {origin}/wp-json/toolgate/v1/servers\n"
    );
    app.terminate();
    assert_eq!(app.stdout(), expected);
}

#[tokio::test]
async fn the_service_starts_on_postgresql() {
    let Some(database) = Postgres::fresh_database() else { return };
    let mut app = toolgate().postgres(database.url()).start();
    assert_serves(&app).await;
    app.restart();
    assert_serves(&app).await;
}

#[tokio::test]
async fn readiness_depends_on_the_database_and_liveness_does_not() {
    let Some(mut cluster) = Postgres::private_cluster(PostgresOptions::default()) else { return };
    let app = toolgate().postgres(&cluster.url()).start();
    get(&app, "/readyz").await.expect(200);
    cluster.stop();
    let reply = get(&app, "/readyz").await.expect(503).json();
    assert_eq!(reply["status"], "unavailable");
    assert!(reply["reason"].as_str().is_some_and(|reason| reason.contains("database")), "{reply}");
    get(&app, "/healthz").await.expect(200);
    cluster.start();
    get(&app, "/readyz").await.expect(200);
}

#[tokio::test]
async fn the_first_start_creates_a_key_and_stores_it_in_a_file() {
    let mut app = toolgate().without_api_key().start();
    let key = app.key();
    let shown = format!("\n  key       in {}\n", app.data_dir().join("admin-key").display());
    for _ in 0..2 {
        app.client_with_key(Some(&key)).get("/servers").send().await.expect(200);
        app.terminate();
        // Standard output is a pipe here. Only a terminal shows the key.
        assert!(app.stdout().contains(&shown), "{}", app.stdout());
        assert_eq!(find_secret(app.stdout().as_bytes(), &key), None);
        app.restart();
        assert_eq!(app.key(), key);
    }
    // The command that the banner shows prints a link that signs in. The output is complete when the service has
    // stopped.
    let origin = app.origin();
    app.terminate();
    let stdout = app.stdout();
    let command = stdout.lines().find_map(|line| line.trim_start().strip_prefix("sign_in")).unwrap();
    let output = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{origin}/#key={key}\n"), "{stdout}");
}

#[tokio::test]
async fn a_terminal_shows_the_first_key_once() {
    if !external_tools::are_installed(&["script"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let command =
        format!("{} serve --listen=127.0.0.1:0 --data-dir={}", env!("CARGO_BIN_EXE_toolgate"), folder.path().display());
    // `script` runs the command in a terminal and copies its output.
    let terminal = tokio::process::Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut terminal = terminal.unwrap();
    let mut lines = BufReader::new(terminal.stdout.take().unwrap()).lines();
    let mut banner = String::new();
    while !banner.contains("  try ") {
        banner += &lines.next_line().await.unwrap().expect("the banner is complete");
    }
    let key = fs::read_to_string(folder.path().join("admin-key")).unwrap();
    assert_eq!(banner.matches(key.trim_end()).count(), 1, "{banner}");
    assert!(banner.contains(&format!("/#key={}", key.trim_end())), "{banner}");
}

#[test]
fn files_with_secrets_are_accessible_for_their_owner_only() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("made/by/toolgate");
    let _app = toolgate().without_api_key().data_dir(&folder).start();
    let mode = |path: &str| fs::metadata(folder.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(""), 0o700);
    for file in ["admin-key", "encryption-keys", "toolgate.db", "toolgate.db-wal"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[tokio::test]
async fn a_changed_key_setting_replaces_the_key() {
    let folder = tempfile::tempdir().unwrap();
    drop(toolgate().data_dir(folder.path()).start());
    let app = toolgate().data_dir(folder.path()).api_key("tg_another_0123456789").start();
    app.client().get("/servers").send().await.expect(200);
    app.client_with_key(Some(TEST_KEY)).get("/servers").send().await.expect(401);
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolgate.toml");
    fs::write(&file, "rest_prefix = 'file'\nrest_namespace = 'file'\nretention_days = 7\n").unwrap();
    let app = toolgate().arg("--config").arg(file).env("TOOLGATE_REST_PREFIX", "environment").start();
    assert_eq!(app.api_base(), format!("{}/environment/file/v1", app.origin()));
    let app = toolgate().arg("--rest-prefix=flag").env("TOOLGATE_REST_PREFIX", "environment").start();
    assert_eq!(app.api_base(), format!("{}/flag/toolgate/v1", app.origin()));
}

#[tokio::test]
async fn unknown_paths_return_a_json_error() {
    let app = toolgate().start();
    for path in ["/nowhere", "/.well-known/oauth-protected-resource", "/.well-known/x/y", "/healthz/x", "//"] {
        let body = get(&app, path).await.expect(404).json();
        assert_eq!((&body["code"], &body["data"]["status"]), (&"not_found".into(), &404.into()), "{path}");
    }
    let reply = app.client_with_key(None).post(&format!("{}/healthz", app.origin())).send().await.expect(405);
    assert_eq!(reply.json()["code"], "method_not_allowed");
}

#[tokio::test]
async fn the_root_is_the_console_or_explains_how_to_build_it_with_a_strict_policy() {
    let app = toolgate().start();
    let page = get(&app, "/").await.expect(200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    // Debug builds read the console from disk.
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("../../console/dist/index.html").exists() {
        assert!(page.text().contains("<script type=\"module\""), "{}", page.text());
    } else {
        assert!(page.text().contains(app.api_base()) && page.text().contains("make console"), "{}", page.text());
    }
}

#[tokio::test]
async fn a_request_has_an_id_in_its_response_and_in_the_log() {
    let app = toolgate().env("TOOLGATE_LOG", "debug").start();
    let request =
        |id| app.client_with_key(None).get(&format!("{}/healthz?secret=1", app.origin())).header("x-request-id", id);
    let reply = request("mine-1.2_3").send().await.expect(200);
    assert_eq!(reply.header("x-request-id"), Some("mine-1.2_3"));
    app.wait_for_log("id=\"mine-1.2_3\"", LOG_TIMEOUT);
    app.wait_for_log("path=\"/healthz\" status=200", LOG_TIMEOUT);
    assert!(!app.logs().contains("secret=1"), "the query is not logged: {}", app.logs());
    let replaced = request("with space").send().await;
    assert_ne!(replaced.header("x-request-id").unwrap(), "with space");
}

#[tokio::test]
async fn no_key_is_ever_logged() {
    for is_key_created in [true, false] {
        let builder = toolgate().env("TOOLGATE_LOG", "trace,sqlx=trace,hyper=trace");
        let mut app = if is_key_created { builder.without_api_key().start() } else { builder.start() };
        let key = app.key();
        app.client().get("/servers").send().await.expect(200);
        app.client().post("/servers").body("{broken").send().await;
        let keys = fs::read_to_string(app.data_dir().join("encryption-keys")).unwrap();
        app.terminate();
        for secret in [key.as_str(), keys.trim_end()] {
            assert_eq!(find_secret(app.logs().as_bytes(), secret), None);
        }
    }
}

#[test]
fn with_the_json_format_every_log_line_is_an_object() {
    let app = toolgate().env("TOOLGATE_LOG_FORMAT", "json").start();
    app.wait_for_log("listening", LOG_TIMEOUT);
    for line in app.logs().lines() {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
    }
}
