//! Every order of first starts, crashes and changed settings, on a real database.

use std::sync::Arc;

use storage::{ApiKeys, KeySource, Keyring, KeyringError, SqlStorage};
use tempfile::TempDir;

use super::*;
use crate::settings::given;

#[derive(Debug)]
struct OneKey;

impl KeySource for OneKey {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&"07".repeat(32))
    }
}

const NOW: Timestamp = Timestamp::from_millis(1_792_000_000_000);

struct House {
    folder: TempDir,
    storage: SqlStorage,
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/toolgate.db", folder.path().display());
        let storage = SqlStorage::open(&url, Arc::new(OneKey), NOW).await.unwrap();
        Self { folder, storage }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("admin-key")
    }

    async fn start(&self, args: &[&str]) -> FirstKey {
        establish(&given(args), &self.storage, self.file(), NOW).await.unwrap()
    }

    async fn knows(&self, key: &str) -> bool {
        self.storage.find_api_key(auth::digest(key).hash).await.unwrap().is_some()
    }
}

fn made(key: &FirstKey) -> &str {
    match key {
        FirstKey::Made(key) => key.expose_secret(),
        other => panic!("no key was made: {other:?}"),
    }
}

#[tokio::test]
async fn the_first_start_makes_a_key_and_the_second_names_its_file() {
    let house = House::new().await;
    let first = house.start(&[]).await;
    assert!(house.knows(made(&first)).await);
    assert_eq!(std::fs::read_to_string(house.file()).unwrap().trim_end(), made(&first));
    assert!(matches!(house.start(&[]).await, FirstKey::InFile(file) if file == house.file()));
}

#[tokio::test]
async fn a_crash_between_file_and_database_keeps_the_key() {
    let house = House::new().await;
    let before_crash = kept_or_made(&house.file()).unwrap();
    let after = house.start(&[]).await;
    assert_eq!(made(&after), before_crash.expose_secret());
    assert!(house.knows(made(&after)).await);
}

#[tokio::test]
async fn a_given_key_replaces_the_made_one_whose_file_is_named_no_more() {
    let house = House::new().await;
    let first = house.start(&[]).await;
    assert!(matches!(house.start(&["--api-key=chosen-by-the-owner"]).await, FirstKey::Given));
    assert!(house.knows("chosen-by-the-owner").await && !house.knows(made(&first)).await);
    assert!(matches!(house.start(&[]).await, FirstKey::Unknown));
}

#[tokio::test]
async fn a_file_without_a_key_is_not_taken_for_one() {
    let house = House::new().await;
    std::fs::write(house.file(), "two words\n").unwrap();
    let error = establish(&given(&[]), &house.storage, house.file(), NOW).await.unwrap_err().to_string();
    assert!(error.contains("delete it") && !error.contains("two words"), "{error}");
}
