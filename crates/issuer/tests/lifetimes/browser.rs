//! Simulates a person with a browser on the issuer's pages, without a network.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use toolgate_auth::SecretKey;
use toolgate_domain::api_key::{NewApiKey, Scope};
use tower::ServiceExt as _;

use crate::fixture::{CALLBACK, CHALLENGE, ISSUER, IssuerFixture};

/// A browser in which the person of the fixture is signed in.
pub(crate) struct SignedInBrowser<'a> {
    fixture: &'a IssuerFixture,
    cookie: String,
}

/// A page, or a redirect.
pub(crate) struct PageReply {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    pub(crate) text: String,
}

impl PageReply {
    /// Where the browser is sent; empty if it is not.
    pub(crate) fn location(&self) -> &str {
        self.headers.get("location").map_or("", |location| location.to_str().unwrap())
    }

    /// A hidden field of the form that is sent to `/authorize`.
    fn field(&self, name: &str) -> &str {
        let form = self.text.split("action=\"/authorize\"").nth(1).expect("there is a consent form");
        let rest = form.split(&format!("name=\"{name}\" value=\"")).nth(1).expect("the form has the field");
        rest.split('"').next().unwrap_or_default()
    }
}

impl<'a> SignedInBrowser<'a> {
    pub(crate) async fn open(fixture: &'a IssuerFixture) -> Self {
        let key = SecretKey::generate().unwrap();
        let scopes = [Scope::Mcp].into_iter().collect();
        let (user_id, digest) = (fixture.user, key.digest());
        let new = NewApiKey { user_id, name: "browser".to_owned(), scopes, expires_at: None, digest };
        fixture.storage.create_api_key(&fixture.actor(), new).await.unwrap();
        let mut browser = Self { fixture, cookie: String::new() };
        let reply = browser.post("/signin", format!("key={}", key.expose())).await;
        let cookie = reply.headers.get("set-cookie").expect("the key signs in").to_str().unwrap();
        cookie.split(';').next().unwrap_or_default().clone_into(&mut browser.cookie);
        browser
    }

    /// Opens the authorization request of a client.
    pub(crate) async fn authorize(&self, client_id: &str) -> PageReply {
        let path = format!(
            "/authorize?response_type=code&client_id={client_id}&redirect_uri={CALLBACK}&code_challenge={CHALLENGE}\
             &code_challenge_method=S256&resource={}",
            self.fixture.endpoint()
        );
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Allows the access that a consent page asks for.
    pub(crate) async fn allow(&self, page: &PageReply) -> PageReply {
        let (tx, csrf) = (page.field("tx"), page.field("csrf"));
        self.post("/authorize", format!("tx={tx}&csrf={csrf}&scope=mcp:read&decision=allow")).await
    }

    async fn post(&self, path: &str, form: String) -> PageReply {
        let request = Request::post(path).header("content-type", "application/x-www-form-urlencoded");
        self.send(request.header("origin", ISSUER).body(Body::from(form)).unwrap()).await
    }

    async fn send(&self, mut request: Request<Body>) -> PageReply {
        request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        let response = issuer::router(&self.fixture.context).oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body(), 65_536).await.unwrap();
        PageReply { status, headers, text: String::from_utf8(body.to_vec()).unwrap() }
    }
}
