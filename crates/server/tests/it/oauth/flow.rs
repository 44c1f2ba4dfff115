//! A service with a server that uses the built-in issuer, and a person with a browser: cookies and forms over plain
//! HTTP.

use std::collections::HashMap;

use serde_json::{Value, json};
use toolgate_testkit::page_form::{PageForm, encode};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{Client, RunningService, TestResponse};
use url::Url;

/// The code verifier of RFC 7636, appendix B, and its challenge.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(super) const CALLBACK: &str = "https://client.example/callback";

pub(super) struct OAuthFixture {
    pub(super) app: RunningService,
    pub(super) api: Client,
    pub(super) server: Value,
    /// A client that registered itself.
    pub(super) client_id: String,
}

impl OAuthFixture {
    pub(super) async fn start(builder: ServiceBuilder) -> Self {
        let app = builder.start();
        let api = app.client();
        let server = api.create("/servers", json!({"name": "Weather", "auth_type": "oauth"})).await;
        let mut fixture = Self { app, api, server, client_id: String::new() };
        fixture.client_id = fixture.register("Test client", &[CALLBACK]).await;
        fixture
    }

    /// The URL of the server's endpoint.
    pub(super) fn endpoint(&self) -> &str {
        self.server["endpoint_url"].as_str().unwrap()
    }

    /// The endpoint's path below the base URL.
    pub(super) fn endpoint_path(&self) -> &str {
        self.endpoint().find("/mcp/").and_then(|at| self.endpoint().get(at..)).unwrap()
    }

    /// Registers a client and returns its `client_id`.
    pub(super) async fn register(&self, name: &str, redirect_uris: &[&str]) -> String {
        let body = json!({"client_name": name, "redirect_uris": redirect_uris});
        let client = self.visitor().client.post("/register").json(body).send().await.expect(201).json();
        client["client_id"].as_str().unwrap().to_owned()
    }

    /// A browser without cookies.
    pub(super) fn visitor(&self) -> WebSession {
        let origin = self.app.origin();
        WebSession { client: Client::new(&origin, None), origin, cookie: None }
    }

    /// A browser in which the administrator is signed in.
    pub(super) async fn administrator(&self) -> WebSession {
        let mut session = self.visitor();
        session.sign_in_with_key(&self.app.key()).await.expect(303);
        session
    }

    /// The path and query of a valid authorization request. Each change replaces a parameter, or removes it (`None`).
    pub(super) fn authorize_path(&self, changes: &[(&str, Option<&str>)]) -> String {
        let mut parameters = vec![
            ("response_type", "code"),
            ("client_id", &self.client_id),
            ("redirect_uri", CALLBACK),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("resource", self.endpoint()),
            ("state", "s-1"),
        ];
        for (name, value) in changes {
            parameters.retain(|(known, _)| known != name);
            parameters.extend(value.map(|value| (*name, value)));
        }
        format!("/authorize?{}", encode(&parameters))
    }

    /// The number of grants of the server.
    pub(super) async fn grant_count(&self) -> usize {
        let grants = self.api.read(&format!("/servers/{}/grants", self.server["id"])).await;
        grants.as_array().unwrap().len()
    }

    /// Exchanges a code for tokens.
    pub(super) async fn exchange(&self, code: &str) -> TestResponse {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", &self.client_id),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
        ];
        let visitor = self.visitor();
        let request = visitor.client.post("/token").header("content-type", "application/x-www-form-urlencoded");
        request.body(encode(&fields)).send().await
    }
}

/// A browser: it keeps the session cookie and sends forms as a page of the service would.
pub(super) struct WebSession {
    pub(super) client: Client,
    origin: String,
    pub(super) cookie: Option<String>,
}

impl WebSession {
    pub(super) async fn get(&self, path: &str) -> TestResponse {
        let request = self.client.get(path);
        match &self.cookie {
            Some(cookie) => request.header("cookie", cookie).send().await,
            None => request.send().await,
        }
    }

    /// Sends a form of a page of the service.
    pub(super) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let origin = self.origin.clone();
        self.post_with(path, fields, &[("origin", &origin)]).await
    }

    /// Sends a form with these headers; keeps the cookie of the response.
    pub(super) async fn post_with(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> TestResponse {
        let mut request = self.client.post(path).header("content-type", "application/x-www-form-urlencoded");
        for (name, value) in headers.iter().copied().chain(self.cookie.as_deref().map(|cookie| ("cookie", cookie))) {
            request = request.header(name, value);
        }
        let response = request.body(encode(fields)).send().await;
        if let Some(cookie) = response.header("set-cookie") {
            self.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        }
        response
    }

    pub(super) async fn sign_in_with_key(&mut self, key: &str) -> TestResponse {
        self.post("/signin", &[("key", key)]).await
    }

    /// The form of the consent page for this request.
    pub(super) async fn consent(&self, path: &str) -> PageForm {
        PageForm::parse(&self.get(path).await.expect(200).text(), "/authorize")
    }

    /// Allows a request, and returns the parameters of the redirect to the client.
    pub(super) async fn allow(&mut self, path: &str) -> HashMap<String, String> {
        let form = self.consent(path).await;
        let response = self.post("/authorize", &form.with(&[("decision", "allow")])).await;
        callback_parameters(&response.expect(303))
    }
}

/// The parameters that a redirect to the client's callback adds.
#[track_caller]
pub(super) fn callback_parameters(response: &TestResponse) -> HashMap<String, String> {
    let location = response.header("location").unwrap_or_else(|| panic!("there is no location: {response:?}"));
    Url::parse(location).unwrap().query_pairs().into_owned().collect()
}
