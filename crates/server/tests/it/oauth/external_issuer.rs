//! An external issuer on loopback: it serves its metadata and its keys, and signs tokens.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use toolgate_testkit::objects::with_defaults;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, TestResponse, Upstream};

use super::signed_tokens::now;
use crate::toolgate;

pub(super) const KEYS_PATH: &str = "/keys";

/// A key of an issuer.
pub(super) struct IssuerKey {
    pub(super) id: String,
    pair: EcdsaKeyPair,
}

impl IssuerKey {
    pub(super) fn new(id: &str) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random).unwrap();
        Self { id: id.to_owned(), pair }
    }

    /// The key as in a key document.
    pub(super) fn public(&self) -> Value {
        let (x, y) = self.point().split_at(32);
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": encode(x), "y": encode(y)})
    }

    /// The coordinates of the public point.
    pub(super) fn point(&self) -> &[u8] {
        &self.pair.public_key().as_ref()[1..]
    }

    /// A token with this header and these claims.
    pub(super) fn sign(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
        format!("{signed}.{}", encode(signature.as_ref()))
    }

    pub(super) fn header(&self) -> Value {
        json!({"alg": "ES256", "kid": self.id, "typ": "at+jwt"})
    }
}

pub(super) fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The issuer. Dropping it stops it.
pub(super) struct ExternalIssuer {
    pub(super) host: Upstream,
    keys: Arc<Mutex<Vec<Value>>>,
    pub(super) key: IssuerKey,
}

impl ExternalIssuer {
    pub(super) fn start() -> Self {
        let key = IssuerKey::new("first");
        let keys = Arc::new(Mutex::new(vec![key.public()]));
        let published = Arc::clone(&keys);
        let host = Upstream::with_handler(move |request| {
            let issuer = format!("http://{}", request.header("host").unwrap());
            match request.path() {
                "/.well-known/openid-configuration" => {
                    MockResponse::json(json!({"issuer": issuer, "jwks_uri": format!("{issuer}{KEYS_PATH}")}))
                }
                KEYS_PATH => MockResponse::json(json!({"keys": *published.lock().unwrap()})),
                _ => MockResponse::status(404),
            }
        });
        Self { host, keys, key }
    }

    pub(super) fn url(&self) -> String {
        self.host.url("")
    }

    /// Replaces the key.
    pub(super) fn rotate(&mut self, id: &str) {
        self.key = IssuerKey::new(id);
        *self.keys.lock().unwrap() = vec![self.key.public()];
    }

    /// The claims of a valid token for this endpoint.
    pub(super) fn claims(&self, fixture: &ServiceFixture) -> Value {
        let seconds = now().as_millis() / 1000;
        json!({"iss": self.url(), "sub": "ada", "aud": fixture.url(), "iat": seconds, "exp": seconds + 300})
    }

    pub(super) fn sign(&self, claims: &Value) -> String {
        self.key.sign(&self.key.header(), claims)
    }

    /// A client with a valid token, in which these claims replace others; null removes one.
    pub(super) fn client(&self, fixture: &ServiceFixture, changes: Value) -> McpClient {
        let mut claims = with_defaults(changes, &self.claims(fixture));
        claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        McpClient::new(fixture.url()).bearer(&self.sign(&claims))
    }

    /// A server whose tokens this issuer issues, with the tools `t` (POST) and `r` (GET).
    pub(super) async fn start_server(&self, oauth: Value) -> ServiceFixture {
        let upstream = Upstream::with_handler(|_| MockResponse::text("ok"));
        let oauth = with_defaults(oauth, &json!({"issuer": self.url()}));
        let fields = json!({"name": "Shop", "auth_type": "oauth", "settings": {"oauth": oauth}});
        let fixture = ServiceFixture::start(toolgate(), upstream, fields).await;
        fixture.create_tool(json!({"name": "t", "endpoint_url": "/t", "http_method": "POST"})).await;
        fixture.create_tool(json!({"name": "r", "endpoint_url": "/r", "http_method": "GET"})).await;
        fixture
    }
}

pub(super) async fn call(mcp: &McpClient) -> TestResponse {
    mcp.send("tools/call", json!({"name": "t", "arguments": {}})).await
}

#[track_caller]
pub(super) fn assert_invalid(reply: &TestResponse, case: &str) {
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (401, &json!(401)), "{case}: {reply:?}");
    let challenge = reply.header("www-authenticate").unwrap();
    assert!(challenge.starts_with(r#"Bearer realm="toolgate", error="invalid_token", "#), "{case}: {challenge}");
    assert!(challenge.contains(", resource_metadata=\"http"), "{case}: {challenge}");
}
