//! The credentials in the headers of recorded requests. They belong to the person who recorded them, so they become a
//! credential of the server and never part of a tool.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;
use toolgate_domain::upstream_auth::{Credentials, KeyLocation};

use crate::api::request_auth::{RequestAuth, RequestKey};
use crate::request::credentials::{AUTHORIZATION, parse_authorization};
use crate::sensitivity::{is_idempotency_key, is_secret_header};
use crate::tables::TRACKING_COOKIES;
use crate::warnings::Warnings;

/// The secret headers of one request, by name as recorded.
#[derive(Default)]
pub(super) struct SessionHeaders {
    values: IndexMap<String, String>,
    /// Whether the request has an `Authorization` that clients compute for each request, such as a signature.
    pub(super) has_computed: bool,
}

/// The last recorded value of each secret header, by origin and lower-case name.
pub(super) struct RecordedSessions(HashMap<(String, String), String>);

impl SessionHeaders {
    /// Moves the secret headers out of the others. An idempotency key is unique, not secret.
    pub(super) fn take(headers: &mut IndexMap<String, String>, request: &Value) -> Self {
        let mut session = Self::default();
        headers.retain(|name, value| {
            if !is_secret_header(name, value) || is_idempotency_key(name) {
                return true;
            }
            session.add(name, value);
            false
        });
        if !session.has("cookie") {
            session.add_listed_cookies(request);
        }
        session
    }

    fn add(&mut self, name: &str, value: &str) {
        let value = if name.eq_ignore_ascii_case("cookie") { without_tracking(value) } else { value.to_owned() };
        if value.is_empty() {
            return;
        }
        if name.eq_ignore_ascii_case(AUTHORIZATION) && parse_authorization(&value, &mut Warnings::default()).is_none() {
            self.has_computed = true;
            return;
        }
        self.values.insert(name.to_owned(), value);
    }

    /// Adds the cookies that are listed apart from the headers.
    fn add_listed_cookies(&mut self, request: &Value) {
        let cookies = request.get("cookies").and_then(Value::as_array).into_iter().flatten();
        let cookies = cookies
            .filter_map(|cookie| Some(format!("{}={}", cookie.get("name")?.as_str()?, cookie.get("value")?.as_str()?)));
        self.add("Cookie", &cookies.collect::<Vec<_>>().join("; "));
    }

    fn has(&self, name: &str) -> bool {
        self.values.keys().any(|known| known.eq_ignore_ascii_case(name))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The names of the headers.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

impl RecordedSessions {
    /// Collects the headers of requests, each with its origin, in their order.
    pub(super) fn collect<'r>(requests: impl Iterator<Item = (&'r str, &'r SessionHeaders)>) -> Self {
        let mut values = HashMap::new();
        for (origin, headers) in requests {
            for (name, value) in &headers.values {
                values.insert((origin.to_owned(), name.to_ascii_lowercase()), value.clone());
            }
        }
        Self(values)
    }

    /// The authentication of a request of this origin with these headers, and whether a tool can send all of them.
    pub(super) fn auth(&self, origin: &str, headers: &SessionHeaders) -> (RequestAuth, bool) {
        let value = |name: &str| self.0.get(&(origin.to_owned(), name.to_ascii_lowercase())).cloned();
        let keys: Vec<RequestKey> = headers
            .names()
            .map(|name| RequestKey { name: name.to_owned(), location: KeyLocation::Header, value: value(name) })
            .collect();
        if let [RequestKey { name, value: Some(value), .. }] = keys.as_slice()
            && name.eq_ignore_ascii_case(AUTHORIZATION)
            && let Some(Credentials::Basic { username, password }) =
                parse_authorization(value, &mut Warnings::default())
        {
            let password = password_text(&Credentials::Basic { username: username.clone(), password });
            return (RequestAuth::Basic { username: Some(username), password }, true);
        }
        let mut auth = RequestAuth::None;
        let is_complete = auth.add_keys(keys).is_empty();
        (auth, is_complete)
    }
}

/// The password of these credentials.
fn password_text(credentials: &Credentials) -> Option<String> {
    let members: Value = serde_json::from_str(&credentials.expose()).ok()?;
    members.get("password")?.as_str().map(str::to_owned)
}

/// The cookies without those of analytics and consent banners.
fn without_tracking(value: &str) -> String {
    let name = |cookie: &str| cookie.split('=').next().unwrap_or_default().trim().to_owned();
    let cookies = value.split(';').map(str::trim).filter(|cookie| !cookie.is_empty());
    cookies.filter(|cookie| !TRACKING_COOKIES.contains(&name(cookie))).collect::<Vec<_>>().join("; ")
}
