//! Whole copies of a SQLite database, and which files are taken for one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgate_storage::{Backup, BackupError, KeySource, ServerStore as _};

use crate::builders::bearer;
use crate::fixture::{StorageFixture, TestKeys, key_id};
use crate::raw::RawDatabase;
use crate::traffic::{NOON, TestJournal, TestTarget};

fn keys(of: &[u8]) -> Arc<dyn KeySource> {
    Arc::new(TestKeys::new(of))
}

/// A backup of a storage with a server, a tool that has a secret, and two calls.
async fn backed_up() -> (StorageFixture, PathBuf) {
    let fixture = StorageFixture::sqlite().await;
    let server = fixture.server("S").await;
    let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
    let target = TestTarget { user: fixture.alice, server: server.id, tool: tool.id };
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    journal.ingest(&*fixture.storage, &[target.call(NOON), target.call(NOON + 1)]).await;
    let file = fixture.folder().unwrap().join("backup");
    fixture.storage.back_up(&file).await.unwrap();
    (fixture, file)
}

async fn change(file: &Path, sql: &str) {
    let raw = RawDatabase::connect(&format!("sqlite://{}", file.display())).await;
    raw.execute(sql).await;
}

#[tokio::test]
async fn a_backup_tells_what_it_holds_and_is_not_changed_by_looking() {
    let (fixture, file) = backed_up().await;
    let bytes = std::fs::read(&file).unwrap();
    let contents = Backup::open(&file, keys(&[1])).await.unwrap().contents().clone();
    assert_eq!((contents.servers, contents.tools, contents.calls, contents.secrets), (1, 1, 2, 1));
    assert_eq!((contents.keys, contents.bytes), (vec![key_id(1)], u64::try_from(bytes.len()).unwrap()));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    let again = fixture.storage.back_up(&file).await.unwrap();
    assert_eq!(again.calls, 2, "a backup that is there is replaced");
}

#[tokio::test]
async fn a_backup_of_a_newer_schema_is_refused() {
    let (_bench, file) = backed_up().await;
    let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (4711, 'from the future', TRUE, x'00', 0)";
    change(&file, sql).await;
    assert_fails!(Backup::open(&file, keys(&[1])).await, BackupError::NewerSchema { found: 4711, .. });
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let (_bench, file) = backed_up().await;
    change(&file, "UPDATE _sqlx_migrations SET checksum = x'00'").await;
    assert_fails!(Backup::open(&file, keys(&[1])).await, BackupError::NotABackup { .. });
    change(&file, "DROP TABLE _sqlx_migrations").await;
    assert_fails!(Backup::open(&file, keys(&[1])).await, BackupError::NotABackup { .. });
}

#[tokio::test]
async fn a_backup_whose_secrets_cannot_be_opened_is_refused() {
    let (_bench, file) = backed_up().await;
    for ring in [&[2][..], &[3, 2]] {
        let opened = Backup::open(&file, keys(ring)).await;
        assert_fails!(opened, BackupError::WrongKey { key_id: id, .. } if id == key_id(1));
    }
    Backup::open(&file, keys(&[2, 1])).await.unwrap();
}

#[tokio::test]
async fn a_backup_that_does_not_agree_with_itself_is_refused() {
    let (_bench, file) = backed_up().await;
    change(&file, "UPDATE servers SET tool_count = 7").await;
    let opened = Backup::open(&file, keys(&[1])).await;
    assert_fails!(opened, BackupError::Damaged { problem, .. } if problem.contains("tool_count"));
}

#[tokio::test]
async fn a_backup_of_a_database_that_does_not_agree_with_itself_is_not_made() {
    let (fixture, file) = backed_up().await;
    let before = std::fs::read(&file).unwrap();
    fixture.raw.execute("UPDATE servers SET tool_count = 7").await;
    assert_fails!(fixture.storage.back_up(&file).await, BackupError::Damaged { .. });
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(!file.with_extension("part").exists());
}

#[tokio::test]
async fn a_backup_is_one_state_and_writers_do_not_wait_for_it() {
    let fixture = StorageFixture::sqlite().await;
    let values = "n * 1024, n * 1024, 1, randomblob(1000)";
    fixture.raw.fill("call_blocks", "newest, oldest, calls, packed", values, 20_000).await;
    let file = fixture.folder().unwrap().join("backup");
    let mut written = 0_u64;
    let contents = {
        let mut copying = std::pin::pin!(fixture.storage.back_up(&file));
        loop {
            tokio::select! {
                contents = &mut copying => break contents.unwrap(),
                server = async { fixture.server(&format!("S{written}")).await } => drop(server),
            }
            written += 1;
        }
    };
    assert!(written > 3, "{written} servers were made beside a backup of {} bytes", contents.bytes);
    assert!(contents.servers < written + 1, "{} of {written}", contents.servers);
    fixture.storage.server(fixture.as_alice(), toolgate_domain::ids::ServerId(1)).await.unwrap();
}

#[tokio::test]
async fn a_postgresql_database_is_left_to_its_own_programs() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let folder = tempfile::tempdir().unwrap();
    assert_fails!(fixture.storage.back_up(&folder.path().join("backup")).await, BackupError::Postgres);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
