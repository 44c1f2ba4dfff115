//! An open storage with two owners, and direct access to its database.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{NewUser, Role, Visibility};
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError, SqlStorage, StorageOpenError, UserStore as _};
use toolgate_testkit::database_fixture::{DatabaseFixture, DatabaseTarget};
use toolgate_testkit::postgres::TestDatabase;

use crate::raw::RawDatabase;

/// The time at which a test starts. Each [`StorageFixture::actor`] acts one second after the previous one.
const START_MILLIS: i64 = 1_790_000_000_000;

/// A storage under test.
pub(crate) struct StorageFixture {
    pub(crate) storage: Arc<SqlStorage>,
    pub(crate) url: String,
    pub(crate) keys: Arc<TestKeys>,
    pub(crate) raw: RawDatabase,
    /// The owner of most objects in the tests.
    pub(crate) alice: UserId,
    /// Another owner, who must not see Alice's objects.
    pub(crate) bob: UserId,
    now_ms: AtomicI64,
    guard: DatabaseGuard,
}

/// Deletes the database when it is dropped.
enum DatabaseGuard {
    Folder(tempfile::TempDir),
    Database(#[expect(dead_code, reason = "dropping it drops the database")] TestDatabase),
}

impl StorageFixture {
    pub(crate) async fn sqlite() -> Self {
        Self::open_on(None).await
    }

    /// `None` if no PostgreSQL is available.
    pub(crate) async fn postgres() -> Option<Self> {
        Some(Self::open_on(Some(toolgate_testkit::Postgres::fresh_database()?)).await)
    }

    async fn open_on(postgres: Option<TestDatabase>) -> Self {
        if let Some(database) = postgres {
            return Self::open_at(database.url().to_owned(), DatabaseGuard::Database(database)).await;
        }
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        Self::open_at(url, DatabaseGuard::Folder(folder)).await
    }

    async fn open_at(url: String, guard: DatabaseGuard) -> Self {
        let keys = Arc::new(TestKeys::new(&[1]));
        let storage = Arc::new(open(&url, &keys).await.unwrap());
        let actor = Actor::service(Timestamp::from_millis(START_MILLIS));
        let create_user = async |name: &str| {
            let new = NewUser { name: name.to_owned(), role: Role::Owner };
            storage.create_user(&actor, new).await.unwrap().id
        };
        let (alice, bob) = (create_user("alice").await, create_user("bob").await);
        let raw = RawDatabase::connect(&url).await;
        Self { storage, url, keys, raw, alice, bob, now_ms: AtomicI64::new(START_MILLIS), guard }
    }

    /// Advances the time of the fixture by one second. Returns the service as the actor, at that time.
    pub(crate) fn next_actor(&self) -> Actor {
        Actor::service(Timestamp::from_millis(self.now_ms.fetch_add(1000, Ordering::Relaxed) + 1000))
    }

    /// The service as the actor, at the time of the fixture.
    pub(crate) fn current_actor(&self) -> Actor {
        Actor::service(Timestamp::from_millis(self.now_ms.load(Ordering::Relaxed)))
    }

    pub(crate) fn as_alice(&self) -> Visibility {
        Visibility::User(self.alice)
    }

    pub(crate) fn as_bob(&self) -> Visibility {
        Visibility::User(self.bob)
    }

    /// Opens a second storage on the same database, like another process.
    pub(crate) async fn open_again(&self, keys: &Arc<TestKeys>) -> Result<SqlStorage, StorageOpenError> {
        open(&self.url, keys).await
    }

    /// The folder of the SQLite files; `None` for PostgreSQL.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.guard {
            DatabaseGuard::Folder(folder) => Some(folder.path()),
            DatabaseGuard::Database(_) => None,
        }
    }
}

impl DatabaseFixture for StorageFixture {
    async fn open(target: DatabaseTarget) -> Self {
        Self::open_on(target.postgres).await
    }
}

async fn open(url: &str, keys: &Arc<TestKeys>) -> Result<SqlStorage, StorageOpenError> {
    let keys: Arc<dyn KeySource> = Arc::<TestKeys>::clone(keys);
    SqlStorage::open(url, keys, Timestamp::from_millis(START_MILLIS)).await
}

/// A keyring that a test can replace while the storage is open, like a key file. A number stands for the key that
/// repeats this byte.
#[derive(Debug)]
pub(crate) struct TestKeys(Mutex<Vec<u8>>);

impl TestKeys {
    pub(crate) fn new(keys: &[u8]) -> Self {
        Self(Mutex::new(keys.to_vec()))
    }

    pub(crate) fn replace(&self, keys: &[u8]) {
        *self.0.lock().unwrap() = keys.to_vec();
    }
}

/// The id that the database stores for a test key.
pub(crate) fn key_id(key: u8) -> String {
    EncryptionKey::new([key; 32]).id().to_owned()
}

impl KeySource for TestKeys {
    fn load(&self) -> Result<Keyring, KeyringError> {
        let keys: Vec<String> =
            self.0.lock().unwrap().iter().map(|key| EncryptionKey::new([*key; 32]).to_text().to_string()).collect();
        Keyring::parse(&keys.join(","))
    }
}
