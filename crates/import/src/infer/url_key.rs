//! API keys in the URL of a request. They become credentials of the tool, which are stored encrypted.

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use toolgate_domain::upstream_auth::{Credentials, KeyLocation};

use crate::request::credentials;
use crate::request::path::UrlPath;
use crate::spelling;

/// The placeholder of a webhook's token.
const WEBHOOK_TOKEN: &str = "webhook_token";

/// A key in the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImportedKey {
    name: String,
    value: String,
    /// The query, or the path: there the key replaces the placeholder with its name.
    location: KeyLocation,
}

/// A path with a key, and the tool that calls it.
pub(super) struct KeyedPath {
    pub(super) key: ImportedKey,
    pub(super) tool_name: String,
}

/// The form of the URLs of a known service that contain a key in the path.
struct KeyedPathForm {
    /// The host; `*` at the start stands for any text.
    host: &'static str,
    /// The first segments. `*` stands for any segment.
    path: &'static str,
    /// The name of the tool. `*` stands for the first segment that `*` matches in `path`.
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

/// Why a key cannot become a credential and stays in the URL.
#[derive(Clone, Copy, Debug)]
pub(super) enum UrlKeyFault {
    /// The tool has other credentials, or as many keys as it can have.
    TooMany,
    /// Its parameter occurs several times.
    Repeated,
    /// Its value has characters that a key cannot have.
    InvalidValue,
}

impl ImportedKey {
    /// A key in the query; `None` if it is not valid in a tool.
    pub(super) fn in_query(name: &str, value: &str) -> Option<Self> {
        Self::new(name, value, KeyLocation::Query)
    }

    /// The key of credentials for the query.
    pub(super) fn from_credentials(key: &Credentials) -> Option<Self> {
        let key: Value = serde_json::from_str(&key.expose()).ok()?;
        Self::in_query(key["key_name"].as_str()?, key["key_value"].as_str()?)
    }

    fn new(name: &str, value: &str, location: KeyLocation) -> Option<Self> {
        credentials::key_credentials(name, value, location)?;
        Some(Self { name: name.to_owned(), value: value.to_owned(), location })
    }

    /// The placeholder that the key fills.
    pub(super) fn placeholder(&self) -> Option<&str> {
        (self.location == KeyLocation::Path).then_some(self.name.as_str())
    }

    fn to_json(&self) -> Value {
        json!({"key_name": self.name, "key_value": self.value, "key_location": self.location})
    }
}

/// The `auth_credentials` of these keys.
pub(super) fn to_json(keys: &[ImportedKey]) -> Value {
    match keys {
        [key] => key.to_json(),
        keys => json!({"keys": keys.iter().map(ImportedKey::to_json).collect::<Vec<_>>()}),
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
        let key = ImportedKey::new(WEBHOOK_TOKEN, segment, KeyLocation::Path)?;
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
                    key = ImportedKey::new(name.trim_end_matches('}'), &value, KeyLocation::Path);
                    expected.clone_into(segment);
                }
                None if expected == "*" => any = any.or_else(|| Some(spelling::to_snake_case(segment))),
                None if expected == segment => {}
                None => return None,
            }
        }
        let key = key?;
        path.segments = segments;
        Some(KeyedPath { key, tool_name: self.tool_name.replace('*', any.as_deref().unwrap_or_default()) })
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
            "https://hooks.slack.com/services/T/B/%00",
        ] {
            let mut path = UrlPath::parse(url);
            assert!(take_from_path(&mut path).is_none(), "{url}");
            assert_eq!(path.base(), url);
        }
    }

    #[test]
    fn several_keys_are_a_list() {
        let key = ImportedKey::in_query("a", "1").unwrap();
        assert_eq!(
            to_json(std::slice::from_ref(&key)),
            json!({"key_name": "a", "key_value": "1", "key_location": "query"})
        );
        assert_eq!(to_json(&[key.clone(), key.clone()]), json!({"keys": [key.to_json(), key.to_json()]}));
        assert_eq!(ImportedKey::in_query("a", "\0"), None);
    }
}
