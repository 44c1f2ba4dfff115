//! Every order of first starts, crashes and changed settings, on a real database.

use std::sync::Arc;

use tempfile::TempDir;
use toolgate_storage::{ApiKeyStore, KeySource, Keyring, KeyringError, SqlStorage};

use super::*;
use crate::settings::from_flags;

#[derive(Debug)]
struct FixedKeySource;

impl KeySource for FixedKeySource {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&"07".repeat(32))
    }
}

const NOW: Timestamp = Timestamp::from_millis(1_792_000_000_000);

struct TestInstall {
    folder: TempDir,
    storage: SqlStorage,
}

impl TestInstall {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/toolgate.db", folder.path().display());
        let storage = SqlStorage::open(&url, Arc::new(FixedKeySource), NOW).await.unwrap();
        Self { folder, storage }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("admin-key")
    }

    async fn start(&self, args: &[&str]) -> FirstKey {
        ensure(&from_flags(args), &self.storage, self.file(), NOW).await.unwrap()
    }

    async fn accepts(&self, key: &str) -> bool {
        self.storage.find_api_key(toolgate_auth::hash_key(key)).await.unwrap().is_some()
    }
}

fn created(key: &FirstKey) -> &str {
    match key {
        FirstKey::Created(key) => key.expose_secret(),
        other => panic!("no key was made: {other:?}"),
    }
}

#[tokio::test]
async fn the_first_start_makes_a_key_and_the_second_names_its_file() {
    let install = TestInstall::new().await;
    let first = install.start(&[]).await;
    assert!(install.accepts(created(&first)).await);
    assert_eq!(std::fs::read_to_string(install.file()).unwrap().trim_end(), created(&first));
    assert!(matches!(install.start(&[]).await, FirstKey::InFile(file) if file == install.file()));
}

#[tokio::test]
async fn a_crash_between_file_and_database_keeps_the_key() {
    let install = TestInstall::new().await;
    let before_crash = read_or_create(&install.file()).unwrap();
    let after = install.start(&[]).await;
    assert_eq!(created(&after), before_crash.expose_secret());
    assert!(install.accepts(created(&after)).await);
}

#[tokio::test]
async fn a_revoked_key_does_not_come_back_to_life() {
    let install = TestInstall::new().await;
    let first = install.start(&[]).await;
    let known = install.storage.find_api_key(toolgate_auth::hash_key(created(&first))).await.unwrap().unwrap();
    install.storage.delete_api_key(&Actor::service(NOW), known.key.id).await.unwrap();
    assert!(matches!(install.start(&[]).await, FirstKey::Unknown));
    assert!(!install.accepts(created(&first)).await);
}

#[tokio::test]
async fn of_two_nodes_that_start_at_once_one_makes_the_key() {
    let install = TestInstall::new().await;
    let other = install.folder.path().join("other-admin-key");
    let settings = from_flags(&[]);
    let (a, b) = tokio::join!(install.start(&[]), ensure(&settings, &install.storage, other, NOW));
    let keys = [a, b.unwrap()];
    let created: Vec<_> = keys.iter().filter(|key| matches!(key, FirstKey::Created(_))).map(created).collect();
    assert_eq!(created.len(), 1);
    assert!(install.accepts(created[0]).await);
}

#[tokio::test]
async fn a_given_key_that_was_made_by_hand_with_fewer_rights_becomes_the_administrators() {
    let install = TestInstall::new().await;
    install.start(&[]).await;
    let actor = Actor::service(NOW);
    let new = toolgate_domain::api_key::NewApiKey {
        user_id: toolgate_domain::ids::UserId(1),
        name: "by hand".into(),
        scopes: [toolgate_domain::api_key::Scope::Read].into_iter().collect(),
        expires_at: None,
        secret: toolgate_auth::digest_key("chosen-by-the-owner"),
    };
    install.storage.create_api_key(&actor, new).await.unwrap();
    install.start(&["--api-key=chosen-by-the-owner"]).await;
    let known = install.storage.find_api_key(toolgate_auth::hash_key("chosen-by-the-owner")).await.unwrap().unwrap();
    assert!(known.key.scopes.allow(toolgate_domain::api_key::Scope::Admin));
}

#[tokio::test]
async fn a_given_key_replaces_the_made_one_whose_file_is_named_no_more() {
    let install = TestInstall::new().await;
    let first = install.start(&[]).await;
    assert!(matches!(install.start(&["--api-key=chosen-by-the-owner"]).await, FirstKey::Configured));
    assert!(install.accepts("chosen-by-the-owner").await && !install.accepts(created(&first)).await);
    assert!(matches!(install.start(&[]).await, FirstKey::Unknown));
}

#[tokio::test]
async fn a_file_without_a_key_is_not_taken_for_one() {
    let install = TestInstall::new().await;
    std::fs::write(install.file(), "two words\n").unwrap();
    let error = ensure(&from_flags(&[]), &install.storage, install.file(), NOW).await.unwrap_err().to_string();
    assert!(error.contains("delete it") && !error.contains("two words"), "{error}");
}
