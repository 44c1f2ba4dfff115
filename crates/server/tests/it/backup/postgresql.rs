//! PostgreSQL makes its own backups: the commands that ours name do it.

use toolgate_testkit::Postgres;

use super::{BackupFixture, refusal, run, toolgate};

/// Runs a command that was shown, as a shell would.
#[track_caller]
fn run_shown(line: &str, database: &toolgate_testkit::postgres::TestDatabase) {
    let shown = line.split_once(": ").unwrap().1;
    let output = database.shell(shown);
    assert!(output.status.success(), "{shown}: {}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn the_commands_that_are_named_for_postgresql_back_up_and_restore() {
    let (Some(database), Some(empty)) = (Postgres::fresh_database(), Postgres::fresh_database()) else { return };
    let fixture = BackupFixture::open_with(toolgate().postgres(database.url())).await;
    let file = fixture.file("back up");
    let line = refusal(&run(&fixture.app, &["backup"], &file));
    assert!(line.starts_with("the database is PostgreSQL, which makes its own backups: pg_dump "), "{line}");
    run_shown(&line, &database);

    let home = fixture.empty_home("home");
    let elsewhere = toolgate().data_dir(&home).postgres(empty.url());
    let line = refusal(&elsewhere.command().arg("restore").arg(&file).output().unwrap());
    assert!(line.contains("into an empty database: pg_restore "), "{line}");
    run_shown(&line, &empty);
    fixture.assert_works_at(&elsewhere.start()).await;
}

#[test]
fn no_password_is_in_the_commands() {
    for command in ["backup", "restore"] {
        let builder = toolgate().postgres("postgres://ann:s3cret@127.0.0.1:1/tools").arg(command).arg("file");
        let line = refusal(&builder.command().output().unwrap());
        assert!(line.contains("--host=127.0.0.1 --port=1 --username=ann --dbname=tools"), "{line}");
        assert!(!line.contains("s3cret"), "{line}");
    }
}
