//! Commands on the database of a running service.

use std::fs;
use std::process::Output;

use serde_json::json;
use toolgate_testkit::objects::id;
use toolgate_testkit::{Postgres, RunningService};

use crate::toolgate;

/// Runs a command on the data of `app`.
fn run(app: &RunningService, args: &[&str]) -> Output {
    let builder = args.iter().fold(toolgate().data_dir(app.data_dir()), |builder, arg| builder.arg(*arg));
    builder.command().output().unwrap()
}

#[track_caller]
fn stdout_of_success(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn stderr_of_failure(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

async fn status_with_key(app: &RunningService, key: &str) -> u16 {
    app.client_with_key(Some(key)).get("/servers").send().await.status
}

#[tokio::test]
async fn keys_are_created_listed_and_revoked_while_the_service_runs() {
    let app = toolgate().start();
    let stdout = stdout_of_success(&run(&app, &["key", "create", "--name", "build server", "--scopes", "read"]));
    let key = stdout.trim_end();
    assert!(key.starts_with("tg_") && stdout.lines().count() == 1, "only the key is on stdout: {stdout}");
    assert_eq!(status_with_key(&app, key).await, 200);
    let refused = app.client_with_key(Some(key)).post("/servers").json(json!({"name": "x"})).send().await;
    assert_eq!(refused.status, 403, "the key has the scope read only");

    let list = stdout_of_success(&run(&app, &["key", "list"]));
    let line = list.lines().find(|line| line.ends_with("build server")).unwrap();
    assert!(line.contains("read ") && !list.contains(key), "{list}");

    let id = line.split_whitespace().next().unwrap();
    stdout_of_success(&run(&app, &["key", "revoke", id]));
    assert_eq!(status_with_key(&app, key).await, 401);
    assert!(stderr_of_failure(&run(&app, &["key", "revoke", id]), 1).contains("toolgate: no such api_key"));
}

#[tokio::test]
async fn a_key_can_have_an_expiry_time_and_an_owner() {
    let app = toolgate().start();
    let owner = app.client().post("/users").json(json!({"name": "ann", "role": "owner"})).send().await.expect(201);
    let id = owner.json()["id"].to_string();
    for user in ["ann", id.as_str()] {
        let stdout =
            stdout_of_success(&run(&app, &["key", "create", "--user", user, "--expires", "2999-01-01T00:00:00"]));
        assert_eq!(status_with_key(&app, stdout.trim_end()).await, 200);
    }
    let list = stdout_of_success(&run(&app, &["key", "list"]));
    assert_eq!(list.lines().filter(|line| line.contains("ann") && line.contains("2999-01-01T00:00:00")).count(), 2);

    for (args, code, expected) in [
        (["--user", "bob"], 1, "toolgate: there is no user \"bob\""),
        (["--expires", "2001-01-01T00:00:00"], 1, "toolgate: --expires: this time has passed"),
        (["--expires", "tomorrow"], 2, "toolgate: --expires: \"tomorrow\" is not a time"),
        (["--scopes", "everything"], 2, "toolgate: --scopes: \"everything\" is not a scope"),
        (["--name", ""], 1, "toolgate: --name: "),
    ] {
        let errors = stderr_of_failure(&run(&app, &[["key", "create"], args].concat()), code);
        assert!(errors.starts_with(expected), "{errors}");
    }
}

#[test]
fn a_command_does_not_create_a_data_folder() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("mistyped");
    for args in [&["key", "list"][..], &["rotate-keys"]] {
        let builder = args.iter().fold(toolgate().data_dir(&folder), |builder, arg| builder.arg(*arg));
        let errors = stderr_of_failure(&builder.command().output().unwrap(), 1);
        assert!(errors.starts_with("toolgate: there is no key file "), "{errors}");
    }
    assert!(!folder.exists());
}

#[test]
fn a_key_file_that_cannot_be_read_is_not_reported_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("encryption-keys");
    // A link to itself cannot be read, not even by root.
    std::os::unix::fs::symlink(&file, &file).unwrap();
    for args in [&["key", "list"][..], &["backup", "copy"], &["serve"]] {
        let builder = args.iter().fold(toolgate().data_dir(folder.path()), |builder, arg| builder.arg(*arg));
        let errors = stderr_of_failure(&builder.command().output().unwrap(), 1);
        assert!(errors.contains(&format!("toolgate: cannot use the key file {}: ", file.display())), "{errors}");
    }
}

#[test]
fn help_is_a_command_too() {
    let builder = toolgate();
    let help = |args: &[&str]| stdout_of_success(&builder.command().args(args).output().unwrap());
    assert_eq!(help(&["help"]), help(&["--help"]));
    assert_eq!(help(&["help", "backup"]), help(&["backup", "--help"]));
    assert_eq!(help(&["help", "key", "create"]), help(&["key", "create", "--help"]));
    assert!(help(&["help"]).contains("\n  help "), "{}", help(&["help"]));
}

/// Creates a tool with a credential, which is stored encrypted, and returns the id of the tool.
async fn create_tool_with_secret(app: &RunningService, name: &str) -> String {
    let server = app.client().create_server(json!({"name": name})).await;
    let credentials = json!({"auth_type": "bearer", "auth_credentials": {"token": "upstream-secret"}});
    app.client().create_tool(id(&server), credentials).await["id"].to_string()
}

#[tokio::test]
async fn after_a_rotation_the_new_key_decrypts_every_secret_also_in_the_running_service() {
    let mut app = toolgate().start();
    let tool = create_tool_with_secret(&app, "before").await;
    let file = app.data_dir().join("encryption-keys");
    let old_key = fs::read_to_string(&file).unwrap();
    let stdout = stdout_of_success(&run(&app, &["rotate-keys"]));
    assert!(stdout.starts_with("1 stored secret re-encrypted"), "{stdout}");
    let both_keys = fs::read_to_string(&file).unwrap();
    assert!(both_keys.ends_with(&old_key) && both_keys.lines().count() == 2, "the new key comes first");

    // The running service has not read the new key yet: to copy the secret it has to reload the key file.
    app.client().post(&format!("/tools/{tool}/duplicate")).send().await.expect(201);
    create_tool_with_secret(&app, "after").await;
    let stdout = stdout_of_success(&run(&app, &["rotate-keys"]));
    assert!(stdout.starts_with("3 stored secrets re-encrypted"), "{stdout}");
    app.kill();
    // Leaves only the newest key in the file: the start fails if a secret is encrypted with an older one.
    let newest = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, newest).unwrap();
    app.restart();
    app.client().get("/servers").send().await.expect(200);
}

#[tokio::test]
async fn configured_keys_are_rotated_by_adding_a_new_first_key() {
    let Some(database) = Postgres::fresh_database() else { return };
    let (old, new) = ("a".repeat(64), "b".repeat(64));
    let with_keys = |keys: &str| toolgate().postgres(database.url()).env("TOOLGATE_ENCRYPTION_KEYS", keys);
    let app = with_keys(&old).start();
    create_tool_with_secret(&app, "rotated").await;
    let output = with_keys(&format!("{new},{old}")).arg("rotate-keys").command().output().unwrap();
    assert!(stdout_of_success(&output).starts_with("1 stored secret re-encrypted"));
    drop(app);
    with_keys(&new).start().client().get("/servers").send().await.expect(200);
}
