//! Failed starts: one line on stderr, an exit code, nothing on stdout.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use toolgate_testkit::Postgres;
use toolgate_testkit::running_service::ServiceBuilder;

use crate::toolgate;

const EXIT_BAD_SETTINGS: i32 = 2;
const EXIT_FAILURE: i32 = 1;

/// Asserts that the start fails with this exit code, and returns the single line of its error.
#[track_caller]
fn refusal_line(builder: ServiceBuilder, code: i32) -> String {
    let error = builder.try_start().unwrap_err();
    assert_eq!(error.exit.and_then(|exit| exit.code()), Some(code), "{error}");
    assert_eq!(error.stdout, "", "{error}");
    let lines: Vec<_> = error.stderr.lines().filter_map(|line| line.strip_prefix("toolgate: ")).collect();
    assert_eq!(lines.len(), 1, "the error must be one line, at the end: {error}");
    assert!(error.stderr.trim_end().ends_with(lines[0]), "{error}");
    lines[0].to_owned()
}

#[test]
fn errors_for_invalid_settings_show_the_setting() {
    for (variable, value, expected) in [
        ("LISTEN", "localhost", "--listen (TOOLGATE_LISTEN): \"localhost\" is not an IP address and a port"),
        ("BASE_URL", "", "--base-url (TOOLGATE_BASE_URL): it is not an http:// or https:// address"),
        ("API_KEY", "", "--api-key (TOOLGATE_API_KEY): the key must be visible ASCII"),
        ("API_KEY", "my secret", "--api-key (TOOLGATE_API_KEY): the key must be visible ASCII"),
        ("ENCRYPTION_KEYS", "c2hvcnQ=", "--encryption-keys (TOOLGATE_ENCRYPTION_KEYS): encryption key number 1"),
        ("ENCRYPTION_KEYS", "", "--encryption-keys (TOOLGATE_ENCRYPTION_KEYS): the keyring is empty"),
        ("REDIS_URL", "redis://:my secret@", "--redis-url (TOOLGATE_REDIS_URL): it must be redis://USER:PASSWORD@HOST"),
        ("REDIS_URL", "", "--redis-url (TOOLGATE_REDIS_URL): it must be redis://USER:PASSWORD@HOST"),
        ("UPSTREAM_ALLOW", "10.0.0.0/99", "--upstream-allow (TOOLGATE_UPSTREAM_ALLOW): \"10.0.0.0/99\" is not"),
        ("TRUSTED_PROXIES", "proxy", "--trusted-proxies (TOOLGATE_TRUSTED_PROXIES): \"proxy\" is not an address"),
        ("RETENTION_DAYS", "0", "--retention-days (TOOLGATE_RETENTION_DAYS): \"0\" is not a number of days"),
        ("LOG_FORMAT", "xml", "invalid value 'xml' for '--log-format <FORMAT>'"),
        ("CONFIG", "/nowhere.toml", "/nowhere.toml: cannot read it"),
    ] {
        let line = refusal_line(toolgate().env(&format!("TOOLGATE_{variable}"), value), EXIT_BAD_SETTINGS);
        assert!(line.starts_with(expected), "{line}");
        assert!(!line.contains("my secret") && !line.contains("c2hvcnQ"), "{line}");
    }
    let line = refusal_line(toolgate().arg("--nonsense"), EXIT_BAD_SETTINGS);
    assert!(line.starts_with("unexpected argument '--nonsense' found"), "{line}");
}

#[test]
fn an_invalid_settings_file_is_refused_without_showing_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolgate.toml");
    for (text, expected) in [
        ("api_key = tg_unquoted", "line 1 is not TOML"),
        ("lissten = '127.0.0.1:1'", "unknown setting \"lissten\""),
        ("retention_days = 'ever'", "--retention-days (TOOLGATE_RETENTION_DAYS): \"ever\" is not a number"),
    ] {
        fs::write(&file, text).unwrap();
        let line = refusal_line(toolgate().arg("--config").arg(&file), EXIT_BAD_SETTINGS);
        assert!(line.starts_with(&format!("{}: {expected}", file.display())), "{line}");
    }
}

#[test]
fn a_port_in_use_is_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let line = refusal_line(toolgate().env("TOOLGATE_LISTEN", &address), EXIT_FAILURE);
    assert!(line.starts_with(&format!("cannot listen on {address}: the port is in use")), "{line}");
}

#[test]
fn a_data_folder_that_cannot_be_written_to_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let folder = file.path().join("data");
    let line = refusal_line(toolgate().data_dir(&folder), EXIT_FAILURE);
    assert!(line.starts_with(&format!("cannot write to the data folder {}", folder.display())), "{line}");
}

#[test]
fn a_second_service_in_a_data_folder_with_sqlite_is_refused() {
    let mut first = toolgate().start();
    let second = || toolgate().data_dir(first.data_dir());
    let line = refusal_line(second(), EXIT_FAILURE);
    let expected = format!("another service runs in the data folder {}", first.data_dir().display());
    assert!(line.starts_with(&expected) && line.contains("TOOLGATE_DATA_DIR"), "{line}");
    // Commands work while the service runs.
    assert!(first.command().args(["key", "list"]).output().unwrap().status.success());
    let builder = second();
    first.kill();
    drop(builder.start());
}

#[test]
fn several_services_on_postgresql_may_share_a_data_folder() {
    let Some(database) = Postgres::fresh_database() else { return };
    let first = toolgate().postgres(database.url()).start();
    drop(toolgate().postgres(database.url()).data_dir(first.data_dir()).start());
}

#[test]
fn a_database_without_its_key_file_is_refused_and_no_key_is_created() {
    let mut app = toolgate().start();
    app.terminate();
    let (keys, copy) = (app.data_dir().join("encryption-keys"), app.data_dir().join("copy-of-keys"));
    fs::rename(&keys, &copy).unwrap();
    let line = refusal_line(toolgate().data_dir(app.data_dir()), EXIT_FAILURE);
    assert!(line.starts_with(&format!("there is no key file {}, which the database", keys.display())), "{line}");
    assert!(!keys.exists(), "a new key would hide that the old one is missing");
    fs::rename(&copy, &keys).unwrap();
    app.restart();
}

#[test]
fn an_invalid_database_url_and_a_missing_database_folder_are_refused() {
    for url in ["mysql://u:hidden@db/x", "postgres://u:not/hidden@db/x"] {
        let line = refusal_line(toolgate().postgres(url), EXIT_BAD_SETTINGS);
        assert!(line.starts_with("--database-url (TOOLGATE_DATABASE_URL): it must be sqlite://FILE or"), "{line}");
        assert!(!line.contains("hidden"), "{line}");
    }
    let line = refusal_line(toolgate().postgres("sqlite:///nowhere/at/all.db"), EXIT_FAILURE);
    assert!(line.starts_with("cannot open the database at sqlite:///nowhere/at/all.db"), "{line}");
}

#[test]
fn a_database_that_does_not_respond_is_refused_within_seconds() {
    // A closed port, and a server that accepts and never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    for address in ["127.0.0.1:1".to_owned(), silent.local_addr().unwrap().to_string()] {
        let began = Instant::now();
        let line = refusal_line(toolgate().postgres(&format!("postgres://u:hidden@{address}/x")), EXIT_FAILURE);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert!(line.starts_with(&format!("cannot open the database at postgres://{address}/x: ")), "{line}");
    }
}

#[test]
fn a_wrong_encryption_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let with_key = |digit: &str| toolgate().data_dir(folder.path()).env("TOOLGATE_ENCRYPTION_KEYS", digit.repeat(64));
    drop(with_key("a").start());
    let line = refusal_line(with_key("b"), EXIT_FAILURE);
    assert!(line.starts_with("wrong encryption key: "), "{line}");
    drop(with_key("a").start());
}

#[test]
fn a_malformed_key_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("encryption-keys");
    fs::write(&file, "not-a-key\n").unwrap();
    let line = refusal_line(toolgate().data_dir(folder.path()), EXIT_FAILURE);
    assert!(
        line.starts_with(&format!("cannot use the key file {}: encryption key number 1", file.display())),
        "{line}"
    );
}

#[test]
fn a_newer_schema_is_refused() {
    let Some(database) = Postgres::fresh_database() else { return };
    let builder = toolgate().postgres(database.url());
    drop(builder.clone().start());
    database.psql(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
         values (9999, 'from the future', true, '\\x00', 0); \
         update schema_compatibility set oldest_program = 9999",
    );
    let line = refusal_line(builder, EXIT_FAILURE);
    assert!(line.starts_with("the database has schema version 9999, newer than"), "{line}");
    database.psql("delete from _sqlx_migrations where version = 9999");
    let line = refusal_line(toolgate().postgres(database.url()), EXIT_FAILURE);
    assert!(line.starts_with("the database has schema version 9999, newer than"), "{line}");
}

#[test]
fn unusable_certificate_files_of_redis_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    fs::write(&file, "no certificate").unwrap();
    let line = |url: &str, file: &str| {
        let service = toolgate().env("TOOLGATE_REDIS_URL", url).env("TOOLGATE_REDIS_CA_FILE", file);
        refusal_line(service, EXIT_BAD_SETTINGS)
    };
    let file = file.display().to_string();
    for (url, file, expected) in [
        ("rediss://127.0.0.1:1", "/nowhere.pem", "No such file"),
        ("rediss://127.0.0.1:1", &file, "it must contain certificates in PEM form"),
        ("redis://127.0.0.1:1", &file, "certificates are used only with rediss://"),
    ] {
        let line = line(url, file);
        assert!(line.starts_with("--redis-ca-file (TOOLGATE_REDIS_CA_FILE): ") && line.contains(expected), "{line}");
    }
    let line = refusal_line(toolgate().env("TOOLGATE_REDIS_CA_FILE", file), EXIT_BAD_SETTINGS);
    assert!(line.ends_with("set --redis-url"), "{line}");
}

#[tokio::test]
async fn another_key_for_a_database_that_nodes_share_is_refused_until_a_command_replaces_the_stored_one() {
    let Some(database) = Postgres::fresh_database() else { return };
    let builder = toolgate().postgres(database.url());
    let app = builder.clone().start();
    let other = builder.clone().api_key("tg_another_0123456789");
    let line = refusal_line(other.clone(), EXIT_FAILURE);
    assert!(line.starts_with("--api-key (TOOLGATE_API_KEY) differs from the stored key"), "{line}");
    assert!(line.contains("set it to the stored key") && line.contains("`toolgate key replace`"), "{line}");
    assert!(!line.contains("tg_another"), "{line}");
    app.client().get("/servers").send().await.expect(200);
    let replaced = other.clone().arg("key").arg("replace").command().output().unwrap();
    assert!(replaced.status.success(), "{replaced:?}");
    let second = other.start();
    second.client().get("/servers").send().await.expect(200);
    app.client().get("/servers").send().await.expect(401);
}
