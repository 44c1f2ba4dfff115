//! Tests of token checks with a real database.

use std::sync::Mutex;

use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::grant::EndedGrant;
use toolgate_domain::sync::lock;
use toolgate_domain::time::SystemClock;
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError, SqlStorage};

use super::*;

const NOW: Timestamp = Timestamp::from_millis(1_792_000_000_000);
const TOKEN_TTL_MS: i64 = 3_600_000;

/// A keyring that a test can change; each byte, repeated, is a key.
#[derive(Debug)]
struct RotatingKeys(Mutex<Vec<u8>>);

impl KeySource for RotatingKeys {
    fn load(&self) -> Result<Keyring, KeyringError> {
        let keys: Vec<String> =
            lock(&self.0).iter().map(|byte| EncryptionKey::new([*byte; 32]).to_text().to_string()).collect();
        Keyring::parse(&keys.join(","))
    }
}

struct TokenFixture {
    keys: Arc<RotatingKeys>,
    storage: Arc<dyn Storage>,
    tokens: Arc<AccessTokens>,
    server: PublicId,
    _folder: tempfile::TempDir,
}

impl TokenFixture {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keys = Arc::new(RotatingKeys(Mutex::new(vec![1])));
        let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
        let storage = SqlStorage::open(&url, Arc::clone(&keys) as Arc<dyn KeySource>, NOW).await.unwrap();
        let storage: Arc<dyn Storage> = Arc::new(storage);
        let counters = AccessCounters::new(Arc::<dyn Storage>::clone(&storage), Arc::new(SystemClock), None);
        let tokens = AccessTokens::new(&storage, counters);
        Self { keys, storage, tokens, server: PublicId::from_random([9; 16]), _folder: folder }
    }

    fn token(&self) -> AccessToken {
        AccessToken {
            grant_id: GrantId(7),
            user_id: UserId(3),
            server: self.server.clone(),
            scopes: McpScopes::ALL,
            issued_at: NOW,
            expires_at: NOW.plus_millis(TOKEN_TTL_MS),
        }
    }

    fn sign(&self, token: &AccessToken) -> String {
        token.sign(&self.storage.signing_keys(ACCESS_TOKEN_KEYS)).unwrap()
    }

    fn check(&self, text: &str) -> Result<TokenCaller, TokenError> {
        self.tokens.check(text, &self.server, NOW)
    }
}

#[tokio::test]
async fn no_token_is_accepted_before_the_ended_grants_are_known() {
    let fixture = TokenFixture::new().await;
    let text = fixture.sign(&fixture.token());
    assert_eq!(fixture.check(&text), Err(TokenError::Unavailable));
    fixture.storage.close().await;
    fixture.tokens.load(NOW).await;
    assert_eq!(fixture.check(&text), Err(TokenError::Unavailable), "the database cannot be read");

    let fixture = TokenFixture::new().await;
    fixture.tokens.load(NOW).await;
    let caller = fixture.check(&fixture.sign(&fixture.token())).unwrap();
    assert_eq!((caller.user_id, caller.grant_id), (UserId(3), GrantId(7)));
}

#[tokio::test]
async fn a_token_is_valid_for_its_server_until_it_expires_or_its_grant_ends() {
    let fixture = TokenFixture::new().await;
    fixture.tokens.load(NOW).await;
    let text = fixture.sign(&fixture.token());
    let caller = fixture.check(&text).unwrap();
    let other_server = PublicId::from_random([8; 16]);
    assert_eq!(fixture.tokens.check(&text, &other_server, NOW), Err(TokenError::Invalid));
    let end = NOW.plus_millis(TOKEN_TTL_MS);
    assert_eq!(fixture.tokens.check(&text, &fixture.server, end), Err(TokenError::Expired));
    assert_eq!(fixture.tokens.check_caller(&caller, end.plus_millis(-1)), Ok(()));
    let mut changes = fixture.tokens.watch_ended();
    fixture.tokens.changed(&ChangeEvent::GrantEnded(EndedGrant { id: GrantId(7), ended_at: NOW }));
    assert_eq!(fixture.check(&text), Err(TokenError::Invalid));
    assert_eq!(fixture.tokens.check_caller(&caller, NOW), Err(TokenError::Invalid));
    changes.changed().await.unwrap();
}

#[tokio::test]
async fn ended_grants_are_read_again_if_an_event_does_not_name_them() {
    let fixture = TokenFixture::new().await;
    // Nothing awaits in the loop, so that no event of the database comes in between.
    for change in [ChangeEvent::EndedGrants, ChangeEvent::Everything] {
        fixture.tokens.ended.take_reload_request();
        fixture.tokens.changed(&change);
        assert!(fixture.tokens.ended.take_reload_request(), "{change:?}");
    }
}

#[tokio::test]
async fn a_rotation_of_the_keyring_takes_effect_at_once() {
    let fixture = TokenFixture::new().await;
    fixture.tokens.load(NOW).await;
    let old = fixture.sign(&fixture.token());
    *lock(&fixture.keys.0) = vec![2, 1];
    fixture.storage.reseal(NOW).await.unwrap();
    let new = fixture.sign(&fixture.token());
    assert_ne!(old, new);
    assert!(fixture.check(&new).is_ok() && fixture.check(&old).is_ok());
    *lock(&fixture.keys.0) = vec![2];
    fixture.storage.reseal(NOW).await.unwrap();
    assert_eq!(fixture.check(&old), Err(TokenError::Invalid), "the key was removed");
    assert!(fixture.check(&new).is_ok());
}
