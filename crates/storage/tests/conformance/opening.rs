//! Opening a database: a new one, an existing one, and those that must be refused.

use std::sync::Arc;

use toolgate_domain::time::Timestamp;
use toolgate_storage::{KeySource, ServerStore as _, SqlStorage, Storage as _, StorageOpenError, ToolStore as _};

use crate::builders::bearer;
use crate::fixture::{StorageFixture, TestKeys};

async fn open(url: &str) -> Result<SqlStorage, StorageOpenError> {
    let keys: Arc<dyn KeySource> = Arc::new(TestKeys::new(&[1]));
    SqlStorage::open(url, keys, Timestamp::from_millis(1)).await
}

/// The schema objects, and the rows that opening could change.
async fn schema(fixture: &StorageFixture) -> Vec<String> {
    let objects = if fixture.raw.is_sqlite() {
        "SELECT type || name || COALESCE(sql, '') FROM sqlite_master ORDER BY 1"
    } else {
        "SELECT CAST(relname AS TEXT) FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
    };
    let mut all = fixture.raw.texts(objects).await;
    all.extend(fixture.raw.texts("SELECT CAST(version AS TEXT) FROM _sqlx_migrations ORDER BY version").await);
    all.extend(fixture.raw.texts("SELECT key_id || created_at FROM encryption_keys ORDER BY key_id").await);
    all
}

/// Registers a migration that only a newer program knows.
async fn apply_unknown_migration(fixture: &StorageFixture) {
    let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
        SELECT 4711, 'from the future', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1";
    fixture.raw.execute(sql).await;
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn stored_objects_survive_reopening(fixture) {
        let server = fixture.server("S").await;
        let tool = fixture.tool_with(server.id, "t", bearer("tok")).await;
        fixture.storage.close().await;
        for _ in 0..3 {
            let reopened = fixture.open_again(&fixture.keys).await.unwrap();
            let stored = reopened.server(fixture.as_alice(), server.id).await.unwrap();
            assert_eq!((stored.spec.name.as_str(), stored.tool_count), ("S", 1));
            assert!(reopened.tool_secrets(tool.id).await.unwrap().expose().contains("tok"));
            reopened.close().await;
        }
    }

    async fn two_storages_share_one_database(fixture) {
        let second = fixture.open_again(&fixture.keys).await.unwrap();
        let server = fixture.server("S").await;
        second.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        let stored = fixture.storage.server(fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(stored.spec.status, toolgate_domain::server::ServerStatus::Paused);
    }

    async fn of_nodes_with_different_keys_one_opens_a_new_database(fixture) {
        fixture.storage.close().await;
        for _ in 0..10 {
            fixture.raw.execute("DELETE FROM encryption_keys").await;
            let keyrings = [1, 2, 3, 4].map(|key| Arc::new(TestKeys::new(&[key])));
            let [one, two, three, four] = &keyrings;
            let (one, two, three, four) = tokio::join!(
                fixture.open_again(one), fixture.open_again(two), fixture.open_again(three), fixture.open_again(four),
            );
            let (mut opened, mut refused) = (0, 0);
            for result in [one, two, three, four] {
                match result {
                    Ok(storage) => {
                        opened += 1;
                        storage.close().await;
                    }
                    Err(StorageOpenError::WrongKey { .. }) => refused += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            assert_eq!((opened, refused), (1, 3));
        }
    }

    async fn a_newer_schema_is_refused_and_left_untouched(fixture) {
        fixture.storage.close().await;
        apply_unknown_migration(fixture).await;
        fixture.raw.execute("UPDATE schema_compatibility SET oldest_program = 4711").await;
        let before = schema(fixture).await;
        for keys in [&[1][..], &[9]] {
            let opened = fixture.open_again(&Arc::new(TestKeys::new(keys))).await;
            assert_fails!(opened, StorageOpenError::NewerSchema { found: 4711 });
        }
        assert_eq!(schema(fixture).await, before);
        fixture.raw.execute("DELETE FROM _sqlx_migrations WHERE version = 4711").await;
        let opened = fixture.open_again(&fixture.keys).await;
        assert_fails!(opened, StorageOpenError::NewerSchema { found: 4711 });
        fixture.raw.execute("UPDATE schema_compatibility SET oldest_program = 11").await;
        fixture.open_again(&fixture.keys).await.unwrap();
    }

    async fn a_newer_schema_that_this_program_can_use_is_opened(fixture) {
        fixture.storage.close().await;
        apply_unknown_migration(fixture).await;
        fixture.raw.execute("ALTER TABLE servers ADD COLUMN colour TEXT").await;
        fixture.raw.execute("CREATE TABLE colours (name TEXT)").await;
        let before = schema(fixture).await;
        let opened = fixture.open_again(&fixture.keys).await.unwrap();
        assert_eq!(opened.check().await.unwrap(), Vec::<String>::new());
        assert_eq!(schema(fixture).await, before);
    }

    async fn a_migration_that_changed_after_it_was_applied_is_refused(fixture) {
        let wrong_checksum = if fixture.raw.is_sqlite() { "x'00'" } else { "'\\x00'::bytea" };
        fixture.raw.execute(&format!("UPDATE _sqlx_migrations SET checksum = {wrong_checksum}")).await;
        assert_fails!(fixture.open_again(&fixture.keys).await, StorageOpenError::Migrate(_));
    }
}

#[tokio::test]
async fn the_error_for_an_unknown_scheme_names_it() {
    for (url, scheme) in [("mysql://u:secret@h/d", "mysql"), ("toolgate.db", "toolgate.db"), ("", "")] {
        let error = open(url).await.unwrap_err();
        assert!(matches!(&error, StorageOpenError::Scheme(found) if found == scheme), "{error:?}");
        assert!(!error.to_string().contains("secret"));
    }
}

#[tokio::test]
async fn a_file_in_a_missing_folder_is_refused_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/missing/toolgate.db", folder.path().display());
    let error = open(&url).await.unwrap_err();
    assert!(matches!(&error, StorageOpenError::Connect { url: shown, .. } if *shown == url), "{error:?}");
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_refused_and_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let notes = "not a database, but a text file; ".repeat(40);
    std::fs::write(&path, &notes).unwrap();
    open(&format!("sqlite://{}", path.display())).await.unwrap_err();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), notes);
}

#[tokio::test]
async fn open_existing_neither_creates_nor_migrates_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mistyped.db");
    let url = format!("sqlite://{}", file.display());
    let keys = || -> Arc<dyn KeySource> { Arc::new(TestKeys::new(&[1])) };
    assert_fails!(SqlStorage::open_existing(&url, keys()).await, StorageOpenError::Connect { .. });
    assert!(!file.exists());
    std::fs::write(&file, "").unwrap();
    assert_fails!(SqlStorage::open_existing(&url, keys()).await, StorageOpenError::OlderSchema);
    open(&url).await.unwrap().close().await;
    SqlStorage::open_existing(&url, keys()).await.unwrap().close().await;
    assert_fails!(
        SqlStorage::open_existing(&url, Arc::new(TestKeys::new(&[2]))).await,
        StorageOpenError::WrongKey { .. }
    );
}

#[tokio::test]
async fn an_unreachable_database_is_refused_without_showing_its_password() {
    let error = open("postgres://u:secret@127.0.0.1:1/d").await.unwrap_err();
    assert!(matches!(error, StorageOpenError::Connect { .. }), "{error:?}");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn a_database_that_cannot_store_every_text_is_refused_and_left_untouched() {
    let Some(database) = toolgate_testkit::Postgres::fresh_database() else { return };
    let name = format!("{}_latin1", database.name());
    let encoding = "ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'";
    database.psql(&format!("CREATE DATABASE {name} {encoding}"));
    let url = database.url().replace(database.name(), &name);
    let error = open(&url).await.unwrap_err();
    let raw = crate::raw::RawDatabase::connect(&url).await;
    let tables = raw.int("SELECT COUNT(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace").await;
    drop(raw);
    database.psql(&format!("DROP DATABASE {name} WITH (FORCE)"));
    assert!(matches!(&error, StorageOpenError::Encoding { found } if found == "LATIN1"), "{error:?}");
    assert_eq!(tables, 0);
}
