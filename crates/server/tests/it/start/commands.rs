//! Commands beside a running service, on its own database.

use std::fs;
use std::process::Output;

use serde_json::json;
use toolgate_testkit::{Postgres, RunningService};

use super::toolgate;

/// Runs a command on the data of `app`.
fn run(app: &RunningService, args: &[&str]) -> Output {
    let builder = args.iter().fold(toolgate().data_dir(app.data_dir()), |builder, arg| builder.arg(*arg));
    builder.command().output().unwrap()
}

#[track_caller]
fn succeed(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn fail(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

async fn status_with(app: &RunningService, key: &str) -> u16 {
    app.client_with_key(Some(key)).get("/servers").send().await.status
}

#[tokio::test]
async fn keys_are_made_listed_and_revoked_while_the_service_runs() {
    let app = toolgate().start();
    let made = succeed(&run(&app, &["key", "create", "--name", "build server", "--scopes", "read"]));
    let key = made.trim_end();
    assert!(key.starts_with("tg_") && made.lines().count() == 1, "only the key is on stdout: {made}");
    assert_eq!(status_with(&app, key).await, 200);
    let refused = app.client_with_key(Some(key)).post("/servers").json(json!({"name": "x"})).send().await;
    assert_eq!(refused.status, 403, "the key may read only");

    let list = succeed(&run(&app, &["key", "list"]));
    let line = list.lines().find(|line| line.ends_with("build server")).unwrap();
    assert!(line.contains("read ") && !list.contains(key), "{list}");

    let id = line.split_whitespace().next().unwrap();
    succeed(&run(&app, &["key", "revoke", id]));
    assert_eq!(status_with(&app, key).await, 401);
    assert!(fail(&run(&app, &["key", "revoke", id]), 1).contains("toolgate: no such api_key"));
}

#[tokio::test]
async fn a_key_can_have_an_end_and_an_owner() {
    let app = toolgate().start();
    let owner = app.client().post("/users").json(json!({"name": "ann", "role": "owner"})).send().await.expect(201);
    let id = owner.json()["id"].to_string();
    for user in ["ann", id.as_str()] {
        let made = succeed(&run(&app, &["key", "create", "--user", user, "--expires", "2999-01-01T00:00:00"]));
        assert_eq!(status_with(&app, made.trim_end()).await, 200);
    }
    let list = succeed(&run(&app, &["key", "list"]));
    assert_eq!(list.lines().filter(|line| line.contains("ann") && line.contains("2999-01-01T00:00:00")).count(), 2);

    for (args, code, expected) in [
        (["--user", "bob"], 1, "toolgate: there is no user \"bob\""),
        (["--expires", "2001-01-01T00:00:00"], 1, "toolgate: --expires: this time has passed"),
        (["--expires", "tomorrow"], 2, "toolgate: --expires: \"tomorrow\" is not a time"),
        (["--scopes", "everything"], 2, "toolgate: --scopes: \"everything\" is not a scope"),
        (["--name", ""], 1, "toolgate: --name: "),
    ] {
        let errors = fail(&run(&app, &[["key", "create"], args].concat()), code);
        assert!(errors.starts_with(expected), "{errors}");
    }
}

#[test]
fn a_command_does_not_make_a_data_folder() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("mistyped");
    for args in [&["key", "list"][..], &["rotate-keys"]] {
        let builder = args.iter().fold(toolgate().data_dir(&folder), |builder, arg| builder.arg(*arg));
        let errors = fail(&builder.command().output().unwrap(), 1);
        assert!(errors.starts_with("toolgate: there is no key file "), "{errors}");
    }
    assert!(!folder.exists());
}

/// Makes a tool with a secret, so that there is something to seal; returns its id.
async fn create_secret(app: &RunningService, name: &str) -> String {
    let server = app.client().post("/servers").json(json!({"name": name})).send().await.expect(201).json();
    let tool = json!({
        "name": "call", "endpoint_url": "https://api.example.com/x",
        "auth_type": "bearer", "auth_credentials": {"token": "upstream-secret"},
    });
    let path = format!("/servers/{}/tools", server["id"]);
    app.client().post(&path).json(tool).send().await.expect(201).json()["id"].to_string()
}

#[tokio::test]
async fn rotated_keys_open_everything_also_in_the_running_service() {
    let mut app = toolgate().start();
    let tool = create_secret(&app, "before").await;
    let file = app.data_dir().join("encryption-keys");
    let old = fs::read_to_string(&file).unwrap();
    let output_text = succeed(&run(&app, &["rotate-keys"]));
    assert!(output_text.starts_with("1 stored secrets sealed anew"), "{output_text}");
    let both = fs::read_to_string(&file).unwrap();
    assert!(both.ends_with(&old) && both.lines().count() == 2, "the new key comes first");

    // The running service has not seen the new key: to copy the secret it has to look again.
    app.client().post(&format!("/tools/{tool}/duplicate")).send().await.expect(201);
    create_secret(&app, "after").await;
    let output_text = succeed(&run(&app, &["rotate-keys"]));
    assert!(output_text.starts_with("3 stored secrets sealed anew"), "{output_text}");
    app.kill();
    // Only the newest key is left: everything was sealed with it, or this start would be refused.
    let newest = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    fs::write(&file, newest).unwrap();
    app.restart();
    app.client().get("/servers").send().await.expect(200);
}

#[tokio::test]
async fn given_keys_are_rotated_by_putting_a_new_one_first() {
    let Some(database) = Postgres::fresh_database() else { return };
    let (old, new) = ("a".repeat(64), "b".repeat(64));
    let with_keys = |keys: &str| toolgate().postgres(database.url()).env("TOOLGATE_ENCRYPTION_KEYS", keys);
    let app = with_keys(&old).start();
    create_secret(&app, "sealed").await;
    let output = with_keys(&format!("{new},{old}")).arg("rotate-keys").command().output().unwrap();
    assert!(succeed(&output).starts_with("1 stored secrets sealed anew"));
    drop(app);
    with_keys(&new).start().client().get("/servers").send().await.expect(200);
}
