//! `settings.oauth` of a server: who issues its tokens, and who may use it.

use std::ops::RangeInclusive;

use serde_json::value::RawValue;

use crate::closed_set::closed_set;
use crate::fault::{Fault, Faults};
use crate::json::{self, JsonObject, is_null};
use crate::lenient;
use crate::user::Role;

/// The key in the settings of a server.
pub const OAUTH: &str = "oauth";
/// Allowed lifetime of an access token, in seconds. Ended grants must be remembered for at least the maximum.
pub const ACCESS_TOKEN_TTL: RangeInclusive<i64> = 300..=86_400;

const BUILT_IN: &str = "builtin";
const DEFAULT_ACCESS_TOKEN_TTL: i64 = 3600;
/// Longest text, in characters.
const TEXT_MAX: usize = 2048;
/// Most items of a list.
const ITEMS_MAX: usize = 100;

closed_set! {
    /// Which people may use a server with tokens of the built-in issuer.
    pub enum OAuthAccess {
        /// The owner and administrators.
        Owner = "owner",
        /// Also the members of the server.
        Members = "members",
        /// Everyone with an account.
        Users = "users",
    }
}

/// Who issues the tokens of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OAuthIssuer {
    /// This service.
    BuiltIn,
    /// The issuer with this URL, exactly as configured.
    External(String),
}

/// A condition on the claims of a token of an external issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRule {
    /// The claim.
    pub claim: String,
    /// The claim must be one of these values, or a list that contains one of them.
    pub any_of: Vec<String>,
}

/// The settings, with defaults for absent keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OAuthSettings {
    /// Who issues the tokens.
    pub issuer: OAuthIssuer,
    /// Who may use the server with tokens of the built-in issuer.
    pub access: OAuthAccess,
    /// Life of an access token, in seconds.
    pub access_token_ttl: i64,
    /// Whether keys are accepted as well.
    pub accepts_keys: bool,
    /// Accepted audiences of external tokens; empty for the URL of the endpoint alone.
    pub audience: Vec<String>,
    /// The claim that identifies a person.
    pub subject_claim: String,
    /// The claim that is shown as the name of a person.
    pub name_claim: Option<String>,
    /// Conditions that must all hold.
    pub allow: Vec<ClaimRule>,
    /// The issuer's scope for reading; `None` if none is needed.
    pub scope_read: Option<String>,
    /// The issuer's scope for writing; `None` if none is needed.
    pub scope_write: Option<String>,
    /// Whether the issuer is contacted when the server is saved.
    pub verifies_issuer: bool,
}

impl Default for OAuthSettings {
    fn default() -> Self {
        Self {
            issuer: OAuthIssuer::BuiltIn,
            access: OAuthAccess::Owner,
            access_token_ttl: DEFAULT_ACCESS_TOKEN_TTL,
            accepts_keys: true,
            audience: Vec::new(),
            subject_claim: "sub".to_owned(),
            name_claim: None,
            allow: Vec::new(),
            scope_read: None,
            scope_write: None,
            verifies_issuer: true,
        }
    }
}

impl OAuthSettings {
    /// Parses the object `settings.oauth`. Faults name its keys. A key that is `null` has its default value.
    pub fn parse(object: &JsonObject) -> Result<Self, Faults> {
        let mut settings = Self::default();
        let mut faults = Faults::default();
        for (key, value) in object.members().iter().filter(|(_, value)| !is_null(value)) {
            faults.ok_or_record(settings.set(key, value));
        }
        faults.into_result(settings)
    }

    /// Reads a server's settings. They were validated when they were saved; the defaults replace settings that this
    /// version cannot read.
    pub fn from_settings(settings: Option<&JsonObject>) -> Self {
        let object = settings.and_then(|settings| JsonObject::from_raw(settings.members().get(OAUTH)?));
        object.and_then(|object| Self::parse(&object).ok()).unwrap_or_default()
    }

    /// Whether a person may use the server with tokens of the built-in issuer. Callers also check that the person is
    /// not disabled.
    pub fn admits(&self, role: Role, is_owner: bool, is_member: bool) -> bool {
        let is_allowed = match self.access {
            OAuthAccess::Owner => false,
            OAuthAccess::Members => is_member,
            OAuthAccess::Users => true,
        };
        self.issuer == OAuthIssuer::BuiltIn && (is_allowed || is_owner || role == Role::Admin)
    }

    fn set(&mut self, key: &str, value: &RawValue) -> Result<(), Faults> {
        match key {
            "issuer" => self.issuer = parse_issuer(&text(key, value)?)?,
            "access" => {
                let access = OAuthAccess::parse(&text(key, value)?);
                self.access = access.ok_or_else(|| Fault::not_in(key, OAuthAccess::NAMES))?;
            }
            "access_token_ttl" => {
                let seconds = lenient::parse_whole_number(&unquoted(value));
                let seconds = seconds.ok_or_else(|| Fault::invalid_type(key, "integer"))?;
                let seconds = i64::try_from(seconds).ok().filter(|seconds| ACCESS_TOKEN_TTL.contains(seconds));
                self.access_token_ttl = seconds.ok_or_else(|| Fault::out_of_bounds(key, ACCESS_TOKEN_TTL))?;
            }
            "keys" => self.accepts_keys = boolean(key, value)?,
            "audience" => self.audience = texts(key, value)?,
            "subject_claim" => self.subject_claim = text(key, value)?,
            "name_claim" => self.name_claim = Some(text(key, value)?),
            "allow" => self.allow = parse_rules(key, value)?,
            "scope_read" => self.scope_read = Some(scope(key, value)?),
            "scope_write" => self.scope_write = Some(scope(key, value)?),
            "verify" => self.verifies_issuer = boolean(key, value)?,
            _ => return Err(Fault::invalid_value(key, format!("{key} is not a key of settings.oauth.")).into()),
        }
        Ok(())
    }
}

/// `builtin`, or an absolute https URL without query and fragment (http only for loopback), kept as written.
fn parse_issuer(text: &str) -> Result<OAuthIssuer, Fault> {
    if text == BUILT_IN {
        return Ok(OAuthIssuer::BuiltIn);
    }
    let fault = || {
        let message = "issuer must be \"builtin\" or the https URL of an issuer, without query and fragment.";
        Fault::invalid_value("issuer", message)
    };
    let url = url::Url::parse(text).map_err(|_| fault())?;
    let is_loopback = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let is_allowed = url.scheme() == "https" || (url.scheme() == "http" && is_loopback);
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    // The parser accepts and converts other characters. `|` separates issuer and subject in the name of a caller.
    let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'|');
    if is_allowed && is_plain && url.password().is_none() && is_visible {
        Ok(OAuthIssuer::External(text.to_owned()))
    } else {
        Err(fault())
    }
}

fn parse_rules(key: &str, value: &RawValue) -> Result<Vec<ClaimRule>, Faults> {
    let items: Vec<Box<RawValue>> =
        serde_json::from_str(value.get()).map_err(|_| Fault::invalid_type(key, "array of objects"))?;
    if items.len() > ITEMS_MAX {
        return Err(Fault::too_many(key, ITEMS_MAX, "rules").into());
    }
    let mut faults = Faults::default();
    let rules = items.iter().enumerate().filter_map(|(index, item)| {
        faults.ok_or_record(parse_rule(item).map_err(|faults| faults.inside(&format!("{key}[{index}]"))))
    });
    let rules = rules.collect();
    faults.into_result(rules)
}

fn parse_rule(value: &RawValue) -> Result<ClaimRule, Faults> {
    let object = JsonObject::from_raw(value).ok_or_else(|| Fault::invalid_type("rule", "object"))?;
    let members = object.members();
    let member = |name: &str| members.get(name).ok_or_else(|| Fault::empty(name));
    let rule = ClaimRule { claim: text("claim", member("claim")?)?, any_of: texts("any_of", member("any_of")?)? };
    match members.keys().find(|name| !["claim", "any_of"].contains(&name.as_str())) {
        Some(name) => Err(Fault::invalid_value(name, format!("{name} is not a key of a rule.")).into()),
        None if rule.any_of.is_empty() => Err(Fault::empty("any_of").into()),
        None => Ok(rule),
    }
}

fn text(key: &str, value: &RawValue) -> Result<String, Fault> {
    let text = json::as_string(value).ok_or_else(|| Fault::invalid_type(key, "string"))?;
    match text.chars().count() {
        0 => Err(Fault::empty(key)),
        1..=TEXT_MAX => Ok(text),
        _ => Err(Fault::too_long(key, TEXT_MAX, "characters")),
    }
}

/// One scope (RFC 6749, section 3.3). It is sent in the header `WWW-Authenticate`.
fn scope(key: &str, value: &RawValue) -> Result<String, Fault> {
    let is_scope = |text: &String| text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'));
    let fault = || {
        let message =
            format!("{key} must be one scope: visible ASCII characters without spaces, quotes and backslashes.");
        Fault::invalid_value(key, message)
    };
    Some(text(key, value)?).filter(is_scope).ok_or_else(fault)
}

/// A list of texts; a single text is read as a list of one.
fn texts(key: &str, value: &RawValue) -> Result<Vec<String>, Fault> {
    if json::as_string(value).is_some() {
        return Ok(vec![text(key, value)?]);
    }
    let items: Vec<Box<RawValue>> =
        serde_json::from_str(value.get()).map_err(|_| Fault::invalid_type(key, "array of strings"))?;
    if items.len() > ITEMS_MAX {
        return Err(Fault::too_many(key, ITEMS_MAX, "values"));
    }
    items.iter().map(|item| text(key, item)).collect()
}

fn boolean(key: &str, value: &RawValue) -> Result<bool, Fault> {
    lenient::boolean(&unquoted(value)).ok_or_else(|| Fault::invalid_type(key, "boolean"))
}

fn unquoted(value: &RawValue) -> String {
    json::as_string(value).unwrap_or_else(|| value.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<OAuthSettings, Vec<String>> {
        let object = JsonObject::from_raw(&json::raw(json.to_owned())).unwrap();
        OAuthSettings::parse(&object).map_err(|faults| faults.iter().map(|fault| fault.field.clone()).collect())
    }

    #[test]
    fn absent_keys_and_null_have_defaults() {
        assert_eq!(parse("{}"), Ok(OAuthSettings::default()));
        assert_eq!(parse(r#"{"issuer":null,"access":null,"allow":null}"#), Ok(OAuthSettings::default()));
    }

    #[test]
    fn all_keys_are_read() {
        let json = r#"{"issuer":"https://login.example/","access":"members","access_token_ttl":"300","keys":"false",
            "audience":"a","subject_claim":"oid","name_claim":"name","scope_read":"r","scope_write":"w","verify":false,
            "allow":[{"claim":"groups","any_of":["x","y"]}]}"#;
        let expected = OAuthSettings {
            issuer: OAuthIssuer::External("https://login.example/".to_owned()),
            access: OAuthAccess::Members,
            access_token_ttl: 300,
            accepts_keys: false,
            audience: vec!["a".to_owned()],
            subject_claim: "oid".to_owned(),
            name_claim: Some("name".to_owned()),
            allow: vec![ClaimRule { claim: "groups".to_owned(), any_of: vec!["x".to_owned(), "y".to_owned()] }],
            scope_read: Some("r".to_owned()),
            scope_write: Some("w".to_owned()),
            verifies_issuer: false,
        };
        assert_eq!(parse(json), Ok(expected));
    }

    #[test]
    fn every_fault_names_its_key() {
        for (json, field) in [
            (r#"{"issuer":"http://login.example"}"#, "issuer"),
            (r#"{"issuer":"https://login.example/?x"}"#, "issuer"),
            (r#"{"issuer":"https://user@login.example/"}"#, "issuer"),
            (r#"{"issuer":"https://login.example/a\u0000"}"#, "issuer"),
            (r#"{"issuer":"https://login.example/a|b"}"#, "issuer"),
            (r#"{"issuer":5}"#, "issuer"),
            (r#"{"access":"all"}"#, "access"),
            (r#"{"access_token_ttl":299}"#, "access_token_ttl"),
            (r#"{"keys":"maybe"}"#, "keys"),
            (r#"{"audience":[1]}"#, "audience"),
            (r#"{"subject_claim":""}"#, "subject_claim"),
            (r#"{"scope_read":"a b"}"#, "scope_read"),
            (r#"{"scope_write":"a\"b"}"#, "scope_write"),
            (r#"{"acess":"owner"}"#, "acess"),
            (r#"{"allow":{}}"#, "allow"),
        ] {
            assert_eq!(parse(json), Err(vec![field.to_owned()]), "{json}");
        }
        assert!(parse(r#"{"allow":[{"claim":"groups","any_of":[]}]}"#).is_err());
        assert!(parse(r#"{"issuer":"http://127.0.0.1:9000"}"#).is_ok());
    }
}
