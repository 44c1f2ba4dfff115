//! Backups of a SQLite database, and which files are accepted as a backup.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgate_storage::{Backup, BackupError, DocumentStore as _, KeySource, ServerStore as _, SqlStorage};

use crate::builders::bearer;
use crate::fixture::{StorageFixture, TestKeys, key_id};
use crate::raw::RawDatabase;
use crate::traffic::{BASE_MILLIS, TestJournal, TestTarget};

fn key_source(keys: &[u8]) -> Arc<dyn KeySource> {
    Arc::new(TestKeys::new(keys))
}

/// Backs up a storage with a server, a tool that has a secret, and two calls. Returns the storage and the backup file.
async fn create_backup() -> (StorageFixture, PathBuf) {
    let fixture = StorageFixture::sqlite().await;
    let server = fixture.server("S").await;
    let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
    let target = TestTarget { user: fixture.alice, server: server.id, tool: tool.id };
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    journal.ingest(&*fixture.storage, &[target.call(BASE_MILLIS), target.call(BASE_MILLIS + 1)]).await;
    let file = fixture.folder().unwrap().join("backup");
    fixture.storage.back_up(&file).await.unwrap();
    (fixture, file)
}

async fn execute(file: &Path, sql: &str) {
    let raw = RawDatabase::connect(&format!("sqlite://{}", file.display())).await;
    raw.execute(sql).await;
}

#[tokio::test]
async fn a_backup_reports_its_contents_and_opening_does_not_change_it() {
    let (fixture, file) = create_backup().await;
    let bytes = std::fs::read(&file).unwrap();
    let contents = Backup::open(&file, key_source(&[1])).await.unwrap().contents;
    assert_eq!((contents.servers, contents.tools, contents.calls, contents.secrets), (1, 1, 2, 1));
    assert_eq!((contents.keys, contents.bytes), (vec![key_id(1)], u64::try_from(bytes.len()).unwrap()));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    let second_contents = fixture.storage.back_up(&file).await.unwrap();
    assert_eq!(second_contents.calls, 2, "an existing backup is replaced");
}

#[tokio::test]
async fn a_backup_has_the_sealed_documents() {
    let fixture = StorageFixture::sqlite().await;
    let server = fixture.server("S").await;
    let id = fixture.import(server.id, "openapi: 3.1.0").await;
    let file = fixture.folder().unwrap().join("backup");
    fixture.storage.back_up(&file).await.unwrap();
    fixture.storage.delete_document(&fixture.next_actor(), fixture.as_alice(), id, true).await.unwrap();
    let restored = fixture.folder().unwrap().join("restored");
    let backup = Backup::open(&file, key_source(&[1])).await.unwrap();
    backup
        .stage(&restored, fixture.next_actor().at)
        .await
        .unwrap()
        .install(&fixture.folder().unwrap().join("previous"))
        .unwrap();
    let url = format!("sqlite://{}", restored.display());
    let storage = SqlStorage::open(&url, key_source(&[1]), fixture.next_actor().at).await.unwrap();
    let version = storage.document_version(fixture.as_alice(), id, None).await.unwrap();
    assert_eq!(version.content, b"openapi: 3.1.0");
}

#[tokio::test]
async fn a_backup_of_a_newer_schema_is_refused() {
    let (_fixture, file) = create_backup().await;
    let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (4711, 'from the future', TRUE, x'00', 0)";
    execute(&file, sql).await;
    assert_fails!(Backup::open(&file, key_source(&[1])).await, BackupError::NewerSchema { found: 4711, .. });
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let (_fixture, file) = create_backup().await;
    execute(&file, "UPDATE _sqlx_migrations SET checksum = x'00'").await;
    assert_fails!(Backup::open(&file, key_source(&[1])).await, BackupError::NotABackup { .. });
    execute(&file, "DROP TABLE _sqlx_migrations").await;
    assert_fails!(Backup::open(&file, key_source(&[1])).await, BackupError::NotABackup { .. });
}

#[tokio::test]
async fn a_backup_whose_secrets_cannot_be_decrypted_is_refused() {
    let (_fixture, file) = create_backup().await;
    for keys in [&[2][..], &[3, 2]] {
        let opened = Backup::open(&file, key_source(keys)).await;
        assert_fails!(opened, BackupError::WrongKey { key_id: id, .. } if id == key_id(1));
    }
    Backup::open(&file, key_source(&[2, 1])).await.unwrap();
}

#[tokio::test]
async fn an_inconsistent_backup_is_refused() {
    let (_fixture, file) = create_backup().await;
    execute(&file, "UPDATE servers SET tool_count = 7").await;
    let opened = Backup::open(&file, key_source(&[1])).await;
    assert_fails!(opened, BackupError::Damaged { problem, .. } if problem.contains("tool_count"));
}

#[tokio::test]
async fn an_inconsistent_database_is_not_backed_up() {
    let (fixture, file) = create_backup().await;
    let before = std::fs::read(&file).unwrap();
    fixture.raw.execute("UPDATE servers SET tool_count = 7").await;
    assert_fails!(fixture.storage.back_up(&file).await, BackupError::Damaged { .. });
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(!file.with_extension("part").exists());
}

#[tokio::test]
async fn a_backup_is_one_state_and_does_not_block_writers() {
    let fixture = StorageFixture::sqlite().await;
    let values = "n * 1024, n * 1024, 1, randomblob(1000)";
    fixture.raw.fill("call_blocks", "newest, oldest, calls, packed", values, 20_000).await;
    let file = fixture.folder().unwrap().join("backup");
    let mut created = 0_u64;
    let contents = {
        let mut backup = std::pin::pin!(fixture.storage.back_up(&file));
        loop {
            tokio::select! {
                contents = &mut backup => break contents.unwrap(),
                server = async { fixture.server(&format!("S{created}")).await } => drop(server),
            }
            created += 1;
        }
    };
    assert!(created > 3, "only {created} servers were created during a backup of {} bytes", contents.bytes);
    assert!(contents.servers < created + 1, "the backup has {} of {created} servers", contents.servers);
    fixture.storage.server(fixture.as_alice(), toolgate_domain::ids::ServerId(1)).await.unwrap();
}

#[tokio::test]
async fn a_postgresql_database_is_not_backed_up() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let folder = tempfile::tempdir().unwrap();
    assert_fails!(fixture.storage.back_up(&folder.path().join("backup")).await, BackupError::Postgres);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
