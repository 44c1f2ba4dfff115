//! How clients of a server discover its tools: the keys of the server's settings.

use serde_json::value::RawValue;

use crate::client_profile::ClientProfile;
use crate::client_type;
use crate::closed_set::closed_set;
use crate::fault::{Fault, Faults};
use crate::json::{self, JsonObject, Members};
use crate::lenient;

/// The key that selects how clients discover tools.
pub const DISCOVERY: &str = "discovery";
/// The key for the list budget: mode `auto` shows a list whole if it has at most this many tokens.
pub const LIST_BUDGET: &str = "list_budget";
/// The key with the profiles of client types, where they differ from the built-in ones.
pub const CLIENT_PROFILES: &str = "client_profiles";
/// The key that switches the adaptation of lists to clients.
pub const ADAPT_SCHEMAS: &str = "adapt_schemas";

/// The budget if the settings contain none.
pub const DEFAULT_LIST_BUDGET: u32 = 10_000;
const LIST_BUDGET_MIN: u32 = 100;
const LIST_BUDGET_MAX: u32 = 10_000_000;
const PROFILES_MAX: usize = 100;

closed_set! {
    /// How clients discover tools.
    pub enum DiscoveryMode {
        /// The list has all tools.
        All = "all",
        /// The list has pinned tools, and tools that search the others.
        Search = "search",
        /// `search` where the whole list is too long for the client, else `all`.
        Auto = "auto",
    }
}

/// How clients of a server discover its tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscoveryRule {
    /// Which tools a list contains.
    pub mode: DiscoveryMode,
    /// Mode `auto` shows a list whole if it has at most this many tokens.
    pub list_budget: u32,
    /// Whether lists are adapted to what a client accepts.
    pub adapts_schemas: bool,
    /// The profiles of client types that differ from the built-in ones.
    profiles: Vec<(String, ClientProfile)>,
}

impl DiscoveryRule {
    /// Reads a server's settings. Invalid values are ignored.
    pub fn from_settings(settings: &Members) -> Self {
        let mode = settings.get(DISCOVERY).and_then(|value| DiscoveryMode::parse(&json::as_string(value)?));
        let budget = settings.get(LIST_BUDGET).and_then(|value| read_list_budget(value));
        let profiles = settings.get(CLIENT_PROFILES).and_then(|value| JsonObject::from_raw(value));
        let profiles = profiles.map(|object| object.members()).unwrap_or_default();
        let profile = |value: &RawValue| ClientProfile::parse(&json::as_string(value)?);
        Self {
            mode: mode.unwrap_or(DiscoveryMode::All),
            list_budget: budget.unwrap_or(DEFAULT_LIST_BUDGET),
            adapts_schemas: settings.get(ADAPT_SCHEMAS).is_none_or(|value| value.get() != "false"),
            profiles: profiles.iter().filter_map(|(kind, value)| Some((kind.clone(), profile(value)?))).collect(),
        }
    }

    /// The profile of a client type; `None` for clients that inspect servers, whose lists are not adapted.
    pub fn profile(&self, client_type: &str) -> Option<ClientProfile> {
        let own = self.profiles.iter().find(|(kind, _)| kind == client_type).map(|(_, profile)| *profile);
        let built_in = || (!is_inspector(client_type)).then(|| ClientProfile::from_client_type(client_type));
        own.or_else(built_in)
    }
}

/// Whether a client inspects servers instead of passing their tools to a model, so that it must see them as they are:
/// the MCP Inspector and the official conformance suite.
fn is_inspector(client_type: &str) -> bool {
    client_type == "mcp-inspector" || client_type.starts_with("conformance-")
}

/// Checks the `discovery` value of a request.
pub(crate) fn check_mode(path: &str, value: &RawValue) -> Result<(), Fault> {
    let mode = json::as_string(value).and_then(|name| DiscoveryMode::parse(&name));
    mode.map(drop).ok_or_else(|| Fault::not_in(path, DiscoveryMode::NAMES))
}

/// Parses the `list_budget` value of a request.
pub(crate) fn parse_list_budget(path: &str, value: &RawValue) -> Result<Box<RawValue>, Fault> {
    let text = json::as_string(value).unwrap_or_else(|| value.get().to_owned());
    let tokens = lenient::parse_whole_number(text.trim()).ok_or_else(|| Fault::invalid_type(path, "integer"))?;
    let range = i64::from(LIST_BUDGET_MIN)..=i64::from(LIST_BUDGET_MAX);
    let tokens = Some(json::raw(tokens.to_string())).filter(|tokens| read_list_budget(tokens).is_some());
    tokens.ok_or_else(|| Fault::out_of_bounds(path, range))
}

/// Checks the `client_profiles` value of a request: client types, such as `claude-code`, and the names of profiles.
pub(crate) fn check_profiles(path: &str, value: &RawValue) -> Result<(), Faults> {
    let object = JsonObject::from_raw(value).ok_or_else(|| Fault::invalid_type(path, "object"))?;
    let members = object.members();
    if members.len() > PROFILES_MAX {
        return Err(Fault::too_many(path, PROFILES_MAX, "client types").into());
    }
    let mut faults = Faults::default();
    for (client_type, profile) in &members {
        let path = format!("{path}[{client_type}]");
        if client_type::client_type(client_type) != *client_type {
            let form = client_type::client_type(client_type);
            faults.push(Fault::invalid_value(&path, format!("{path} is not a client type; write {form}.")));
        } else if json::as_string(profile).and_then(|name| ClientProfile::parse(&name)).is_none() {
            faults.push(Fault::not_in(&path, ClientProfile::NAMES));
        }
    }
    faults.into_result(())
}

/// The budget in a stored or sent value, if it is valid.
fn read_list_budget(value: &RawValue) -> Option<u32> {
    serde_json::from_str(value.get()).ok().filter(|tokens| (LIST_BUDGET_MIN..=LIST_BUDGET_MAX).contains(tokens))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(settings: &str) -> DiscoveryRule {
        DiscoveryRule::from_settings(&JsonObject::from_stored(settings.to_owned()).members())
    }

    #[test]
    fn lists_are_whole_and_adapted_by_default() {
        let default = rule("{}");
        assert_eq!(default.mode, DiscoveryMode::All);
        assert_eq!(default.list_budget, 10_000);
        assert!(default.adapts_schemas);
        assert_eq!(default.profile("claude-code"), Some(ClientProfile::Claude));
        assert_eq!(default.profile("mcp-inspector"), None);
        assert_eq!(default.profile("conformance-test-client"), None);
        assert_eq!(rule(r#"{"discovery":7,"list_budget":"x","client_profiles":[],"adapt_schemas":null}"#), default);
    }

    #[test]
    fn settings_replace_the_profile_of_a_client_type() {
        let rule = rule(
            r#"{"discovery":"auto","client_profiles":{"my-agent":"gemini","cursor":"bad"},"adapt_schemas":false}"#,
        );
        assert_eq!(rule.mode, DiscoveryMode::Auto);
        assert_eq!(rule.profile("my-agent"), Some(ClientProfile::Gemini));
        assert_eq!(rule.profile("cursor"), Some(ClientProfile::Cursor));
        assert!(!rule.adapts_schemas);
    }

    #[test]
    fn invalid_values_are_refused() {
        let raw = |text: &str| json::raw(text.to_owned());
        for bad in ["99", "10000001", "1.5", "true"] {
            assert!(parse_list_budget("p", &raw(bad)).is_err(), "{bad}");
        }
        assert_eq!(parse_list_budget("p", &raw("\"2000\"")).unwrap().get(), "2000");
        for bad in ["[]", r#"{"cursor":"none"}"#, r#"{"Claude Code":"claude"}"#, r#"{"cursor":7}"#] {
            assert!(check_profiles("p", &raw(bad)).is_err(), "{bad}");
        }
        assert!(check_profiles("p", &raw(r#"{"claude-code":"common","my-agent":"copilot"}"#)).is_ok());
        assert!(check_mode("p", &raw("\"some\"")).is_err() && check_mode("p", &raw("\"auto\"")).is_ok());
    }
}
