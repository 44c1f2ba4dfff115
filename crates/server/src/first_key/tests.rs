//! Tests of first starts, crashes and changed settings with a real database.

use std::sync::Arc;

use tempfile::TempDir;
use toolgate_domain::user::Visibility;
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

struct TestInstallation {
    folder: TempDir,
    storage: SqlStorage,
}

impl TestInstallation {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/toolgate.db", folder.path().display());
        let storage = SqlStorage::open(&url, Arc::new(FixedKeySource), NOW).await.unwrap();
        Self { folder, storage }
    }

    fn key_file(&self) -> PathBuf {
        self.folder.path().join("admin-key")
    }

    async fn start(&self, args: &[&str]) -> FirstKey {
        ensure(&from_flags(args), &self.storage, self.key_file(), NOW).await.unwrap()
    }

    async fn accepts(&self, key: &str) -> bool {
        self.storage.find_api_key(toolgate_auth::hash_secret(key)).await.unwrap().is_some()
    }
}

fn created_key(key: &FirstKey) -> &str {
    match key {
        FirstKey::Created { key, .. } => key.expose_secret(),
        other => panic!("no key was created: {other:?}"),
    }
}

#[tokio::test]
async fn the_first_start_creates_a_key_and_the_second_shows_its_file() {
    let install = TestInstallation::new().await;
    let first = install.start(&[]).await;
    assert!(install.accepts(created_key(&first)).await);
    assert!(matches!(first.clone().without_secret(), FirstKey::InFile(file) if file == install.key_file()));
    assert_eq!(std::fs::read_to_string(install.key_file()).unwrap().trim_end(), created_key(&first));
    assert!(matches!(install.start(&[]).await, FirstKey::InFile(file) if file == install.key_file()));
}

#[tokio::test]
async fn a_crash_between_file_and_database_keeps_the_key() {
    let install = TestInstallation::new().await;
    let key_before_crash = generate().unwrap();
    write_key_file(&install.key_file(), &key_before_crash).unwrap();
    let key_after_crash = install.start(&[]).await;
    assert_eq!(created_key(&key_after_crash), key_before_crash.expose_secret());
    assert!(install.accepts(created_key(&key_after_crash)).await);
}

#[tokio::test]
async fn a_revoked_key_does_not_become_valid_again() {
    let install = TestInstallation::new().await;
    let first = install.start(&[]).await;
    let stored = install.storage.find_api_key(toolgate_auth::hash_secret(created_key(&first))).await.unwrap().unwrap();
    install.storage.delete_api_key(&Actor::service(NOW), Visibility::All, stored.key.id).await.unwrap();
    assert!(matches!(install.start(&[]).await, FirstKey::Unknown));
    assert!(!install.accepts(created_key(&first)).await);
}

#[tokio::test]
async fn only_one_of_two_nodes_that_start_at_the_same_time_creates_the_key() {
    let install = TestInstallation::new().await;
    let other_file = install.folder.path().join("other-admin-key");
    let settings = from_flags(&[]);
    let (a, b) = tokio::join!(install.start(&[]), ensure(&settings, &install.storage, other_file.clone(), NOW));
    let keys = [(a, install.key_file()), (b.unwrap(), other_file)];
    let (created, other): (Vec<_>, Vec<_>) =
        keys.into_iter().partition(|(key, _)| matches!(key, FirstKey::Created { .. }));
    assert_eq!((created.len(), other.len()), (1, 1));
    assert!(install.accepts(created_key(&created[0].0)).await);
    let FirstKey::OnOtherNode(location) = &other[0].0 else { panic!("{other:?}") };
    assert!(location.contains(&created[0].1.display().to_string()), "{location}");
    assert!(!other[0].1.exists(), "only the node that creates the key writes a file");
}

#[tokio::test]
async fn a_configured_key_that_exists_with_fewer_scopes_gets_the_scope_admin() {
    let install = TestInstallation::new().await;
    install.start(&[]).await;
    let actor = Actor::service(NOW);
    let new = toolgate_domain::api_key::NewApiKey {
        user_id: toolgate_domain::ids::UserId(1),
        name: "by hand".into(),
        scopes: [toolgate_domain::api_key::Scope::Read].into_iter().collect(),
        expires_at: None,
        digest: toolgate_auth::digest_key("chosen-by-the-owner"),
    };
    install.storage.create_api_key(&actor, new).await.unwrap();
    install.start(&["--api-key=chosen-by-the-owner"]).await;
    let stored =
        install.storage.find_api_key(toolgate_auth::hash_secret("chosen-by-the-owner")).await.unwrap().unwrap();
    assert!(stored.key.scopes.allow(toolgate_domain::api_key::Scope::Admin));
}

#[tokio::test]
async fn a_configured_key_replaces_the_created_one_and_its_file_is_no_longer_shown() {
    let install = TestInstallation::new().await;
    let first = install.start(&[]).await;
    assert!(matches!(install.start(&["--api-key=chosen-by-the-owner"]).await, FirstKey::Configured));
    assert!(install.accepts("chosen-by-the-owner").await && !install.accepts(created_key(&first)).await);
    assert!(matches!(install.start(&[]).await, FirstKey::Unknown));
}

#[tokio::test]
async fn a_file_without_a_valid_key_is_refused() {
    let install = TestInstallation::new().await;
    std::fs::write(install.key_file(), "two words\n").unwrap();
    let error = ensure(&from_flags(&[]), &install.storage, install.key_file(), NOW).await.unwrap_err().to_string();
    assert!(error.contains("delete it") && !error.contains("two words"), "{error}");
}
