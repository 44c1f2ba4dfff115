//! Decides which values of a request may appear in the schema of a tool, because models and their users can read it.

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;
use toolgate_domain::headers;
use toolgate_domain::json;
use toolgate_domain::text;

use crate::placeholder::has_placeholder;
use crate::spelling;
use crate::tables::{DEFAULT_ALWAYS, HARMLESS_NAMES};

/// Maximum length of a default, in bytes.
const DEFAULT_MAX: usize = 100;
/// Maximum length of a constant, in bytes.
const CONSTANT_MAX: usize = 4096;
/// Minimum length of a run of letters and digits that looks like a token, in bytes.
const OPAQUE_RUN_MIN: usize = 16;
/// Parts of a name that mark its value as private, in addition to those of secret headers.
const PRIVATE_PARTS: [&str; 13] = [
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "session",
    "creditcard",
    "cardnumber",
    "cvv",
    "cvc",
    "iban",
    "signature",
    "csrf",
    "xsrf",
];
/// Whole words of a name that mark its value as private: `pin` is private, `shipping` is not.
const PRIVATE_WORDS: [&str; 11] = ["auth", "otp", "pin", "ssn", "card", "pass", "sid", "sig", "jwt", "bearer", "hmac"];
/// Whole names of parameters whose values may be one-time credentials: `code`, but not `country_code`.
const ONE_TIME_NAMES: [&str; 2] = ["code", "ticket"];
/// Schemes before a token in the value of a header.
const TOKEN_SCHEMES: [&str; 3] = ["bearer", "basic", "token"];
/// Prefixes of the tokens of known services. Such a token may be too short to look like one.
const TOKEN_PREFIXES: [&str; 15] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "eyJ",
];
/// Headers that are never secret, although their values may look like tokens, such as the boundary of a body.
const PUBLIC_HEADERS: [&str; 3] = ["content-type", "accept", "user-agent"];

/// Whether a value may be a default: a short scalar that is not a secret, an email address or a placeholder.
pub(crate) fn may_be_default(name: &str, value: &RawValue) -> bool {
    let text = value.get();
    let is_scalar = !text.starts_with(['{', '[']) && !json::is_null(value) && text != "\"\"";
    let length = json::as_string(value).map_or(text.len(), |string| string.len());
    is_scalar && length <= DEFAULT_MAX && is_harmless(name, value)
}

/// The value as an example for a description; `None` if it is empty, long, secret or a placeholder.
pub(crate) fn displayed_example(name: &str, value: &RawValue) -> Option<String> {
    let text = json::as_string(value).unwrap_or_else(|| json::compact(value.get()));
    let is_empty = matches!(text.as_str(), "" | "null" | "[]" | "{}");
    (!is_empty && text.len() <= DEFAULT_MAX && is_harmless(name, value)).then_some(text)
}

/// Whether a value may be a constant. Null may not, because a mapping without a value is not sent.
pub(crate) fn may_be_constant(name: &str, value: &RawValue) -> bool {
    !json::is_null(value) && value.get().len() <= CONSTANT_MAX && is_harmless(name, value)
}

/// Whether a value with this name is secret or private.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let words = spelling::words(name);
    let joined = words.concat();
    let is_secret = headers::is_secret(name)
        || headers::is_secret(&joined)
        || PRIVATE_PARTS.iter().any(|part| joined.contains(part))
        || words.iter().any(|word| PRIVATE_WORDS.contains(&word.as_str()));
    is_secret && !HARMLESS_NAMES.contains(&words.join("_")) && !DEFAULT_ALWAYS.contains(&words.join("_"))
}

/// Whether a header of a request is secret, by its name or its value.
pub(crate) fn is_secret_header(name: &str, value: &str) -> bool {
    let is_public = PUBLIC_HEADERS.iter().any(|public| name.eq_ignore_ascii_case(public));
    !is_public && (headers::is_secret(name) || is_secret_parameter(name, value))
}

/// Whether a header or query parameter of a request is secret, by its name or because its value looks like a token.
pub(crate) fn is_secret_parameter(name: &str, value: &str) -> bool {
    is_secret_name(name) || is_one_time_name(name) || is_token(value)
}

fn is_one_time_name(name: &str) -> bool {
    ONE_TIME_NAMES.contains(&spelling::to_snake_case(name).as_str())
}

/// Whether a text is a token: it has the form of a known token, or is opaque.
fn is_token(text: &str) -> bool {
    let (scheme, rest) = text.trim().split_once(' ').unwrap_or(("", text.trim()));
    let has_scheme = !rest.is_empty() && TOKEN_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    has_scheme || TOKEN_PREFIXES.iter().any(|prefix| rest.starts_with(prefix)) || is_opaque(text)
}

/// Whether a header identifies one call. A fixed value would make every later call repeat the first.
pub(crate) fn is_idempotency_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("idempotency-key") || name == "paypal-request-id"
}

/// Whether a text contains a long run of both letters and digits, which looks like a token.
pub(crate) fn is_opaque(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|run| {
        run.len() >= OPAQUE_RUN_MIN
            && run.bytes().any(|b| b.is_ascii_digit())
            && run.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

/// Whether neither the value nor a part of it looks secret or private.
fn is_harmless(name: &str, value: &RawValue) -> bool {
    if is_secret_name(name) || is_one_time_name(name) {
        return false;
    }
    match value.get().as_bytes().first() {
        Some(b'{') => serde_json::from_str::<IndexMap<String, &RawValue>>(value.get())
            .is_ok_and(|members| members.iter().all(|(name, value)| is_displayable(name) && is_harmless(name, value))),
        Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(value.get())
            .is_ok_and(|items| items.into_iter().all(|item| is_harmless("", item))),
        Some(b'"') => json::as_string(value).is_some_and(|text| is_harmless_text(&text)),
        _ => true,
    }
}

fn is_harmless_text(text: &str) -> bool {
    !text.contains(['$', '\r', '\n'])
        && !has_placeholder(text)
        && !has_email(text)
        && !is_opaque(text)
        && is_displayable(text)
}

/// Whether a text contains an email address.
pub(crate) fn has_email(text: &str) -> bool {
    let is_email = |word: &str| word.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
    text.split_whitespace().any(is_email)
}

/// Whether a schema may contain a text.
fn is_displayable(text: &str) -> bool {
    text::document("", &Value::from(text)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        json::raw(text.to_owned())
    }

    #[test]
    fn harmless_scalars_are_defaults() {
        for value in ["1", "true", "\"asc\"", "\"2026-01-02\"", "\"a@b\"", "\"a < b\"", "\"chatgpt-4o-2024\""] {
            assert!(may_be_default("sort", &raw(value)), "{value}");
        }
        let (fits, too_long) = ("ä".repeat(50), "ä".repeat(51));
        assert!(may_be_default("q", &json::raw_string(&fits)));
        assert!(!may_be_default("q", &json::raw_string(&too_long)));
    }

    #[test]
    fn objects_arrays_placeholders_and_private_values_are_not_defaults() {
        for value in [
            "null",
            "[]",
            "{}",
            "\"\"",
            "\"a\\nb\"",
            "\"$HOME\"",
            "\"<name>\"",
            "\"{{name}}\"",
            "\"YOUR_NAME\"",
            "\"your-name\"",
            "\"joe@example.com\"",
            "\"Joe <joe@example.com\"",
            "\"sk-abcdefgh12345678ijkl\"",
            "\"a\u{202E}b\"",
        ] {
            assert!(!may_be_default("sort", &raw(value)), "{value}");
        }
    }

    #[test]
    fn secret_values_are_recognised_by_their_names() {
        for name in [
            "password",
            "newPassword",
            "pwd",
            "user_pass",
            "auth",
            "sessionId",
            "otp",
            "pin",
            "ssn",
            "card_number",
            "cardNumber",
            "cardnumber",
            "cvv",
            "api_key",
            "apiKey",
            "access-token",
            "pass_word",
            "client_secret",
        ] {
            assert!(is_secret_name(name), "{name}");
            assert!(!may_be_default(name, &raw("1")), "{name}");
        }
        for name in
            ["author", "shipping", "spin", "compass", "discard", "sort", "limit", "signal", "maxTokens", "page_token"]
        {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn secret_headers_and_parameters_are_recognised_by_name_and_value() {
        for name in [
            "X-Session-Id",
            "X-Session",
            "X-Auth",
            "X-JWT",
            "X-Bearer",
            "X-CSRF",
            "X-Xsrf",
            "Sid",
            "X-Passphrase",
            "X-OTP",
            "X-Signature",
            "X-Shopify-Hmac-Sha256",
            "Cookie",
            "Page-Token",
        ] {
            assert!(is_secret_header(name, "1"), "{name}");
        }
        for name in ["code", "Code", "ticket", "hmac", "sig", "session_id"] {
            assert!(is_secret_parameter(name, "1"), "{name}");
        }
        for value in
            ["ghp_abc", "Bearer eyJhbGciOi", "bearer x", "Basic dTpw", "eyJhbGci.eyJzdWIi.x", "0123456789abcdefgh"]
        {
            assert!(is_secret_header("X-Any", value), "{value}");
        }
        for (name, value) in [
            ("Content-Type", "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW"),
            ("X-Requested-With", "XMLHttpRequest"),
            ("X-Tenant", "acme"),
            ("X-Country-Code", "de"),
            ("X-Label", "Bearer"),
            ("X-Author", "ann"),
        ] {
            assert!(!is_secret_header(name, value), "{name}: {value}");
        }
    }

    #[test]
    fn examples_are_short_texts_or_compact_json() {
        let example = |name: &str, value: &str| displayed_example(name, &raw(value));
        assert_eq!(example("a", r#"{"b": [1, "x"]}"#).as_deref(), Some(r#"{"b":[1,"x"]}"#));
        assert_eq!(example("a", r#""x y""#).as_deref(), Some("x y"));
        for value in ["null", "\"\"", "[]", "{ }", "\"<a>\"", r#"{"password":"x"}"#] {
            assert_eq!(example("a", value), None, "{value}");
        }
        assert_eq!(example("token", "1"), None);
        assert_eq!(displayed_example("a", &json::raw_string(&"x ".repeat(51))), None);
    }

    #[test]
    fn constants_are_checked_recursively() {
        assert!(may_be_constant("a", &raw(r#"{"b":[1,"x",null]}"#)));
        for value in
            ["null", r#"{"password":"x"}"#, r#"[{"b":{"token":1}}]"#, r#"["a@b.example"]"#, "{\"a\u{202E}\":1}"]
        {
            assert!(!may_be_constant("a", &raw(value)), "{value}");
        }
        assert!(may_be_constant("a", &json::raw_string(&"x ".repeat(2000))));
        assert!(!may_be_constant("a", &json::raw_string(&"x ".repeat(3000))));
    }
}
