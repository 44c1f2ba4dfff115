//! A small OpenID provider on loopback, and a service that lets people sign in through it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toolgate_testkit::page_form::{PageForm, encode};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::upstream::ReceivedRequest;
use toolgate_testkit::{MockResponse, ResponseGate, TestResponse, Upstream};
use url::Url;

use super::flow::{OAuthFixture, WebSession};
use super::signed_tokens::now;

pub(super) const CLIENT_ID: &str = "gate";
pub(super) const CLIENT_SECRET: &str = "oidc-secret:with/odd+characters";
const KEY_ID: &str = "k-1";

/// The behaviour of the provider, which a test changes between sign-ins.
#[derive(Default)]
pub(super) struct ProviderBehaviour {
    /// Replaces claims of the ID token; null removes one.
    pub(super) claims: Value,
    /// Replaces the header of the ID token, and drops its signature.
    pub(super) unsigned_header: Option<Value>,
    /// Whether the ID token is signed with a key that the provider does not publish.
    pub(super) signs_with_unpublished_key: bool,
    /// Whether the metadata promises that callbacks name the issuer.
    pub(super) announces_issuer: bool,
    /// Whether clients must send their secret in the form.
    pub(super) requires_secret_in_form: bool,
    /// The claims of the userinfo endpoint.
    pub(super) user_claims: Value,
    /// Holds back the responses to exchanges of codes.
    pub(super) exchange_gate: Option<ResponseGate>,
    /// The nonce of each sign-in, by its code challenge.
    nonces: HashMap<String, String>,
}

pub(super) struct TestProvider {
    pub(super) upstream: Upstream,
    behaviour: Arc<Mutex<ProviderBehaviour>>,
}

impl TestProvider {
    pub(super) fn start() -> Self {
        let behaviour = Arc::new(Mutex::new(ProviderBehaviour::default()));
        let (shared, key, foreign) = (Arc::clone(&behaviour), new_key(), new_key());
        let upstream = Upstream::with_handler(move |request| {
            let mut behaviour = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if request.path() == "/authorize" {
                return authorize(request, &mut behaviour);
            }
            respond(request, &behaviour, if behaviour.signs_with_unpublished_key { &foreign } else { &key }, &key)
        });
        Self { upstream, behaviour }
    }

    pub(super) fn issuer(&self) -> String {
        self.upstream.url("").trim_end_matches('/').to_owned()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut ProviderBehaviour)) {
        change(&mut self.behaviour.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Configures a service to use this provider; `allow` lists who may sign in.
    pub(super) fn configure(&self, builder: ServiceBuilder, allow: &str) -> ServiceBuilder {
        builder
            .env("TOOLGATE_OIDC_ISSUER", self.issuer())
            .env("TOOLGATE_OIDC_CLIENT_ID", CLIENT_ID)
            .env("TOOLGATE_OIDC_CLIENT_SECRET", CLIENT_SECRET)
            .env("TOOLGATE_OIDC_ALLOW", allow)
            .env("TOOLGATE_OIDC_NAME", "Example <Inc.>")
    }

    /// Reads the authorization request with which the browser is sent to the provider, and returns its callback.
    pub(super) fn callback_for(&self, start: &TestResponse) -> OpenIdCallback {
        let address = Url::parse(start.header("location").expect("the browser is sent to the provider")).unwrap();
        let get = |name: &str| {
            let value = address.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
            value.unwrap_or_else(|| panic!("{name} is missing: {address}"))
        };
        assert_eq!((get("response_type").as_str(), get("client_id").as_str()), ("code", CLIENT_ID));
        assert_eq!((get("code_challenge_method").as_str(), get("scope").as_str()), ("S256", "openid email profile"));
        self.change(|behaviour| drop(behaviour.nonces.insert(get("code_challenge"), get("nonce"))));
        OpenIdCallback { redirect_uri: get("redirect_uri"), state: get("state") }
    }
}

/// The callback of a sign-in, to which the provider redirects the browser.
#[derive(Clone, Debug)]
pub(super) struct OpenIdCallback {
    pub(super) redirect_uri: String,
    pub(super) state: String,
}

impl OpenIdCallback {
    /// The path and query of the callback, with these parameters in addition.
    pub(super) fn path(&self, parameters: &[(&str, &str)]) -> String {
        let all = [("state", self.state.as_str())].into_iter().chain(parameters.iter().copied());
        let all: Vec<_> = all.collect();
        format!("{}?{}", Url::parse(&self.redirect_uri).unwrap().path(), encode(&all))
    }
}

/// A browser that signs in through the provider.
pub(super) struct OpenIdBrowser {
    pub(super) web: WebSession,
    /// The cookie that binds a sign-in to this browser until it is complete.
    pub(super) attempt_cookie: Option<String>,
}

impl OpenIdBrowser {
    pub(super) fn new(fixture: &OAuthFixture) -> Self {
        Self { web: fixture.visitor(), attempt_cookie: None }
    }

    /// Starts a sign-in.
    pub(super) async fn start(&mut self, provider: &TestProvider, path: &str) -> OpenIdCallback {
        let response = self.send(path).await.expect(303);
        self.store_attempt_cookie(&response);
        provider.callback_for(&response)
    }

    pub(super) fn store_attempt_cookie(&mut self, response: &TestResponse) {
        let cookie = response.header("set-cookie").expect("the sign-in is bound to the browser");
        for part in ["tg_oidc=", "; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=600"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        self.attempt_cookie = Some(cookie.split(';').next().unwrap().to_owned());
    }

    /// Follows the redirect of the provider, with the cookies of the sign-in and of the session.
    pub(super) async fn follow(&mut self, path: &str) -> TestResponse {
        let response = self.send(path).await;
        let set = response.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
        for cookie in set.filter(|cookie| cookie.starts_with("tg_session=")) {
            self.web.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        }
        response
    }

    async fn send(&self, path: &str) -> TestResponse {
        let cookies: Vec<_> =
            [&self.attempt_cookie, &self.web.cookie].into_iter().flatten().map(String::as_str).collect();
        self.web.client.get(path).header("cookie", &cookies.join("; ")).send().await
    }

    /// Starts to link an account, with the form of the page for a person who is signed in.
    pub(super) async fn start_link(&mut self, provider: &TestProvider) -> OpenIdCallback {
        let page = self.web.get("/signin").await.expect(200).text();
        let csrf = PageForm::parse(&page, "/signin/oidc").value("csrf").to_owned();
        let own = self.web.cookie.clone();
        let start = self.web.post("/signin/oidc", &[("csrf", &csrf)]).await.expect(303);
        self.web.cookie = own;
        self.store_attempt_cookie(&start);
        provider.callback_for(&start)
    }

    /// Signs in from the start to the end.
    pub(super) async fn sign_in(&mut self, provider: &TestProvider) -> TestResponse {
        let callback = self.start(provider, "/signin/oidc").await;
        self.follow(&callback.path(&[("code", "code-of-ada")])).await
    }
}

fn respond(
    request: &ReceivedRequest,
    behaviour: &ProviderBehaviour,
    signing: &EcdsaKeyPair,
    published: &EcdsaKeyPair,
) -> MockResponse {
    let url = format!("http://{}", request.header("host").unwrap());
    let auth_method = if behaviour.requires_secret_in_form { "client_secret_post" } else { "client_secret_basic" };
    match request.path() {
        "/.well-known/openid-configuration" => MockResponse::json(json!({
            "issuer": url, "jwks_uri": format!("{url}/keys"), "authorization_endpoint": format!("{url}/authorize"),
            "token_endpoint": format!("{url}/token"), "userinfo_endpoint": format!("{url}/userinfo"),
            "token_endpoint_auth_methods_supported": [auth_method],
            "authorization_response_iss_parameter_supported": behaviour.announces_issuer,
        })),
        "/keys" => MockResponse::json(json!({"keys": [public_key(published)]})),
        "/token" => {
            let response = exchange(request, behaviour, &url, signing);
            behaviour.exchange_gate.iter().fold(response, MockResponse::held_by)
        }
        "/userinfo" if request.header("authorization") == Some("Bearer token-of-ada") => {
            MockResponse::json(behaviour.user_claims.clone())
        }
        _ => MockResponse::status(404),
    }
}

/// Signs every person in without a page, and redirects the browser back.
fn authorize(request: &ReceivedRequest, behaviour: &mut ProviderBehaviour) -> MockResponse {
    let sent: HashMap<String, String> = request.query_pairs().into_iter().collect();
    behaviour.nonces.insert(sent["code_challenge"].clone(), sent["nonce"].clone());
    let query = encode(&[("code", "code-of-ada"), ("state", &sent["state"])]);
    MockResponse::status(302).header("location", &format!("{}?{query}", sent["redirect_uri"]))
}

fn exchange(request: &ReceivedRequest, behaviour: &ProviderBehaviour, url: &str, key: &EcdsaKeyPair) -> MockResponse {
    let form = request.form();
    let field = |name: &str| form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let refused = |error: &str| MockResponse::json(json!({"error": error})).with_status(400);
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let basic = format!("Basic {}", STANDARD.encode(format!("{CLIENT_ID}:{}", encoded(CLIENT_SECRET))));
    let is_authenticated = if behaviour.requires_secret_in_form {
        field("client_id") == Some(CLIENT_ID) && field("client_secret") == Some(CLIENT_SECRET)
    } else {
        request.header("authorization") == Some(&basic)
    };
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier").unwrap_or_default()));
    if !is_authenticated {
        return refused("invalid_client");
    }
    let Some(nonce) = behaviour.nonces.get(&challenge).filter(|_| field("code") == Some("code-of-ada")) else {
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

fn token(behaviour: &ProviderBehaviour, claims: &Value, key: &EcdsaKeyPair) -> String {
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
