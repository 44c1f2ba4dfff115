//! An issuer on an open storage, with a server and a client.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use issuer::{IssuerConfig, IssuerContext};
use serde_json::{Value, json};
use toolgate_auth::{TrustedProxies, hash_secret, random_public_id};
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{OAuthClientId, UserId};
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, NewOAuthClient, OAuthClient};
use toolgate_domain::oauth::grant::{NewCode, NewGrant};
use toolgate_domain::oauth::scopes::McpScopes;
use toolgate_domain::server::{EndpointAuth, Server, ServerPatch, ServerSpec};
use toolgate_domain::time::{Clock, DAY_MS, Timestamp};
use toolgate_domain::user::{NewUser, Role};
use toolgate_storage::{EncryptionKey, KeySource, Keyring, KeyringError, NewServer, SqlStorage, Storage};
use toolgate_testkit::database_fixture::{DatabaseFixture, DatabaseTarget};
use toolgate_testkit::postgres::TestDatabase;
use tower::ServiceExt as _;

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const CALLBACK: &str = "https://client.example/callback";
pub(crate) const ISSUER: &str = "https://tools.example";
/// The id of the client of the fixture.
pub(crate) const CLIENT_ID: &str = "tgx_1";
/// The code of a grant, for tests with one grant.
pub(crate) const CODE: &str = "tgc_1";
const START_MS: i64 = 1_790_000_000_000;

/// A clock that stands still until a test moves it.
#[derive(Debug)]
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

#[derive(Debug)]
struct FixedKeys;

impl KeySource for FixedKeys {
    fn load(&self) -> Result<Keyring, KeyringError> {
        Keyring::parse(&EncryptionKey::new([1; 32]).to_text())
    }
}

/// An issuer under test.
pub(crate) struct IssuerFixture {
    pub(crate) context: Arc<IssuerContext>,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) client: OAuthClient,
    pub(crate) user: UserId,
    server: Server,
    _database: (Option<tempfile::TempDir>, Option<TestDatabase>),
}

impl DatabaseFixture for IssuerFixture {
    async fn open(target: DatabaseTarget) -> Self {
        let folder = target.postgres.is_none().then(|| tempfile::tempdir().unwrap());
        let url = match (&target.postgres, &folder) {
            (Some(database), _) => database.url().to_owned(),
            (None, Some(folder)) => format!("sqlite://{}", folder.path().join("toolgate.db").display()),
            (None, None) => unreachable!("there is a folder without a database"),
        };
        let clock = Arc::new(TestClock(AtomicI64::new(START_MS)));
        let storage: Arc<dyn Storage> =
            Arc::new(SqlStorage::open(&url, Arc::new(FixedKeys), clock.now()).await.unwrap());
        let actor = Actor::service(clock.now());
        let user = NewUser { name: "ada".to_owned(), role: Role::Owner };
        let user = storage.create_user(&actor, user).await.unwrap().id;
        let patch = ServerPatch { auth_type: Some(EndpointAuth::OAuth), ..ServerPatch::default() };
        let spec = ServerSpec::new("Weather".to_owned());
        let new = NewServer { user_id: user, spec, public_id: random_public_id().unwrap(), patch };
        let server = storage.create_server(&actor, new).await.unwrap();
        let client = storage.register_client(new_client(CLIENT_ID), 10, clock.now()).await.unwrap().unwrap();
        let config = IssuerConfig {
            issuer: Some(ISSUER.to_owned()),
            is_loopback: false,
            is_registration_open: true,
            redirect_schemes: Vec::new(),
            trusted_proxies: TrustedProxies::default(),
            openid: None,
        };
        let context = IssuerContext::new(config, Arc::clone(&storage), Arc::<TestClock>::clone(&clock));
        Self { context, storage, clock, client, user, server, _database: (folder, target.postgres) }
    }
}

/// A client that registers itself.
pub(crate) fn new_client(client_id: &str) -> NewOAuthClient {
    NewOAuthClient {
        client_id: client_id.to_owned(),
        kind: ClientKind::Registered,
        name: "Client".to_owned(),
        redirect_uris: vec![CALLBACK.to_owned()],
        auth_method: ClientAuthMethod::None,
        secret_hash: None,
    }
}

impl IssuerFixture {
    /// The URL of the server's endpoint.
    pub(crate) fn endpoint(&self) -> String {
        format!("{ISSUER}/mcp/{}/{}", self.server.slug.as_str(), self.server.public_id.as_str())
    }

    pub(crate) fn actor(&self) -> Actor {
        Actor::service(self.clock.now())
    }

    /// Stores a grant of the client of the fixture, whose code is `code`.
    pub(crate) async fn allow(&self, code: &str) {
        self.allow_client(self.client.id, code).await;
    }

    /// Stores a grant of a client.
    pub(crate) async fn allow_client(&self, client_id: OAuthClientId, code: &str) {
        let now = self.clock.now();
        let grant = NewGrant {
            server_id: self.server.id,
            user_id: self.user,
            key_id: None,
            client_id,
            redirect_host: "client.example".to_owned(),
            scopes: McpScopes::ALL,
            ends_at: now.plus_millis(180 * DAY_MS),
            code: NewCode {
                hash: hash_secret(code),
                redirect_uri: CALLBACK.to_owned(),
                challenge: CHALLENGE.to_owned(),
                expires_at: now.plus_millis(60_000),
            },
        };
        self.storage.create_grant(&self.actor(), grant).await.unwrap();
    }

    /// The number of grants of the person.
    pub(crate) async fn grant_count(&self) -> i64 {
        self.storage.grants_of_user(self.user, None).await.unwrap().total
    }

    /// Exchanges a code.
    pub(crate) async fn exchange(&self, code: &str) -> (StatusCode, Value) {
        let body = format!(
            "grant_type=authorization_code&code={code}&client_id={CLIENT_ID}&redirect_uri={CALLBACK}\
             &code_verifier={VERIFIER}"
        );
        self.post_token(body).await
    }

    /// Uses a refresh token and returns the new one.
    pub(crate) async fn refresh(&self, token: &str) -> Result<String, String> {
        let body = format!("grant_type=refresh_token&refresh_token={token}&client_id={CLIENT_ID}");
        refresh_token(&self.post_token(body).await)
    }

    /// The first refresh token of a new grant.
    pub(crate) async fn first_refresh_token(&self) -> String {
        self.allow(CODE).await;
        refresh_token(&self.exchange(CODE).await).unwrap()
    }

    /// Registers a client.
    pub(crate) async fn register(&self) -> IssuerReply {
        self.post("/register", "application/json", json!({"redirect_uris": [CALLBACK]}).to_string()).await
    }

    async fn post_token(&self, body: String) -> (StatusCode, Value) {
        let reply = self.post("/token", "application/x-www-form-urlencoded", body).await;
        (reply.status, reply.body)
    }

    async fn post(&self, path: &str, content_type: &str, body: String) -> IssuerReply {
        let request = Request::post(path).header("content-type", content_type).body(Body::from(body)).unwrap();
        let response = issuer::router(&self.context).oneshot(request).await.unwrap();
        let status = response.status();
        let retry_after = response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        let body = to_bytes(response.into_body(), 65_536).await.unwrap();
        IssuerReply { status, retry_after, body: serde_json::from_slice(&body).unwrap() }
    }
}

/// A reply of an endpoint for programs.
pub(crate) struct IssuerReply {
    pub(crate) status: StatusCode,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: Value,
}

/// The refresh token of a reply, or the code of its error.
fn refresh_token((status, body): &(StatusCode, Value)) -> Result<String, String> {
    let member = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    if *status == StatusCode::OK { Ok(member("refresh_token")) } else { Err(member("error")) }
}
