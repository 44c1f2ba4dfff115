//! Keys in the URL of a request. A tool has them as credentials, sealed like any other.
//!
//! Only this module knows how `auth_credentials` represents a key in the path and several keys.

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use toolgate_domain::closed_set;
use toolgate_domain::upstream_auth::Credentials;

use crate::request::credentials;
use crate::request::path::UrlPath;
use crate::spelling;

/// Maximum number of keys of a tool.
pub(super) const KEYS_MAX: usize = 8;

/// The placeholder of a webhook's token.
const WEBHOOK_TOKEN: &str = "webhook_token";

/// A key in the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UrlKey {
    name: String,
    value: String,
    location: UrlKeyLocation,
}

closed_set! {
    /// The part of the URL that a key is in.
    enum UrlKeyLocation {
        /// The placeholder of the key's name is filled with the key.
        Path = "path",
        Query = "query",
    }
}

/// A path with a key, and the tool that calls it.
pub(super) struct KeyedPath {
    pub(super) key: UrlKey,
    pub(super) tool_name: String,
}

/// A path that contains a key.
struct KeyedPathForm {
    /// The host; after `*` its end.
    host: &'static str,
    /// The first segments. `*` stands for any segment.
    path: &'static str,
    /// The name of the tool. `*` stands for the first such segment.
    tool_name: &'static str,
}

const KEYED_PATHS: [KeyedPathForm; 8] = [
    KeyedPathForm { host: "api.telegram.org", path: "bot{bot_token}/*", tool_name: "*" },
    KeyedPathForm { host: "api.telegram.org", path: "file/bot{bot_token}/*", tool_name: "get_file" },
    KeyedPathForm { host: "hooks.slack.com", path: "services/*/*/{webhook_token}", tool_name: "send_slack_message" },
    KeyedPathForm { host: "discord.com", path: "api/webhooks/*/{webhook_token}", tool_name: "send_discord_message" },
    KeyedPathForm { host: "discordapp.com", path: "api/webhooks/*/{webhook_token}", tool_name: "send_discord_message" },
    KeyedPathForm {
        host: "*.webhook.office.com",
        path: "webhookb2/*/IncomingWebhook/{webhook_token}/*",
        tool_name: "send_office_message",
    },
    KeyedPathForm { host: "api.netlify.com", path: "build_hooks/{webhook_token}", tool_name: "trigger_build_hook" },
    KeyedPathForm { host: "maker.ifttt.com", path: "trigger/*/with/key/{webhook_token}", tool_name: "trigger_*" },
];

impl UrlKey {
    /// A key in the query; `None` if it is not valid in a tool.
    pub(super) fn in_query(name: &str, value: &str) -> Option<Self> {
        Self::new(name, value, UrlKeyLocation::Query)
    }

    /// The key of credentials for the query.
    pub(super) fn from_credentials(key: &Credentials) -> Option<Self> {
        let key: Value = serde_json::from_str(&key.expose()).ok()?;
        Self::in_query(key["key_name"].as_str()?, key["key_value"].as_str()?)
    }

    fn new(name: &str, value: &str, location: UrlKeyLocation) -> Option<Self> {
        credentials::query_key_credentials(name, value)?;
        Some(Self { name: name.to_owned(), value: value.to_owned(), location })
    }

    fn to_json(&self) -> Value {
        json!({"key_name": self.name, "key_value": self.value, "key_location": self.location})
    }
}

/// The `auth_credentials` of these keys.
pub(super) fn to_json(keys: &[UrlKey]) -> Value {
    match keys {
        [key] => key.to_json(),
        keys => json!({"keys": keys.iter().map(UrlKey::to_json).collect::<Vec<_>>()}),
    }
}

/// Replaces the key in a path by its placeholder.
pub(super) fn take_from_path(path: &mut UrlPath) -> Option<KeyedPath> {
    let host = path.host().to_ascii_lowercase();
    KEYED_PATHS.iter().filter(|form| form.has_host(&host)).find_map(|form| form.take(path))
}

impl KeyedPath {
    /// Replaces a segment, which is the token of a webhook, by its placeholder.
    pub(super) fn take(path: &mut UrlPath, index: usize, tool_name: String) -> Option<Self> {
        let segment = path.segments.get_mut(index)?;
        let key = UrlKey::new(WEBHOOK_TOKEN, segment, UrlKeyLocation::Path)?;
        *segment = format!("{{{WEBHOOK_TOKEN}}}");
        Some(Self { key, tool_name })
    }
}

impl KeyedPathForm {
    fn has_host(&self, host: &str) -> bool {
        self.host.strip_prefix('*').map_or(host == self.host, |end| host.ends_with(end))
    }

    fn take(&self, path: &mut UrlPath) -> Option<KeyedPath> {
        let (mut key, mut any) = (None, None);
        let mut segments = path.segments.clone();
        for (index, expected) in self.path.split('/').enumerate() {
            let segment = segments.get_mut(index).filter(|segment| !segment.is_empty())?;
            match expected.split_once('{') {
                Some((before, name)) => {
                    let value = percent_decode_str(segment.strip_prefix(before)?).decode_utf8().ok()?;
                    key = UrlKey::new(name.trim_end_matches('}'), &value, UrlKeyLocation::Path);
                    expected.clone_into(segment);
                }
                None if expected == "*" => any = any.or_else(|| Some(spelling::to_snake_case(segment))),
                None if expected == segment => {}
                None => return None,
            }
        }
        path.segments = segments;
        Some(KeyedPath { key: key?, tool_name: self.tool_name.replace('*', any.as_deref().unwrap_or_default()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_known_webhooks_and_bots_are_taken_from_the_path() {
        for (url, base, name) in [
            (
                "https://api.telegram.org/bot1:a/sendMessage",
                "https://api.telegram.org/bot{bot_token}/sendMessage",
                "send_message",
            ),
            (
                "https://hooks.slack.com/services/T/B/1:a",
                "https://hooks.slack.com/services/T/B/{webhook_token}",
                "send_slack_message",
            ),
            (
                "https://x.webhook.office.com/webhookb2/a/IncomingWebhook/1:a/b",
                "https://x.webhook.office.com/webhookb2/a/IncomingWebhook/{webhook_token}/b",
                "send_office_message",
            ),
            (
                "https://maker.ifttt.com/trigger/doorOpened/with/key/1%3Aa",
                "https://maker.ifttt.com/trigger/doorOpened/with/key/{webhook_token}",
                "trigger_door_opened",
            ),
        ] {
            let mut path = UrlPath::parse(url);
            let keyed = take_from_path(&mut path).unwrap();
            assert_eq!((path.base().as_str(), keyed.tool_name.as_str()), (base, name));
            assert_eq!(keyed.key.value, "1:a");
        }
        for url in [
            "https://a.example/bot1:a/sendMessage",
            "https://hooks.slack.com/services/T/B",
            "https://hooks.slack.com/services/T/B/",
        ] {
            assert!(take_from_path(&mut UrlPath::parse(url)).is_none(), "{url}");
        }
    }

    #[test]
    fn several_keys_are_a_list() {
        let key = UrlKey::in_query("a", "1").unwrap();
        assert_eq!(
            to_json(std::slice::from_ref(&key)),
            json!({"key_name": "a", "key_value": "1", "key_location": "query"})
        );
        assert_eq!(to_json(&[key.clone(), key.clone()]), json!({"keys": [key.to_json(), key.to_json()]}));
        assert_eq!(UrlKey::in_query("a", "\0"), None);
    }
}
