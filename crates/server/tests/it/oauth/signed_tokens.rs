//! Access tokens that a test signs with the key of the service: any token that the issuer could issue, and many that it
//! never issues.

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::zeroize::Zeroizing;
use serde_json::{Value, json};
use sha2::Sha256;
use toolgate_auth::{ACCESS_TOKEN_KEYS, AccessToken};
use toolgate_domain::ids::{GrantId, PublicId, UserId};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::time::{Clock as _, SystemClock, Timestamp};
use toolgate_testkit::objects::with_defaults;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, ServiceFixture, Upstream};

use crate::toolgate;

/// Each byte of the encryption key of the services in these tests, and of the nodes of a `ClusterFixture`.
pub(super) const KEY_BYTE: u8 = 7;
/// The grant of tokens, if a test does not need another one.
pub(crate) const GRANT: i64 = 1_000_001;

/// A service whose signing keys the tests know.
pub(crate) fn service() -> ServiceBuilder {
    toolgate().env("TOOLGATE_ENCRYPTION_KEYS", format!("{KEY_BYTE:02x}").repeat(32))
}

/// Starts a service with a server that requires sign-in, unless `fields` has another `auth_type`.
pub(crate) async fn start_server(upstream: Upstream, fields: Value) -> ServiceFixture {
    ServiceFixture::start(service(), upstream, with_defaults(fields, &json!({"name": "Shop", "auth_type": "oauth"})))
        .await
}

/// The keys that a service derives for a purpose from an encryption key of this repeated byte.
pub(super) fn signing_keys(byte: u8, purpose: &str) -> Vec<Zeroizing<[u8; 32]>> {
    let mac = Hmac::<Sha256>::new_from_slice(&[byte; 32]).unwrap();
    let mac = mac.chain_update(format!("toolgate:derived:signing:{purpose}"));
    vec![Zeroizing::new(mac.finalize().into_bytes().into())]
}

pub(crate) fn now() -> Timestamp {
    SystemClock.now()
}

/// A token of user 1 for a server, valid for one hour, with all scopes.
pub(crate) fn token_for(server: &Value) -> AccessToken {
    AccessToken {
        grant_id: GrantId(GRANT),
        user_id: UserId(1),
        server: PublicId::from_stored(server["server_id"].as_str().unwrap().to_owned()),
        scopes: McpScopes::ALL,
        issued_at: now(),
        expires_at: now().plus_millis(3_600_000),
    }
}

/// The text of a token.
pub(crate) fn sign(token: &AccessToken) -> String {
    token.sign(&signing_keys(KEY_BYTE, ACCESS_TOKEN_KEYS)).unwrap()
}

/// The text of a token of another installation.
pub(crate) fn sign_elsewhere(token: &AccessToken) -> String {
    token.sign(&signing_keys(KEY_BYTE + 1, ACCESS_TOKEN_KEYS)).unwrap()
}

/// A client of the endpoint with this token.
pub(crate) fn client_with(fixture: &ServiceFixture, token: &AccessToken) -> McpClient {
    McpClient::new(fixture.url()).bearer(&sign(token))
}
