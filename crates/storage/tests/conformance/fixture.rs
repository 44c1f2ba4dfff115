//! An open storage with two owners in it, and the means to look behind it.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{NewUser, Role, Visibility};
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError, SqlStorage, StorageOpenError, UserStore as _};
use toolgate_testkit::postgres::TestDatabase;

use crate::raw::RawDatabase;

/// The moment at which a test begins; each change is a second later than the one before.
const BEGINNING: i64 = 1_790_000_000_000;

/// A storage under test.
pub(crate) struct StorageFixture {
    pub(crate) storage: Arc<SqlStorage>,
    pub(crate) url: String,
    pub(crate) keys: Arc<TestKeys>,
    pub(crate) raw: RawDatabase,
    /// The owner whom most tests are about.
    pub(crate) alice: UserId,
    /// The owner who must not see what is Alice's.
    pub(crate) bob: UserId,
    now: AtomicI64,
    home: DatabaseHome,
}

/// What goes with the test.
enum DatabaseHome {
    Folder(tempfile::TempDir),
    Database(#[expect(dead_code, reason = "dropping it drops the database")] TestDatabase),
}

impl StorageFixture {
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        Self::at(url, DatabaseHome::Folder(folder)).await
    }

    /// `None` where there is no PostgreSQL.
    pub(crate) async fn postgres() -> Option<Self> {
        let database = toolgate_testkit::Postgres::fresh_database()?;
        Some(Self::at(database.url().to_owned(), DatabaseHome::Database(database)).await)
    }

    async fn at(url: String, home: DatabaseHome) -> Self {
        let keys = Arc::new(TestKeys::new(&[1]));
        let storage = Arc::new(open(&url, &keys).await.unwrap());
        let actor = Actor::service(Timestamp::from_millis(BEGINNING));
        let user = async |name: &str| {
            let new = NewUser { name: name.to_owned(), role: Role::Owner };
            storage.create_user(&actor, new).await.unwrap().id
        };
        let (alice, bob) = (user("alice").await, user("bob").await);
        let raw = RawDatabase::connect(&url).await;
        Self { storage, url, keys, raw, alice, bob, now: AtomicI64::new(BEGINNING), home }
    }

    /// The service itself, one second later than before.
    pub(crate) fn actor(&self) -> Actor {
        Actor::service(Timestamp::from_millis(self.now.fetch_add(1000, Ordering::Relaxed) + 1000))
    }

    /// The service itself, at the moment of the last change.
    pub(crate) fn actor_now(&self) -> Actor {
        Actor::service(Timestamp::from_millis(self.now.load(Ordering::Relaxed)))
    }

    pub(crate) fn as_alice(&self) -> Visibility {
        Visibility::OwnedBy(self.alice)
    }

    pub(crate) fn as_bob(&self) -> Visibility {
        Visibility::OwnedBy(self.bob)
    }

    /// A second storage on the same database, as another process would have it.
    pub(crate) async fn open_again(&self, keys: &Arc<TestKeys>) -> Result<SqlStorage, StorageOpenError> {
        open(&self.url, keys).await
    }

    /// The folder of the SQLite files.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match &self.home {
            DatabaseHome::Folder(folder) => Some(folder.path()),
            DatabaseHome::Database(_) => None,
        }
    }
}

async fn open(url: &str, keys: &Arc<TestKeys>) -> Result<SqlStorage, StorageOpenError> {
    let keys: Arc<dyn KeySource> = Arc::<TestKeys>::clone(keys);
    SqlStorage::open(url, keys, Timestamp::from_millis(BEGINNING)).await
}

/// A key file that the test rewrites while the storage is open.
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

/// The id under which the database knows a key of the ring.
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
