//! The settings of a server: known keys are validated, others are stored as sent.

use serde_json::value::RawValue;

use crate::capture;
use crate::change::set;
use crate::discovery;
use crate::fault::{Fault, Faults};
use crate::json::{self, JsonObject, Members, is_null};
use crate::lenient;
use crate::oauth::settings::{OAUTH, OAuthSettings};
use crate::secrets::Secrets;
use crate::shaping::Shaping;
use crate::text;
use crate::tool::DOCUMENT_MAX;
use crate::upstream_auth::{AuthType, Credentials};

const SHAPING: &str = "shaping";
const TEST_CREDENTIALS: &str = "test_credentials";
const COERCE_ARGUMENTS: &str = "coerce_arguments";
const TRACE_UPSTREAM: &str = "trace_upstream";
const ORIGINS_MAX: usize = 100;

/// The settings of a request, with known keys validated.
#[derive(Clone)]
pub struct SentSettings(Members);

impl std::fmt::Debug for SentSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

impl SentSettings {
    /// The value of a key, if it was sent; `null` removes the key.
    pub fn get(&self, key: &str) -> Option<&RawValue> {
        self.0.get(key).map(|value| &**value)
    }

    /// Validates the known keys. Numbers and booleans may be sent as strings.
    pub fn parse(object: &JsonObject) -> Result<Self, Faults> {
        let mut members = object.members();
        let mut faults = Faults::default();
        for (key, value) in members.iter_mut().filter(|(_, value)| !is_null(value)) {
            let path = format!("settings[{key}]");
            match key.as_str() {
                "description" => {
                    drop(faults.ok_or_record(string(&path, value).and_then(|s| text::description(&path, &s))));
                }
                "instructions" => {
                    drop(faults.ok_or_record(string(&path, value).and_then(|s| text::content(&path, &s))));
                }
                "safe_tool_names" | COERCE_ARGUMENTS | TRACE_UPSTREAM => {
                    set(value, faults.ok_or_record(boolean(&path, value)));
                }
                "allowed_origins" => drop(faults.ok_or_record(check_origins(&path, value))),
                OAUTH => drop(faults.ok_or_record(check_oauth(&path, value))),
                SHAPING => drop(faults.ok_or_record(check_shaping(&path, value))),
                discovery::DISCOVERY => drop(faults.ok_or_record(discovery::check_mode(&path, value))),
                discovery::LIST_BUDGET => set(value, faults.ok_or_record(discovery::parse_list_budget(&path, value))),
                discovery::CLIENT_PROFILES => drop(faults.ok_or_record(discovery::check_profiles(&path, value))),
                discovery::ADAPT_SCHEMAS => set(value, faults.ok_or_record(boolean(&path, value))),
                capture::CAPTURE => drop(faults.ok_or_record(capture::check_mode(&path, value))),
                capture::CAPTURE_MAX_BYTES => set(value, faults.ok_or_record(capture::parse_max_bytes(&path, value))),
                _ => {}
            }
        }
        faults.into_result(Self(members))
    }

    /// Merges with the stored settings: top-level keys replace stored ones, `null` removes them. Test credentials are
    /// moved to `secrets`.
    pub fn merge(self, stored: Option<&JsonObject>, secrets: &mut Secrets) -> Result<JsonObject, Faults> {
        let mut merged = stored.map(JsonObject::members).unwrap_or_default();
        for (key, value) in self.0 {
            if is_null(&value) {
                if key == TEST_CREDENTIALS {
                    secrets.credentials = None;
                }
                merged.shift_remove(&key);
            } else if key == TEST_CREDENTIALS {
                let object = JsonObject::from_raw(&value)
                    .ok_or_else(|| Fault::invalid_type("settings[test_credentials]", "object"))?;
                merged.insert(key, take_test_credentials(&object, secrets)?);
            } else {
                merged.insert(key, value);
            }
        }
        let merged = JsonObject::from_members(&merged);
        if merged.as_str().len() > DOCUMENT_MAX {
            return Err(Fault::too_long("settings", DOCUMENT_MAX, "bytes").into());
        }
        Ok(merged)
    }
}

/// How responses of tools without their own `shaping` are shortened. `None` also if a newer version stored keys that
/// this version does not know.
pub fn default_shaping(settings: Option<&JsonObject>) -> Option<Shaping> {
    Shaping::parse(&default_shaping_object(settings)?).ok()
}

/// The default of `shaping` as stored JSON.
pub fn default_shaping_object(settings: Option<&JsonObject>) -> Option<JsonObject> {
    JsonObject::from_raw(settings?.members().get(SHAPING)?)
}

/// Moves the credentials to `secrets` and returns the part that may be stored in plain text and shown.
fn take_test_credentials(object: &JsonObject, secrets: &mut Secrets) -> Result<Box<RawValue>, Faults> {
    let members = object.members();
    let path = "settings[test_credentials][auth_type]";
    let auth_type = members
        .get("auth_type")
        .and_then(|value| AuthType::parse(&json::as_string(value)?))
        .ok_or_else(|| Fault::not_in(path, AuthType::NAMES))?;
    match members.get("auth_credentials").filter(|value| !is_null(value)) {
        Some(value) => {
            let object = JsonObject::from_raw(value)
                .ok_or_else(|| Fault::invalid_type("settings[test_credentials][auth_credentials]", "object"))?;
            secrets.credentials = Credentials::parse(auth_type, &object)
                .map_err(|faults| faults.inside("test_credentials").inside("settings"))?;
        }
        // Responses contain null here, so sending it back must not delete the stored credentials.
        None if secrets.credentials.as_ref().map(Credentials::auth_type) != Some(auth_type) => {
            secrets.credentials = None;
        }
        None => {}
    }
    Ok(json::raw(format!(r#"{{"auth_type":"{}","auth_credentials":null}}"#, auth_type.as_str())))
}

fn string(path: &str, value: &RawValue) -> Result<String, Fault> {
    json::as_string(value).ok_or_else(|| Fault::invalid_type(path, "string"))
}

fn boolean(path: &str, value: &RawValue) -> Result<Box<RawValue>, Fault> {
    let text = json::as_string(value).unwrap_or_else(|| value.get().to_owned());
    let parsed = lenient::boolean(&text).ok_or_else(|| Fault::invalid_type(path, "boolean"))?;
    Ok(json::raw(parsed.to_string()))
}

fn check_shaping(path: &str, value: &RawValue) -> Result<(), Faults> {
    let object = JsonObject::from_raw(value).ok_or_else(|| Fault::invalid_type(path, "object"))?;
    Shaping::parse(&object).map(drop).map_err(|faults| faults.inside(SHAPING).inside("settings"))
}

fn check_oauth(path: &str, value: &RawValue) -> Result<(), Faults> {
    let object = JsonObject::from_raw(value).ok_or_else(|| Fault::invalid_type(path, "object"))?;
    OAuthSettings::parse(&object).map(drop).map_err(|faults| faults.inside(OAUTH).inside("settings"))
}

fn check_origins(path: &str, value: &RawValue) -> Result<(), Fault> {
    let origins: Vec<String> =
        serde_json::from_str(value.get()).map_err(|_| Fault::invalid_type(path, "array of strings"))?;
    if origins.len() > ORIGINS_MAX {
        return Err(Fault::too_many(path, ORIGINS_MAX, "origins"));
    }
    match origins.iter().find(|origin| !is_origin(origin)) {
        None => Ok(()),
        Some(bad) => Err(Fault::invalid_pattern(
            path,
            format!("{path}: '{bad}' is not an origin; write scheme://host or scheme://host:port."),
        )),
    }
}

fn is_origin(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| {
        url.has_host() && url.origin().ascii_serialization().eq_ignore_ascii_case(text.trim_end_matches('/'))
    })
}

/// Whether the server converts arguments that do not match the schema, such as a number that is sent as a string.
pub fn coerces_arguments(settings: Option<&JsonObject>) -> bool {
    is_enabled(settings, COERCE_ARGUMENTS)
}

/// Whether the trace context of a call is sent to upstreams, so that their spans become part of its trace.
pub fn traces_upstream(settings: Option<&JsonObject>) -> bool {
    is_enabled(settings, TRACE_UPSTREAM)
}

fn is_enabled(settings: Option<&JsonObject>, key: &str) -> bool {
    settings.is_some_and(|settings| settings.members().get(key).is_some_and(|value| value.get() == "true"))
}

/// The description of a server, for the search index.
pub fn description(settings: Option<&JsonObject>) -> Option<String> {
    settings?.members().get("description").and_then(|value| json::as_string(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<SentSettings, Faults> {
        SentSettings::parse(&JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap())
    }

    #[test]
    fn sent_keys_replace_stored_ones_and_null_removes_them() {
        let mut secrets = Secrets::default();
        let stored = JsonObject::from_stored(r#"{"description":"a","x":1,"y":2}"#.into());
        let merged = settings(r#"{"x":null,"y":3,"z":[4]}"#).unwrap().merge(Some(&stored), &mut secrets).unwrap();
        assert_eq!(merged.as_str(), r#"{"description":"a","y":3,"z":[4]}"#);
    }

    #[test]
    fn test_credentials_are_removed_from_settings_and_survive_a_round_trip() {
        let mut secrets = Secrets::default();
        let sent = r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{"token":"s"}}}"#;
        let stored = settings(sent).unwrap().merge(None, &mut secrets).unwrap();
        assert_eq!(stored.as_str(), r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":null}}"#);
        settings(stored.as_str()).unwrap().merge(Some(&stored), &mut secrets).unwrap();
        assert!(secrets.credentials.is_some());
        for cleared in [
            r#"{"test_credentials":null}"#,
            r#"{"test_credentials":{"auth_type":"bearer","auth_credentials":{}}}"#,
            r#"{"test_credentials":{"auth_type":"none"}}"#,
        ] {
            settings(sent).unwrap().merge(None, &mut secrets).unwrap();
            assert!(secrets.credentials.is_some());
            settings(cleared).unwrap().merge(Some(&stored), &mut secrets).unwrap();
            assert!(secrets.credentials.is_none(), "{cleared}");
        }
    }

    #[test]
    fn numbers_and_booleans_may_be_sent_as_strings_and_are_stored_as_their_type() {
        let sent = settings(r#"{"capture_max_bytes":"100","safe_tool_names":"0","x":"1"}"#).unwrap();
        let merged = sent.merge(None, &mut Secrets::default()).unwrap();
        assert_eq!(merged.as_str(), r#"{"capture_max_bytes":100,"safe_tool_names":false,"x":"1"}"#);
    }

    #[test]
    fn invalid_values_of_known_keys_are_refused_and_other_keys_accepted() {
        for bad in [
            r#"{"description":1}"#,
            r#"{"safe_tool_names":"yes"}"#,
            r#"{"allowed_origins":"https://a.example"}"#,
            r#"{"allowed_origins":["a.example"]}"#,
            r#"{"allowed_origins":["https://a.example/path"]}"#,
            r#"{"discovery":"some"}"#,
            r#"{"list_budget":1}"#,
            r#"{"client_profiles":{"cursor":"none"}}"#,
            r#"{"adapt_schemas":"perhaps"}"#,
            r#"{"trace_upstream":"always"}"#,
            r#"{"capture":"some"}"#,
            r#"{"capture_max_bytes":65537}"#,
        ] {
            assert!(settings(bad).is_err(), "{bad}");
        }
        assert!(settings(r#"{"anything":{"goes":1},"allowed_origins":["https://a.example:8443"]}"#).is_ok());
    }
}
