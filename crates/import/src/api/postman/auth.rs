//! The authentication of a request, which it may inherit from its folders and the collection.

use serde_json::Value;
use toolgate_domain::upstream_auth::KeyLocation;

use crate::api::postman::json_text::scalar_text;
use crate::api::postman::scope::RequestScope;
use crate::api::postman::template::Template;
use crate::api::reference::Located;
use crate::api::request_auth::{RequestAuth, RequestKey};
use crate::request::credentials::AUTHORIZATION;

/// Reads an `auth` object of the collection.
pub(super) fn read(auth: &Located<'_>, scope: &mut RequestScope<'_, '_>) -> RequestAuth {
    let kind = auth.text("type").unwrap_or_default();
    let members = AuthMembers { list: auth.value.get(kind) };
    match kind {
        "" | "noauth" => RequestAuth::None,
        "bearer" => RequestAuth::Bearer { token: members.text("token", scope) },
        "basic" => basic(&members, scope),
        "apikey" => api_key(auth, &members, scope),
        "oauth2" => oauth2(auth, &members, scope),
        other => {
            let message = format!(
                "Tools cannot authenticate with {other}. The tool sends no credentials: set auth_type, or leave the tool out."
            );
            scope.warn("auth_unsupported", &auth.pointer, message);
            RequestAuth::None
        }
    }
}

/// The settings of a kind of authentication: a list in version 2.1, an object in version 2.0.
struct AuthMembers<'a> {
    list: Option<&'a Value>,
}

impl AuthMembers<'_> {
    fn template(&self, key: &str, scope: &RequestScope<'_, '_>) -> Option<Template> {
        let value = match self.list? {
            Value::Array(items) => {
                items.iter().find(|item| item.get("key").is_some_and(|name| name == key))?.get("value")?
            }
            members => members.get(key)?,
        };
        Some(Template::fill(&scalar_text(value)?, scope.variables))
    }

    /// A value that is known and not empty.
    fn text(&self, key: &str, scope: &RequestScope<'_, '_>) -> Option<String> {
        self.template(key, scope)?.resolved_text_with_secrets().filter(|text| !text.is_empty())
    }

    /// A value that may be empty; `None` if it is not known.
    fn text_or_empty(&self, key: &str, scope: &RequestScope<'_, '_>) -> Option<String> {
        self.template(key, scope).map_or_else(|| Some(String::new()), |template| template.resolved_text_with_secrets())
    }
}

fn basic(members: &AuthMembers<'_>, scope: &RequestScope<'_, '_>) -> RequestAuth {
    let (username, password) = (members.text_or_empty("username", scope), members.text_or_empty("password", scope));
    let is_set = |text: &Option<String>| text.as_ref().is_none_or(|text| !text.is_empty());
    if is_set(&username) || is_set(&password) {
        RequestAuth::Basic { username, password }
    } else {
        RequestAuth::Basic { username: None, password: None }
    }
}

fn api_key(auth: &Located<'_>, members: &AuthMembers<'_>, scope: &mut RequestScope<'_, '_>) -> RequestAuth {
    let Some(name) = members.text("key", scope) else {
        scope.warn("auth_unsupported", &auth.pointer, "The API key has no name, so it is not sent.");
        return RequestAuth::None;
    };
    let is_query = members.text("in", scope).as_deref() == Some("query");
    let location = if is_query { KeyLocation::Query } else { KeyLocation::Header };
    let key = RequestKey { name, location, value: members.text("value", scope) };
    if !key.is_valid() {
        scope.warn(
            "auth_unsupported",
            &auth.pointer,
            "A tool cannot send the API key: its name or value is not valid.",
        );
        return RequestAuth::None;
    }
    RequestAuth::Keys(vec![key])
}

fn oauth2(auth: &Located<'_>, members: &AuthMembers<'_>, scope: &mut RequestScope<'_, '_>) -> RequestAuth {
    if members.text("grant_type", scope).as_deref() == Some("client_credentials") {
        let text = |key: &str| members.text(key, scope);
        return RequestAuth::OAuth2 {
            token_url: text("accessTokenUrl"),
            client_id: text("clientId"),
            client_secret: text("clientSecret"),
            scope: text("scope"),
        };
    }
    let message = "Tools cannot sign in a person. Give an access token as the credential.";
    scope.warn("oauth2_flow", &auth.pointer, message);
    let token = members.text("accessToken", scope);
    let prefix = members.template("headerPrefix", scope).and_then(|prefix| prefix.resolved_text_with_secrets());
    let prefix = prefix.map_or_else(|| "Bearer".to_owned(), |prefix| prefix.trim().to_owned());
    if members.text("addTokenTo", scope).as_deref() == Some("queryParams") {
        let key = RequestKey { name: "access_token".to_owned(), location: KeyLocation::Query, value: token };
        return RequestAuth::Keys(vec![key]);
    }
    if prefix == "Bearer" {
        return RequestAuth::Bearer { token };
    }
    let value = token.map(|token| format!("{prefix} {token}").trim_start().to_owned());
    RequestAuth::Keys(vec![RequestKey { name: AUTHORIZATION.to_owned(), location: KeyLocation::Header, value }])
}
