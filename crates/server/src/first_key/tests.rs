//! Every order of first starts, crashes and changed settings, on a real database.

use std::sync::Arc;

use tempfile::TempDir;
use toolgate_storage::{ApiKeys, KeySource, Keyring, KeyringError, SqlStorage};

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
        self.storage.find_api_key(toolgate_auth::hash(key)).await.unwrap().is_some()
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
async fn a_revoked_key_does_not_come_back_to_life() {
    let house = House::new().await;
    let first = house.start(&[]).await;
    let known = house.storage.find_api_key(toolgate_auth::hash(made(&first))).await.unwrap().unwrap();
    house.storage.delete_api_key(&Actor::service(NOW), known.key.id).await.unwrap();
    assert!(matches!(house.start(&[]).await, FirstKey::Unknown));
    assert!(!house.knows(made(&first)).await);
}

#[tokio::test]
async fn of_two_nodes_that_start_at_once_one_makes_the_key() {
    let house = House::new().await;
    let other = house.folder.path().join("other-admin-key");
    let settings = given(&[]);
    let (a, b) = tokio::join!(house.start(&[]), establish(&settings, &house.storage, other, NOW));
    let keys = [a, b.unwrap()];
    let made: Vec<_> = keys.iter().filter(|key| matches!(key, FirstKey::Made(_))).map(made).collect();
    assert_eq!(made.len(), 1);
    assert!(house.knows(made[0]).await);
}

#[tokio::test]
async fn a_given_key_that_was_made_by_hand_with_fewer_rights_becomes_the_administrators() {
    let house = House::new().await;
    house.start(&[]).await;
    let actor = Actor::service(NOW);
    let new = toolgate_domain::api_key::NewApiKey {
        user_id: toolgate_domain::ids::UserId(1),
        name: "by hand".into(),
        scopes: [toolgate_domain::api_key::Scope::Read].into_iter().collect(),
        expires_at: None,
        secret: toolgate_auth::digest("chosen-by-the-owner"),
    };
    house.storage.create_api_key(&actor, new).await.unwrap();
    house.start(&["--api-key=chosen-by-the-owner"]).await;
    let known = house.storage.find_api_key(toolgate_auth::hash("chosen-by-the-owner")).await.unwrap().unwrap();
    assert!(known.key.scopes.allow(toolgate_domain::api_key::Scope::Admin));
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
