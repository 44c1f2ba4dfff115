//! A small OpenID provider on loopback, and a service that lets people sign in through it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, TestResponse, Upstream};
use url::Url;

use super::flow::{OAuthFixture, WebSession};
use super::signed_tokens::now;

pub(super) const CLIENT_ID: &str = "gate";
pub(super) const CLIENT_SECRET: &str = "oidc-secret:with/odd+characters";
const KEY_ID: &str = "k-1";

/// What the provider does next. A test changes it between sign-ins.
#[derive(Default)]
pub(super) struct Behaviour {
    /// Replaces claims of the ID token; null removes one.
    pub(super) claims: Value,
    /// Replaces the header of the ID token, and drops its signature.
    pub(super) unsigned_header: Option<Value>,
    /// Whether the ID token is signed with a key that the provider does not publish.
    pub(super) has_foreign_key: bool,
    /// Whether answers name the issuer.
    pub(super) names_itself: bool,
    /// Whether clients send their secret in the form.
    pub(super) has_post_only: bool,
    /// The claims of the userinfo endpoint.
    pub(super) user_claims: Value,
    /// The challenges of the sign-ins, with their nonces.
    asked: HashMap<String, String>,
}

pub(super) struct TestProvider {
    pub(super) upstream: Upstream,
    behaviour: Arc<Mutex<Behaviour>>,
}

impl TestProvider {
    pub(super) fn start() -> Self {
        let behaviour = Arc::new(Mutex::new(Behaviour::default()));
        let (shared, key, foreign) = (Arc::clone(&behaviour), new_key(), new_key());
        let upstream = Upstream::with_handler(move |request| {
            let mut behaviour = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if request.path() == "/authorize" {
                return authorize(request, &mut behaviour);
            }
            respond(request, &behaviour, if behaviour.has_foreign_key { &foreign } else { &key }, &key)
        });
        Self { upstream, behaviour }
    }

    pub(super) fn issuer(&self) -> String {
        self.upstream.url("").trim_end_matches('/').to_owned()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut self.behaviour.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The settings of a service that uses this provider.
    pub(super) fn configure(&self, builder: ServiceBuilder, allow: &str) -> ServiceBuilder {
        builder
            .env("TOOLGATE_OIDC_ISSUER", self.issuer())
            .env("TOOLGATE_OIDC_CLIENT_ID", CLIENT_ID)
            .env("TOOLGATE_OIDC_CLIENT_SECRET", CLIENT_SECRET)
            .env("TOOLGATE_OIDC_ALLOW", allow)
            .env("TOOLGATE_OIDC_NAME", "Example <Inc.>")
    }

    /// Signs in at the provider: what the browser was sent there with becomes the answer.
    pub(super) fn answer(&self, start: &TestResponse) -> OpenIdAnswer {
        let address = Url::parse(start.header("location").expect("the browser is sent to the provider")).unwrap();
        let get = |name: &str| {
            let value = address.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
            value.unwrap_or_else(|| panic!("{name} is missing: {address}"))
        };
        assert_eq!((get("response_type").as_str(), get("client_id").as_str()), ("code", CLIENT_ID));
        assert_eq!((get("code_challenge_method").as_str(), get("scope").as_str()), ("S256", "openid email profile"));
        self.change(|behaviour| drop(behaviour.asked.insert(get("code_challenge"), get("nonce"))));
        OpenIdAnswer { redirect_uri: get("redirect_uri"), state: get("state") }
    }
}

/// The answer of the provider to a sign-in.
#[derive(Clone, Debug)]
pub(super) struct OpenIdAnswer {
    pub(super) redirect_uri: String,
    pub(super) state: String,
}

impl OpenIdAnswer {
    /// The path and query of the callback, with these parameters in addition.
    pub(super) fn path(&self, parameters: &[(&str, &str)]) -> String {
        let all = [("state", self.state.as_str())].into_iter().chain(parameters.iter().copied());
        let all: Vec<_> = all.collect();
        format!("{}?{}", Url::parse(&self.redirect_uri).unwrap().path(), super::flow::encode(&all))
    }
}

/// A browser that signs in through the provider.
pub(super) struct OpenIdBrowser {
    pub(super) web: WebSession,
    /// The cookie of the sign-in.
    pub(super) attempt: Option<String>,
}

impl OpenIdBrowser {
    pub(super) fn new(fixture: &OAuthFixture) -> Self {
        Self { web: fixture.visitor(), attempt: None }
    }

    /// Starts a sign-in.
    pub(super) async fn start(&mut self, provider: &TestProvider, path: &str) -> OpenIdAnswer {
        let response = self.web.get(path).await.expect(303);
        self.keep_attempt(&response);
        provider.answer(&response)
    }

    pub(super) fn keep_attempt(&mut self, response: &TestResponse) {
        let cookie = response.header("set-cookie").expect("the sign-in is bound to the browser");
        for part in ["tg_oidc=", "; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=600"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        self.attempt = Some(cookie.split(';').next().unwrap().to_owned());
    }

    /// Follows the provider back, with the cookie of the sign-in and that of the session.
    pub(super) async fn follow(&mut self, path: &str) -> TestResponse {
        let cookies: Vec<_> = [&self.attempt, &self.web.cookie].into_iter().flatten().map(String::as_str).collect();
        let response = self.web.client.get(path).header("cookie", &cookies.join("; ")).send().await;
        let set = response.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
        for cookie in set.filter(|cookie| cookie.starts_with("tg_session=")) {
            self.web.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        }
        response
    }

    /// Signs in from the start to the end.
    pub(super) async fn sign_in(&mut self, provider: &TestProvider) -> TestResponse {
        let answer = self.start(provider, "/signin/oidc").await;
        self.follow(&answer.path(&[("code", "code-of-ada")])).await
    }
}

fn respond(
    request: &ReceivedRequest,
    behaviour: &Behaviour,
    signing: &EcdsaKeyPair,
    published: &EcdsaKeyPair,
) -> MockResponse {
    let url = format!("http://{}", request.header("host").unwrap());
    match request.path() {
        "/.well-known/openid-configuration" => MockResponse::json(json!({
            "issuer": url, "jwks_uri": format!("{url}/keys"), "authorization_endpoint": format!("{url}/authorize"),
            "token_endpoint": format!("{url}/token"), "userinfo_endpoint": format!("{url}/userinfo"),
            "token_endpoint_auth_methods_supported":
                if behaviour.has_post_only { json!(["client_secret_post"]) } else { json!(["client_secret_basic"]) },
            "authorization_response_iss_parameter_supported": behaviour.names_itself,
        })),
        "/keys" => MockResponse::json(json!({"keys": [public_key(published)]})),
        "/token" => exchange(request, behaviour, &url, signing),
        "/userinfo" if request.header("authorization") == Some("Bearer token-of-ada") => {
            MockResponse::json(behaviour.user_claims.clone())
        }
        _ => MockResponse::status(404),
    }
}

/// Signs every person in at once, and leads the browser back.
fn authorize(request: &ReceivedRequest, behaviour: &mut Behaviour) -> MockResponse {
    let asked: HashMap<String, String> = request.query_pairs().into_iter().collect();
    behaviour.asked.insert(asked["code_challenge"].clone(), asked["nonce"].clone());
    let answer = super::flow::encode(&[("code", "code-of-ada"), ("state", &asked["state"])]);
    MockResponse::status(302).header("location", &format!("{}?{answer}", asked["redirect_uri"]))
}

fn exchange(request: &ReceivedRequest, behaviour: &Behaviour, url: &str, key: &EcdsaKeyPair) -> MockResponse {
    let form = request.form();
    let field = |name: &str| form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let refused = |error: &str| MockResponse::json(json!({"error": error})).with_status(400);
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT_ID}:{}", encoded(CLIENT_SECRET))));
    let is_client = if behaviour.has_post_only {
        field("client_id") == Some(CLIENT_ID) && field("client_secret") == Some(CLIENT_SECRET)
    } else {
        request.header("authorization") == Some(&basic)
    };
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier").unwrap_or_default()));
    if !is_client {
        return refused("invalid_client");
    }
    let Some(nonce) = behaviour.asked.get(&challenge).filter(|_| field("code") == Some("code-of-ada")) else {
        return refused("invalid_grant");
    };
    let mut claims = json!({"iss": url, "aud": CLIENT_ID, "sub": "248289761001", "nonce": nonce,
        "iat": now().as_millis() / 1000, "exp": now().as_millis() / 1000 + 600, "email": "ada@example.com",
        "email_verified": true, "name": "Ada Lovelace"});
    for (name, value) in behaviour.claims.as_object().into_iter().flatten() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    MockResponse::json(
        json!({"token_type": "Bearer", "access_token": "token-of-ada", "id_token": token(behaviour, &claims, key)}),
    )
}

fn token(behaviour: &Behaviour, claims: &Value, key: &EcdsaKeyPair) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    if let Some(header) = &behaviour.unsigned_header {
        return format!("{}.{}.", encode(header), encode(claims));
    }
    let signed = format!("{}.{}", encode(&json!({"alg": "ES256", "kid": KEY_ID})), encode(claims));
    let signature = key.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
}

fn new_key() -> EcdsaKeyPair {
    let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).unwrap()
}

fn public_key(key: &EcdsaKeyPair) -> Value {
    let (x, y) = key.public_key().as_ref()[1..].split_at(32);
    json!({"kty": "EC", "crv": "P-256", "kid": KEY_ID, "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y)})
}
