//! Sources of resource content, and the configuration of each.

use crate::closed_set::closed_set;
use crate::endpoint_url::check_scheme_and_host;
use crate::fault::{Fault, Faults};
use crate::headers::{SecretHeaders, SentHeaders};
use crate::json::{self, JsonObject, Members, is_null, raw_string};
use crate::secrets::Secrets;
use crate::text::CONTENT_MAX;
use crate::tool::{CACHE_TTL_SECS, DOCUMENT_MAX, HttpMethod, TIMEOUT_SECS};
use crate::upstream_auth::{AuthType, Credentials};
use crate::uri_template::UriTemplate;

/// The request field that contains the configuration.
const FIELD: &str = "data_source_config";

closed_set! {
    /// The kind of source.
    pub enum DataSourceType {
        /// Text stored with the resource.
        Static = "static",
        /// The body of an HTTP response.
        Url = "url",
        /// A query to a WordPress site.
        WpQuery = "wp_query",
        /// The result of a tool of the same server.
        Dynamic = "dynamic",
    }
}

/// Validates a configuration for its source, moves secrets to `secrets`, and returns the part that may be stored in
/// plain text and shown.
pub fn configure(source: DataSourceType, config: &JsonObject, secrets: &mut Secrets) -> Result<JsonObject, Faults> {
    // JSON can encode one byte of content as six bytes (`\u0000`).
    let limit = if source == DataSourceType::Static { 6 * CONTENT_MAX } else { DOCUMENT_MAX };
    if config.as_str().len() > limit {
        return Err(Fault::too_long(FIELD, limit, "bytes").into());
    }
    let mut config = ConfigChecker { members: config.members(), faults: Faults::default() };
    match source {
        DataSourceType::Static => config.check_static(),
        DataSourceType::Url => config.check_url(secrets),
        DataSourceType::WpQuery => config.check_wp_query(secrets),
        DataSourceType::Dynamic => config.check_dynamic(),
    }
    if matches!(source, DataSourceType::Static | DataSourceType::Dynamic) {
        *secrets = Secrets::default();
        config.drop_credentials();
    }
    config.faults.into_result(JsonObject::from_members(&config.members))
}

/// A configuration under validation, and the faults found so far.
struct ConfigChecker {
    members: Members,
    faults: Faults,
}

impl ConfigChecker {
    fn check_static(&mut self) {
        if let Some(content) = self.string("content")
            && content.len() > CONTENT_MAX
        {
            self.faults.push(Fault::too_long(&member_path("content"), CONTENT_MAX, "bytes"));
        }
    }

    fn check_url(&mut self, secrets: &mut Secrets) {
        if let Some(url) = self.required_string("url", "url") {
            self.faults.ok_or_record(check_template_url(&member_path("url"), &url));
        }
        if let Some(method) = self.string("method")
            && HttpMethod::parse(&method.to_ascii_uppercase()).is_none()
        {
            self.faults.push(Fault::not_in(&member_path("method"), HttpMethod::NAMES));
        }
        self.check_integer("timeout", TIMEOUT_SECS);
        self.check_integer("cache_ttl", CACHE_TTL_SECS);
        self.take_headers(&mut secrets.headers);
        self.take_credentials(secrets);
    }

    fn check_wp_query(&mut self, secrets: &mut Secrets) {
        if let Some(url) = self.required_string("site_url", "wp_query") {
            self.faults.ok_or_record(check_template_url(&member_path("site_url"), &url));
        }
        self.object("query");
        self.take_headers(&mut secrets.headers);
        self.take_credentials(secrets);
    }

    fn check_dynamic(&mut self) {
        self.required_string("tool", "dynamic");
        self.object("arguments");
    }

    /// A string member, if present; another type is a fault.
    fn string(&mut self, key: &str) -> Option<String> {
        let value = self.members.get(key).filter(|value| !is_null(value))?;
        let text = json::as_string(value);
        if text.is_none() {
            self.faults.push(Fault::invalid_type(&member_path(key), "string"));
        }
        text
    }

    fn required_string(&mut self, key: &str, source: &str) -> Option<String> {
        let is_missing = self.members.get(key).is_none_or(|value| is_null(value) || value.get() == "\"\"");
        if is_missing {
            let message = format!("{} is required when data_source_type is {source}.", member_path(key));
            self.faults.push(Fault::invalid_value(FIELD, message));
            return None;
        }
        self.string(key)
    }

    /// An object member. An empty array is read as an empty object, because PHP encodes both as `[]`.
    fn object(&mut self, key: &str) -> Option<JsonObject> {
        let value = self.members.get(key).filter(|value| !is_null(value))?;
        let object = if value.get() == "[]" { Some(JsonObject::empty()) } else { JsonObject::from_raw(value) };
        if object.is_none() {
            self.faults.push(Fault::invalid_type(&member_path(key), "object"));
        }
        object
    }

    fn check_integer(&mut self, key: &str, range: std::ops::RangeInclusive<i64>) {
        let Some(value) = self.members.get(key).filter(|value| !is_null(value)) else { return };
        match serde_json::from_str::<i64>(value.get()) {
            Ok(number) if range.contains(&number) => {}
            Ok(_) => self.faults.push(Fault::out_of_bounds(&member_path(key), range)),
            Err(_) => self.faults.push(Fault::invalid_type(&member_path(key), "integer")),
        }
    }

    fn take_headers(&mut self, stored: &mut SecretHeaders) {
        let Some(object) = self.object("headers") else {
            stored.clear();
            return;
        };
        let resolved = SentHeaders::parse("headers", &object).and_then(|sent| sent.resolve("headers", stored));
        if let Some((plain, secret)) = self.faults.ok_or_record(resolved.map_err(|faults| faults.inside(FIELD))) {
            *stored = secret;
            let text = serde_json::to_string(&plain).unwrap_or_default();
            self.members.insert("headers".to_owned(), json::raw(text));
        }
    }

    /// The same rules as for tools: absent credentials and `null` leave the stored ones unchanged, an empty object
    /// clears them, another `auth_type` drops them.
    fn take_credentials(&mut self, secrets: &mut Secrets) {
        let auth_type = match self.string("auth_type").as_deref().map(AuthType::parse) {
            None => AuthType::None,
            Some(Some(auth_type)) => auth_type,
            Some(None) => return self.faults.push(Fault::not_in(&member_path("auth_type"), AuthType::NAMES)),
        };
        if secrets.credentials.as_ref().map(Credentials::auth_type) != Some(auth_type) {
            secrets.credentials = None;
        }
        if let Some(object) = self.object("auth_credentials") {
            let parsed = Credentials::parse(auth_type, &object).and_then(without_path_keys);
            let parsed = parsed.map_err(|faults| faults.inside(FIELD));
            secrets.credentials = self.faults.ok_or_record(parsed).flatten();
        }
        if auth_type != AuthType::None {
            self.members.insert("auth_type".to_owned(), raw_string(auth_type.as_str()));
        }
        if auth_type != AuthType::None || self.members.contains_key("auth_credentials") {
            self.members.insert("auth_credentials".to_owned(), json::raw("null".to_owned()));
        }
    }

    /// Removes members that a source without requests does not use: their secrets would be stored in plain text.
    fn drop_credentials(&mut self) {
        for key in ["auth_type", "auth_credentials", "headers"] {
            self.members.shift_remove(key);
        }
    }
}

/// Refuses API keys in the path: the URL of a resource has no placeholders for them.
fn without_path_keys(credentials: Option<Credentials>) -> Result<Option<Credentials>, Faults> {
    if credentials.as_ref().is_some_and(|credentials| !credentials.path_key_names().is_empty()) {
        let message = "auth_credentials[key_location] must not be path for a resource.";
        return Err(Fault::invalid_value("auth_credentials[key_location]", message).into());
    }
    Ok(credentials)
}

/// The path of a member, for faults.
fn member_path(key: &str) -> String {
    format!("{FIELD}[{key}]")
}

/// The URL up to its first template expression, to check its host.
pub fn sample_url(text: &str) -> Option<url::Url> {
    let plain = text.split('{').next().unwrap_or_default();
    url::Url::parse(plain).ok()
}

/// Checks an absolute URL that may be an RFC 6570 template with variables after the host.
fn check_template_url(path: &str, text: &str) -> Result<(), Fault> {
    check_scheme_and_host(path, text)?;
    if sample_url(text).is_none() {
        return Err(Fault::invalid_pattern(path, format!("{path} is not a valid URL.")));
    }
    UriTemplate::parse(text)
        .map(drop)
        .map_err(|error| Fault::invalid_pattern(path, format!("{path} is not a valid RFC 6570 URI template: {error}.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configure_text(source: DataSourceType, text: &str, secrets: &mut Secrets) -> Result<String, Faults> {
        configure(source, &JsonObject::from_stored(text.to_owned()), secrets).map(|config| config.as_str().to_owned())
    }

    #[test]
    fn each_source_names_its_missing_member() {
        for (source, key) in
            [(DataSourceType::Url, "url"), (DataSourceType::WpQuery, "site_url"), (DataSourceType::Dynamic, "tool")]
        {
            let faults = configure_text(source, "{}", &mut Secrets::default()).unwrap_err();
            let fault = faults.iter().next().unwrap();
            assert_eq!(fault.field, "data_source_config");
            assert!(fault.message.contains(&format!("[{key}]")), "{}", fault.message);
        }
        assert_eq!(configure_text(DataSourceType::Static, "{}", &mut Secrets::default()).unwrap(), "{}");
    }

    #[test]
    fn secrets_of_a_url_source_are_removed_from_its_configuration() {
        let mut secrets = Secrets::default();
        let sent = r#"{"url":"https://a.example/{x}","headers":{"X-Token":"h"},"auth_type":"bearer","auth_credentials":{"token":"t"}}"#;
        let stored = configure_text(DataSourceType::Url, sent, &mut secrets).unwrap();
        assert!(!stored.contains("\"h\"") && !stored.contains("\"t\""), "{stored}");
        assert!(secrets.credentials.is_some() && secrets.headers.len() == 1);
        let absent = stored.replace(r#","auth_credentials":null"#, "");
        for unchanged in [&absent, &stored] {
            assert_eq!(configure_text(DataSourceType::Url, unchanged, &mut secrets).unwrap(), stored);
            assert!(secrets.credentials.is_some() && secrets.headers.len() == 1, "{unchanged}");
        }
        let empty = stored.replace("null", "{}");
        configure_text(DataSourceType::Url, &empty, &mut secrets).unwrap();
        assert!(secrets.credentials.is_none());
    }

    #[test]
    fn a_source_without_requests_stores_no_credentials() {
        let sent = r#"{"content":"x","tool":"t","auth_type":"bearer","auth_credentials":{"token":"t"},"headers":{"Cookie":"c"}}"#;
        for source in [DataSourceType::Static, DataSourceType::Dynamic] {
            let stored = configure_text(source, sent, &mut Secrets::default()).unwrap();
            assert_eq!(stored, r#"{"content":"x","tool":"t"}"#);
        }
    }

    #[test]
    fn invalid_templates_and_variables_in_the_host_are_refused() {
        for bad in ["https://{host}/x", "https://a.example/{x", "ftp://a.example"] {
            let text = format!(r#"{{"url":"{bad}"}}"#);
            assert!(configure_text(DataSourceType::Url, &text, &mut Secrets::default()).is_err(), "{bad}");
        }
    }
}
