//! On PostgreSQL, `backup` and `restore` fail and print the PostgreSQL commands to use; these commands must work.

use toolgate_testkit::Postgres;

use super::{BackupFixture, error_line, run};
use crate::toolgate;

/// Runs the command that an error line shows, in a shell.
#[track_caller]
fn run_printed_command(line: &str, database: &toolgate_testkit::postgres::TestDatabase) {
    let command = line.split_once(": ").unwrap().1;
    let output = database.shell(command);
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn the_printed_postgresql_commands_back_up_and_restore() {
    let (Some(database), Some(empty_database)) = (Postgres::fresh_database(), Postgres::fresh_database()) else {
        return;
    };
    let fixture = BackupFixture::open_with(toolgate().postgres(database.url())).await;
    let file = fixture.file("back up");
    let line = error_line(&run(&fixture.service.app, &["backup"], &file));
    assert!(line.starts_with("the database is PostgreSQL; back it up with its own command: pg_dump "), "{line}");
    run_printed_command(&line, &database);

    let data_dir = fixture.new_data_dir("data_dir");
    let other_service = toolgate().data_dir(&data_dir).postgres(empty_database.url());
    let line = error_line(&other_service.command().arg("restore").arg(&file).output().unwrap());
    assert!(line.contains("into an empty database: pg_restore "), "{line}");
    run_printed_command(&line, &empty_database);
    fixture.assert_works_at(&other_service.start()).await;
}

#[test]
fn the_printed_commands_contain_no_password() {
    for command in ["backup", "restore"] {
        let builder = toolgate().postgres("postgres://ann:s3cret@127.0.0.1:1/tools").arg(command).arg("file");
        let line = error_line(&builder.command().output().unwrap());
        assert!(line.contains("--host=127.0.0.1 --port=1 --username=ann --dbname=tools"), "{line}");
        assert!(!line.contains("s3cret"), "{line}");
    }
}
