//! Fills every field that takes a secret with a canary (a marked text that is easy to search for), uses all of them,
//! and searches every reply, log, file and database for them.
//!
//! Other tests check one known output each; this one checks all outputs.

mod canary_server;
mod recorder;

use std::fs;
use std::path::Path;

use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::secrets::{find_secret, find_secret_in_files};
use toolgate_testkit::{Redis, RunningService};

use super::fixtures::database_dump;
use super::secrets::{SECRET_MARK, secret};
use canary_server::CanaryServer;
use recorder::OutputRecorder;

on_both_databases![no_reply_log_or_file_contains_a_secret];

/// The most verbose log level of the service and its libraries.
const TRACE_LOG: &str = "trace,hyper=trace,hyper_util=trace,h2=trace,rustls=trace,sqlx=trace,tower=trace,redis=trace";
/// Exactly 32 bytes, as an encryption key must be.
const SEALING_KEY: &str = "canary-that-seals-all-the-others";
const SEALING_KEY_BASE64: &str = "Y2FuYXJ5LXRoYXQtc2VhbHMtYWxsLXRoZS1vdGhlcnM=";

/// The builder with a password in the URL of its database. The test cluster does not check passwords.
fn with_database_password(builder: &ServiceBuilder, password: &str) -> ServiceBuilder {
    let encoded = password.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"));
    match builder.temporary_database().and_then(|database| database.url().split_once('@')) {
        Some((user, rest)) => builder.clone().postgres(&format!("{user}:{encoded}@{rest}")),
        None => builder.clone(),
    }
}

/// A service with secrets in its configuration.
fn service(builder: &ServiceBuilder, redis: Option<&Redis>) -> ServiceBuilder {
    let builder = with_database_password(builder, &secret("database")).api_key(&secret("admin"));
    let builder = builder.env("TOOLGATE_ENCRYPTION_KEYS", SEALING_KEY_BASE64).env("TOOLGATE_LOG", TRACE_LOG);
    match redis {
        Some(redis) => builder.env("TOOLGATE_REDIS_URL", redis.url()),
        None => builder,
    }
}

/// Runs commands and records their output. With `PostgreSQL`, `backup` fails and creates no file.
fn run_commands(app: &RunningService, backup: &Path, recorder: &mut OutputRecorder) {
    let backup = backup.to_str().unwrap();
    for args in [&["check"][..], &["key", "list"], &["backup", backup], &["--help"]] {
        let output = app.command().args(args).output().unwrap();
        recorder.record_bytes(&output.stdout);
        recorder.record_bytes(&output.stderr);
    }
}

/// Checks that the bytes contain no secret in any encoding.
#[track_caller]
fn assert_no_secret(secrets: &[String], location: &str, bytes: &[u8]) {
    for secret in secrets {
        if let Some(form) = find_secret(bytes, secret) {
            let text = String::from_utf8_lossy(bytes);
            let lines: Vec<&str> =
                text.lines().filter(|line| find_secret(line.as_bytes(), secret).is_some()).take(5).collect();
            panic!("{location} contains {secret} as {form}: {lines:#?}");
        }
    }
}

#[track_caller]
fn assert_no_secret_in_files(secrets: &[String], folder: &Path) {
    for secret in secrets {
        assert_eq!(find_secret_in_files(folder, secret), [], "{secret}");
    }
}

async fn no_reply_log_or_file_contains_a_secret(builder: &ServiceBuilder) {
    let (redis, folder) = (Redis::start(), tempfile::tempdir().unwrap());
    let mut app = service(builder, redis.as_ref()).start();
    let mut recorder = OutputRecorder::default();
    let canary_server = CanaryServer::create(&app, &mut recorder).await;
    canary_server.use_all_secrets(&app, &mut recorder).await;
    let mut secrets =
        vec![SECRET_MARK.to_owned(), SEALING_KEY.to_owned(), toolgate_testkit::redis::PASSWORD.to_owned()];
    secrets.extend(canary_server.generated_keys());

    // Search while the service runs, with open journal and write-ahead log, and again after it has stopped.
    assert_no_secret_in_files(&secrets, app.data_dir());
    run_commands(&app, &folder.path().join("backup"), &mut recorder);
    canary_server.delete_all_tools(&app, &mut recorder).await;
    app.terminate();
    assert_no_secret_in_files(&secrets, app.data_dir());
    assert_no_secret_in_files(&secrets, folder.path());
    assert_no_secret(&secrets, "the database", database_dump(&app).as_bytes());
    assert_no_secret(&secrets, "a reply", recorder.recorded());
    assert_no_secret(&secrets, "the log", app.logs().as_bytes());
    assert_no_secret(&secrets, "the output", app.stdout().as_bytes());
    if let Some(redis) = &redis {
        assert_no_secret(&secrets, "Redis", &redis.dump());
    }
    // Proves that the search works: it finds text that is not secret, and the upstream received every secret.
    canary_server.assert_all_secrets_were_sent();
    assert!(find_secret(recorder.recorded(), canary_server::PLAIN_TEXT).is_some());
    assert!(app.logs().contains("toolgate::call"), "the log mentions calls");
    let is_written = !find_secret_in_files(app.data_dir(), canary_server::PLAIN_TEXT).is_empty();
    assert!(is_written || database_dump(&app).contains(canary_server::PLAIN_TEXT), "the search finds nothing at all");
    let backup = fs::read(folder.path().join("backup")).unwrap_or_default();
    let is_saved = find_secret(&backup, canary_server::PLAIN_TEXT).is_some();
    assert_eq!(is_saved, database_dump(&app).is_empty(), "only SQLite has a backup, which contains the plain text");
}
