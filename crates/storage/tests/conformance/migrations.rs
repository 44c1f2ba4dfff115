//! Migrations of older databases: from every earlier schema version, with data, and interrupted at every step.

mod interrupted;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr as _};
use toolgate_domain::ids::{DocumentId, ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::{
    DocumentStore as _, ServerStore as _, SqlStorage, Storage as _, StorageOpenError, ToolStore as _,
};
use toolgate_testkit::postgres::TestDatabase;

use crate::fixture::TestKeys;
use crate::raw::RawDatabase;
use crate::traffic::{BASE_MILLIS, TestJournal, TestTarget, all_ids};

/// A database with an older schema, and the data that a service of that version wrote.
pub(crate) struct OldDatabase {
    version: usize,
    url: String,
    pub(crate) raw: RawDatabase,
    /// The database file; empty for PostgreSQL.
    file: PathBuf,
    _folder: tempfile::TempDir,
    _database: Option<TestDatabase>,
}

impl OldDatabase {
    pub(crate) async fn sqlite(version: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("toolgate.db");
        fs::write(&file, "").unwrap();
        let url = format!("sqlite://{}", file.display());
        let raw = RawDatabase::connect(&url).await;
        // The service leaves its database in this mode.
        raw.execute("PRAGMA journal_mode = WAL").await;
        Self { version, url, raw, file, _folder: folder, _database: None }.migrate_and_fill().await
    }

    /// `None` if no PostgreSQL is available.
    pub(crate) async fn postgres(version: usize) -> Option<Self> {
        let database = toolgate_testkit::Postgres::fresh_database()?;
        let folder = tempfile::tempdir().unwrap();
        let (url, raw) = (database.url().to_owned(), RawDatabase::connect(database.url()).await);
        Some(
            Self { version, url, raw, file: PathBuf::new(), _folder: folder, _database: Some(database) }
                .migrate_and_fill()
                .await,
        )
    }

    /// One database of each kind and earlier schema version.
    async fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for version in 1..migrations("sqlite").len() {
            all.push(Self::sqlite(version).await);
            all.extend(Self::postgres(version).await);
        }
        all
    }

    async fn migrate_and_fill(self) -> Self {
        let migrations = self.migrations()[..self.version].to_vec();
        let migrator = Migrator::with_migrations(migrations);
        match &self.raw {
            RawDatabase::Sqlite(pool) => migrator.run(pool).await.unwrap(),
            RawDatabase::Postgres(pool) => migrator.run(pool).await.unwrap(),
        }
        for statement in contents_sql(self.version).split_inclusive(";\n") {
            self.raw.execute(&self.to_dialect(statement)).await;
        }
        self
    }

    fn migrations(&self) -> Vec<Migration> {
        migrations(if self.raw.is_sqlite() { "sqlite" } else { "postgres" })
    }

    /// Rewrites byte literals for PostgreSQL.
    fn to_dialect(&self, statement: &str) -> String {
        if self.raw.is_sqlite() { statement.to_owned() } else { statement.replace(" x'", r" '\x") }
    }

    pub(crate) async fn open(&self) -> Result<SqlStorage, StorageOpenError> {
        open(&self.url).await
    }

    /// The names of all schema objects, and the applied versions.
    pub(crate) async fn schema(&self) -> Vec<String> {
        let objects = if self.raw.is_sqlite() {
            "SELECT type || ' ' || name FROM sqlite_master ORDER BY 1"
        } else {
            "SELECT CAST(relname AS TEXT) FROM pg_class WHERE relnamespace = 'public'::regnamespace \
             UNION SELECT CAST(proname AS TEXT) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1"
        };
        let mut all = self.raw.texts(objects).await;
        all.extend(self.raw.texts("SELECT CAST(version AS TEXT) FROM _sqlx_migrations ORDER BY version").await);
        all
    }
}

async fn open(url: &str) -> Result<SqlStorage, StorageOpenError> {
    SqlStorage::open(url, Arc::new(TestKeys::new(&[1])), Timestamp::from_millis(BASE_MILLIS)).await
}

/// The migrations for one kind of database, in order, read from their files.
pub(crate) fn migrations(kind: &str) -> Vec<Migration> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(kind);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: &PathBuf| {
        let (version, name) = file.file_stem().unwrap().to_str().unwrap().split_once('_').unwrap();
        let sql = AssertSqlSafe(fs::read_to_string(file).unwrap()).into_sql_str();
        Migration::new(version.parse().unwrap(), name.to_owned().into(), MigrationType::Simple, sql, false)
    };
    files.iter().map(read).collect()
}

/// The statements that fill a database of this schema version. A new migration comes with such a file for the version
/// before it.
fn contents_sql(version: usize) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/schemas");
    let file = folder.join(format!("{version:04}.sql"));
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Asserts that the storage is consistent, holds the data of the first version's [`contents_sql`], and accepts calls.
async fn assert_contents(storage: &SqlStorage) {
    assert_eq!(storage.check().await.unwrap(), Vec::<String>::new());
    let server = storage.server(Visibility::All, ServerId(1)).await.unwrap();
    assert_eq!((server.spec.name.as_str(), server.tool_count), ("Wetter für Köln", 2));
    let secrets = storage.tool_secrets(ToolId(1)).await.unwrap().expose();
    assert!(secrets.contains("tool-token") && secrets.contains("header-token"));
    let mut journal = TestJournal::open(storage, "j").await;
    journal.ingest(storage, &[TestTarget::new(UserId(1), 1, 1).call(BASE_MILLIS)]).await;
    assert_eq!(all_ids(storage).await.len(), 1);
}

#[tokio::test]
async fn every_earlier_schema_is_migrated_with_its_data() {
    for old in OldDatabase::all().await {
        let storage = old.open().await.unwrap();
        assert_contents(&storage).await;
        storage.close().await;
        assert_audit_names(&old).await;
        let newest = old.migrations().last().unwrap().version;
        assert_eq!(old.raw.int("SELECT MAX(version) FROM _sqlx_migrations").await, newest);
        assert_reopens(&old).await;
    }
}

/// Asserts that the audit rows stay, and that each has the names of its user, key and object and the id of its server.
async fn assert_audit_names(old: &OldDatabase) {
    let object_names = old.raw.texts("SELECT object_name FROM audit ORDER BY id").await;
    let expected = ["admin", "bootstrap", "Wetter für Köln", "Paused", "forecast", "history", "other", "notes", "k"];
    assert_eq!(object_names, expected, "schema {}", old.version);
    let authors = old.raw.texts("SELECT DISTINCT user_name || '/' || key_name FROM audit WHERE user_id = 1").await;
    assert_eq!(authors, ["admin/bootstrap"]);
    let servers = "SELECT CAST(server_id AS TEXT) FROM audit WHERE server_id IS NOT NULL ORDER BY id";
    assert_eq!(old.raw.texts(servers).await, ["1", "2", "1", "1", "2", "1", "1"]);
}

async fn assert_reopens(old: &OldDatabase) {
    let reopened = old.open().await.unwrap();
    assert_eq!(all_ids(&reopened).await.len(), 1);
    reopened.close().await;
}

#[tokio::test]
async fn a_document_of_schema_8_is_readable_and_sealed_by_a_rotation() {
    for old in [Some(OldDatabase::sqlite(8).await), OldDatabase::postgres(8).await].into_iter().flatten() {
        let storage = old.open().await.unwrap();
        let content = async || storage.document_version(Visibility::All, DocumentId(1), None).await.unwrap().content;
        assert_eq!(content().await, br#"{"openapi":"3.1.0","paths":{}}"#);
        let unsealed = "SELECT COUNT(*) FROM document_versions WHERE key_id IS NULL";
        assert_eq!(old.raw.int(unsealed).await, 1);
        assert_eq!(storage.reseal(Timestamp::from_millis(BASE_MILLIS)).await.unwrap(), 1);
        assert_eq!(old.raw.int(unsealed).await, 0);
        assert_eq!(content().await, br#"{"openapi":"3.1.0","paths":{}}"#);
    }
}

#[tokio::test]
async fn a_file_is_copied_before_its_schema_changes() {
    use std::os::unix::fs::PermissionsExt as _;
    for version in 1..migrations("sqlite").len() {
        let old = OldDatabase::sqlite(version).await;
        let (before, copy) = (old.schema().await, PathBuf::from(format!("{}.schema-{version}", old.file.display())));
        // A process that is killed during the copy leaves such a file.
        fs::write(format!("{}.part", copy.display()), "incomplete").unwrap();
        old.open().await.unwrap().close().await;
        assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
        let url = format!("sqlite://{}", copy.display());
        let copied = OldDatabase { raw: RawDatabase::connect(&url).await, url, file: copy, ..old };
        assert_eq!(copied.schema().await, before);
        assert_contents(&copied.open().await.unwrap()).await;
    }
}

#[tokio::test]
async fn a_new_file_and_one_that_is_up_to_date_are_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    for _ in 0..2 {
        open(&url).await.unwrap().close().await;
        let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(files, ["toolgate.db"]);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_copied_is_not_migrated() {
    let old = OldDatabase::sqlite(1).await;
    let (before, obstacle) = (old.schema().await, format!("{}.schema-1.part", old.file.display()));
    fs::create_dir(&obstacle).unwrap();
    let error = old.open().await.unwrap_err();
    assert!(matches!(error, StorageOpenError::Copy { .. }), "{error:?}");
    assert!(error.to_string().starts_with("cannot copy the database before its schema is brought up to date: "));
    assert_eq!(old.schema().await, before);
    fs::remove_dir(obstacle).unwrap();
    assert_contents(&old.open().await.unwrap()).await;
}
