//! Requests to `/token`, `/register` and `/revoke`, as programs send them.

use serde_json::Value;
use toolgate_testkit::page_form::encode;
use toolgate_testkit::{Client, TestResponse};

use super::flow::{CALLBACK, OAuthFixture, VERIFIER};

const FORM: &str = "application/x-www-form-urlencoded";

/// Sends a form.
pub(super) async fn post_form(client: &Client, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    client.post(path).header("content-type", FORM).body(encode(fields)).send().await
}

/// The fields of `changes` replace those of `fields`, or remove them (`None`).
pub(super) fn changed<'a>(
    fields: &[(&'a str, &'a str)],
    changes: &[(&'a str, Option<&'a str>)],
) -> Vec<(&'a str, &'a str)> {
    let is_kept = |name: &str| changes.iter().all(|(changed, _)| *changed != name);
    let kept = fields.iter().copied().filter(|(name, _)| is_kept(name));
    kept.chain(changes.iter().filter_map(|(name, value)| value.map(|value| (*name, value)))).collect()
}

impl OAuthFixture {
    /// A client of the service without a key.
    pub(super) fn program(&self) -> Client {
        Client::new(&self.app.origin(), None)
    }

    /// A new code of the administrator for the client of the fixture.
    pub(super) async fn code(&self) -> String {
        let callback = self.administrator().await.allow(&self.authorize_path(&[])).await;
        callback["code"].clone()
    }

    /// Exchanges a code with a changed request.
    pub(super) async fn exchange_with(&self, code: &str, changes: &[(&str, Option<&str>)]) -> TestResponse {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("client_id", &self.client_id),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
            ("resource", self.endpoint()),
        ];
        post_form(&self.program(), "/token", &changed(&fields, changes)).await
    }

    /// The tokens of a new grant.
    pub(super) async fn tokens(&self) -> Value {
        self.exchange_with(&self.code().await, &[]).await.expect(200).json()
    }

    /// Uses a refresh token, with a changed request.
    pub(super) async fn refresh_with(&self, token: &str, changes: &[(&str, Option<&str>)]) -> TestResponse {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", &self.client_id)];
        post_form(&self.program(), "/token", &changed(&fields, changes)).await
    }

    /// Uses a refresh token.
    pub(super) async fn refresh(&self, token: &str) -> TestResponse {
        self.refresh_with(token, &[]).await
    }

    /// The status of a request to the endpoint with an access token.
    pub(super) async fn status_at_endpoint(&self, tokens: &Value) -> u16 {
        let client = Client::new(&self.app.origin(), tokens["access_token"].as_str());
        let message = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        let request = client.post(self.endpoint_path()).header("accept", "application/json, text/event-stream");
        request.json(message).send().await.status
    }

    /// Asserts that the grant of these tokens has ended: the endpoint and `/token` refuse them.
    pub(super) async fn assert_ended(&self, tokens: &Value) {
        assert_eq!(self.status_at_endpoint(tokens).await, 401, "the access token");
        assert_error(&self.refresh(text(tokens, "refresh_token")).await, 400, "invalid_grant");
    }
}

/// A member of the reply that is a text.
#[track_caller]
pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is not a text: {value}"))
}

/// Asserts that a reply is this error of OAuth, in the form that all errors have.
#[track_caller]
pub(super) fn assert_error(reply: &TestResponse, status: u16, error: &str) {
    assert_eq!(reply.status, status, "{reply:?}");
    assert_eq!(reply.json()["error"], error, "{reply:?}");
    assert!(reply.json()["error_description"].is_string(), "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    let challenge = reply.header("www-authenticate").unwrap_or_default();
    assert_eq!(challenge.starts_with("Basic"), status == 401, "{challenge:?}");
}
