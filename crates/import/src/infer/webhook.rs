//! Webhooks of any host. A request that writes without credentials is authorised by its URL alone, so the last segment
//! of `/hooks/3pz8m6q1tbf9` is the credential.

use toolgate_domain::headers::is_secret;

use super::payload::Payload;
use super::url_key::KeyedPath;
use crate::request::ImportedRequest;
use crate::request::path::UrlPath;
use crate::spelling::{singular_snake_case, to_snake_case};

/// Segments and first labels of hosts that mark a webhook.
const WEBHOOK_WORDS: [&str; 4] = ["hook", "hooks", "webhook", "webhooks"];
/// Members of the body of a chat message.
const MESSAGE_MEMBERS: [&str; 2] = ["text", "content"];
/// Minimum length of a token, in bytes. Shorter texts are names.
const TOKEN_MIN: usize = 7;
/// Maximum number of words of the path in a name.
const NOUNS_MAX: usize = 3;

/// Replaces the token of a webhook by its placeholder; `None` if the request does not call a webhook. The request must
/// not have other credentials.
pub(super) fn take_from_path(request: &ImportedRequest, payload: &Payload, path: &mut UrlPath) -> Option<KeyedPath> {
    let has_no_secret_header = !request.headers.keys().any(|name| is_secret(name));
    let token = path.segments.iter().rposition(|segment| !segment.is_empty())?;
    let (before, _) = path.segments.split_at_checked(token)?;
    let first_label = path.host().split('.').next().unwrap_or_default();
    let is_webhook = before.iter().map(String::as_str).chain([first_label]).any(|word| WEBHOOK_WORDS.contains(&word));
    if request.method != "POST" || !has_no_secret_header || !is_webhook || !is_token(path.segments.get(token)?) {
        return None;
    }
    let is_message = MESSAGE_MEMBERS.iter().any(|name| payload.json.contains_key(*name));
    let domain_label = path.domain_label();
    let tool_name = if is_message && !domain_label.is_empty() {
        format!("send_{domain_label}_message")
    } else {
        format!("trigger_{}", nouns(before, &domain_label))
    };
    KeyedPath::take(path, token, tool_name)
}

/// Whether a segment is not a word, a number or a placeholder.
fn is_token(segment: &str) -> bool {
    let has = |is_kind: fn(&u8) -> bool| segment.bytes().any(|b| is_kind(&b));
    segment.len() >= TOKEN_MIN
        && segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
}

/// The words of the segments before the token, or of the host.
fn nouns(segments: &[String], domain_label: &str) -> String {
    let is_word = |segment: &&String| segment.bytes().all(|b| b.is_ascii_alphabetic() || b"_-".contains(&b));
    let nouns: Vec<String> = segments
        .iter()
        .filter(is_word)
        .map(|segment| singular_snake_case(&to_snake_case(segment)))
        .filter(|noun| !noun.is_empty() && noun != "api")
        .collect();
    let last = nouns.get(nouns.len().saturating_sub(NOUNS_MAX)..).unwrap_or_default().join("_");
    if last.is_empty() { format!("{domain_label}_hook").trim_start_matches('_').to_owned() } else { last }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_distinguished_from_words_numbers_and_placeholders() {
        for token in ["3pz8m6q1tbf9", "abcde12", "6f9619ff-8b86-d011-b42d-00cf4fc964ff"] {
            assert!(is_token(token), "{token}");
        }
        for word in ["", "deploy", "12345678", "build-site", "{token1}", "$TOKEN_1", "ab1"] {
            assert!(!is_token(word), "{word}");
        }
    }
}
