//! How the response of a tool is shortened before a model reads it: the keys of `shaping` and their rules. The crate
//! `toolgate-shaping` applies them.

mod field_path;
mod name_pattern;

use std::ops::RangeInclusive;

use serde_json::value::RawValue;

use crate::closed_set::{ClosedSet, closed_set};
use crate::closest::closest_name;
use crate::fault::{Fault, FaultKind, Faults};
use crate::json::{self, JsonObject, is_null};

pub use field_path::{FieldPath, OmitRule};
pub use name_pattern::NamePattern;

/// The shaping that the console and the import of API documents give to new tools.
pub const NEW_TOOL_SHAPING: &str = r#"{"max_tokens":8000,"drop_empty":true,"html":"markdown","blobs":"link"}"#;

/// Allowed budgets, in tokens.
pub const BUDGET_RANGE: RangeInclusive<i64> = 200..=100_000;
/// How long a whole response may be stored for reading on, in minutes.
pub const OVERFLOW_MINUTES_RANGE: RangeInclusive<i64> = 0..=1440;
/// Maximum number of entries of `fields`, and of `omit`.
pub const PATHS_MAX: usize = 200;
/// Maximum length of an entry of `fields` or `omit`, in characters.
pub const PATH_CHARS_MAX: usize = 200;

const DEFAULT_OVERFLOW_MINUTES: u32 = 15;
/// Longest unknown key that a message repeats, in characters.
const KEY_SHOWN_MAX: usize = 64;

closed_set! {
    /// What becomes of an HTML response.
    pub enum HtmlShaping {
        /// It stays as it is.
        Keep = "keep",
        /// Its title, headings, lists, tables and links as Markdown.
        Markdown = "markdown",
        /// Its text, without marks.
        Text = "text",
    }
}

closed_set! {
    /// What becomes of binary content in strings: base64 and `data:` URLs.
    pub enum BlobShaping {
        /// It stays as it is.
        Keep = "keep",
        /// A description takes its place, and a link leads to the content.
        Link = "link",
        /// A description takes its place.
        Describe = "describe",
    }
}

/// The rules by which responses of a tool are shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct Shaping {
    /// The only members that are kept; all if empty.
    pub fields: Vec<FieldPath>,
    /// Members that are dropped.
    pub omit: Vec<OmitRule>,
    /// Whether members without content are dropped: null, `""`, `[]` and `{}`.
    pub drop_empty: bool,
    /// Whether arrays of similar objects are written as CSV.
    pub tables: bool,
    /// What becomes of HTML.
    pub html: HtmlShaping,
    /// What becomes of binary content in strings.
    pub blobs: BlobShaping,
    /// Maximum tokens of one result; no limit if `None`.
    pub max_tokens: Option<usize>,
    /// How long the whole response is stored for reading on, in minutes; 0 means not at all.
    pub overflow_minutes: u32,
    /// Whether JSON is written without white space.
    pub wrap: bool,
    /// Whether responses stay as they are.
    off: bool,
}

impl Default for Shaping {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            omit: Vec::new(),
            drop_empty: false,
            tables: false,
            html: HtmlShaping::Keep,
            blobs: BlobShaping::Keep,
            max_tokens: None,
            overflow_minutes: DEFAULT_OVERFLOW_MINUTES,
            wrap: true,
            off: false,
        }
    }
}

impl Shaping {
    /// All keys.
    pub const KEYS: &[&str] =
        &["fields", "omit", "drop_empty", "tables", "html", "blobs", "max_tokens", "overflow_minutes", "wrap"];

    /// Validates the keys. A key that is null has its default; an object without keys switches shaping off.
    pub fn parse(object: &JsonObject) -> Result<Self, Faults> {
        let members = object.members();
        let mut shaping = Self { off: members.is_empty(), ..Self::default() };
        let mut faults = Faults::default();
        for (key, value) in &members {
            let parsed = if is_null(value) { check_key(key) } else { shaping.set(key, value) };
            if let Err(other_faults) = parsed {
                faults.extend(other_faults);
            }
        }
        faults.into_result(shaping)
    }

    /// Leaves responses as they are.
    pub fn off() -> Self {
        Self { off: true, ..Self::default() }
    }

    /// Whether responses stay as they are.
    pub fn is_off(&self) -> bool {
        self.off
    }

    fn set(&mut self, key: &str, value: &RawValue) -> Result<(), Faults> {
        match key {
            "fields" => self.fields = paths(key, value, FieldPath::parse)?,
            "omit" => self.omit = paths(key, value, OmitRule::parse)?,
            "drop_empty" => self.drop_empty = boolean(key, value)?,
            "tables" => self.tables = boolean(key, value)?,
            "html" => self.html = choice(key, value)?,
            "blobs" => self.blobs = choice(key, value)?,
            "max_tokens" => self.max_tokens = Some(number(key, value, BUDGET_RANGE)?),
            "overflow_minutes" => self.overflow_minutes = number(key, value, OVERFLOW_MINUTES_RANGE)?,
            "wrap" => self.wrap = boolean(key, value)?,
            _ => check_key(key)?,
        }
        Ok(())
    }
}

fn check_key(key: &str) -> Result<(), Faults> {
    if Shaping::KEYS.contains(&key) {
        return Ok(());
    }
    let shown: String = key.chars().filter(|c| !c.is_control()).take(KEY_SHOWN_MAX).collect();
    let message = match closest_name(key, Shaping::KEYS.iter().copied()) {
        Some(meant) => format!("{shown} is not a key of shaping; did you mean {meant}?"),
        None => format!("{shown} is not a key of shaping. The keys are {}.", Shaping::KEYS.join(", ")),
    };
    Err(Fault::new(shown, FaultKind::UnknownField, message).into())
}

fn paths<T>(key: &str, value: &RawValue, parse: impl Fn(&str, &str) -> Result<T, Fault>) -> Result<Vec<T>, Faults> {
    let items: Vec<Box<RawValue>> =
        serde_json::from_str(value.get()).map_err(|_| Fault::invalid_type(key, "array of strings"))?;
    if items.len() > PATHS_MAX {
        return Err(Fault::too_many(key, PATHS_MAX, "paths").into());
    }
    let (mut parsed, mut faults) = (Vec::with_capacity(items.len()), Faults::default());
    for (index, item) in items.iter().enumerate() {
        let path = format!("{key}[{index}]");
        let text = json::as_string(item).ok_or_else(|| Fault::invalid_type(&path, "string"));
        parsed.extend(faults.ok_or_record(text.and_then(|text| parse(&path, &text))));
    }
    faults.into_result(parsed)
}

fn boolean(key: &str, value: &RawValue) -> Result<bool, Fault> {
    serde_json::from_str(value.get()).map_err(|_| Fault::invalid_type(key, "boolean"))
}

fn choice<T: ClosedSet>(key: &str, value: &RawValue) -> Result<T, Fault> {
    json::as_string(value).and_then(|name| T::parse(&name)).ok_or_else(|| Fault::not_in(key, T::NAMES))
}

fn number<T: TryFrom<i64>>(key: &str, value: &RawValue, range: RangeInclusive<i64>) -> Result<T, Fault> {
    let is_integer = value.get().trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if !is_integer {
        return Err(Fault::invalid_type(key, "integer"));
    }
    let number = value.get().parse().ok().filter(|number| range.contains(number));
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| Fault::out_of_bounds(key, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Shaping, Faults> {
        Shaping::parse(&JsonObject::from_raw(json::check(text.as_bytes()).unwrap()).unwrap())
    }

    #[test]
    fn an_object_without_keys_is_off_and_others_are_on() {
        assert!(parse("{}").unwrap().is_off());
        for on in [r#"{"wrap":true}"#, r#"{"max_tokens":null}"#, NEW_TOOL_SHAPING] {
            assert!(!parse(on).unwrap().is_off(), "{on}");
        }
        assert_eq!(parse(r#"{"max_tokens":null,"fields":null}"#), Ok(Shaping::default()));
    }

    #[test]
    fn every_key_is_read() {
        let shaping = parse(
            r#"{"fields":["a.b"],"omit":["*_url"],"drop_empty":true,"tables":true,"html":"text","blobs":"describe",
                "max_tokens":200,"overflow_minutes":1440,"wrap":false}"#,
        );
        let expected = Shaping {
            fields: vec![FieldPath::parse("fields", "a.b").unwrap()],
            omit: vec![OmitRule::parse("omit", "*_url").unwrap()],
            drop_empty: true,
            tables: true,
            html: HtmlShaping::Text,
            blobs: BlobShaping::Describe,
            max_tokens: Some(200),
            overflow_minutes: 1440,
            wrap: false,
            off: false,
        };
        assert_eq!(shaping, Ok(expected));
        let new_tool = parse(NEW_TOOL_SHAPING).unwrap();
        assert_eq!((new_tool.max_tokens, new_tool.drop_empty), (Some(8000), true));
        assert_eq!((new_tool.html, new_tool.blobs), (HtmlShaping::Markdown, BlobShaping::Link));
    }

    #[test]
    fn wrong_values_are_faults_of_their_key() {
        let many: Vec<String> = (0..=PATHS_MAX).map(|number| format!("a{number}")).collect();
        let many = serde_json::json!({ "fields": many }).to_string();
        let long = serde_json::json!({ "omit": ["a", "ü".repeat(PATH_CHARS_MAX + 1)] }).to_string();
        for (text, field, kind) in [
            (r#"{"max_tokens":199}"#, "max_tokens", FaultKind::OutOfBounds),
            (r#"{"max_tokens":100001}"#, "max_tokens", FaultKind::OutOfBounds),
            (r#"{"max_tokens":99999999999999999999}"#, "max_tokens", FaultKind::OutOfBounds),
            (r#"{"max_tokens":-5}"#, "max_tokens", FaultKind::OutOfBounds),
            (r#"{"max_tokens":"500"}"#, "max_tokens", FaultKind::InvalidType),
            (r#"{"max_tokens":500.5}"#, "max_tokens", FaultKind::InvalidType),
            (r#"{"overflow_minutes":1441}"#, "overflow_minutes", FaultKind::OutOfBounds),
            (r#"{"overflow_minutes":true}"#, "overflow_minutes", FaultKind::InvalidType),
            (r#"{"drop_empty":1}"#, "drop_empty", FaultKind::InvalidType),
            (r#"{"tables":"true"}"#, "tables", FaultKind::InvalidType),
            (r#"{"html":"Markdown"}"#, "html", FaultKind::NotInEnum),
            (r#"{"blobs":true}"#, "blobs", FaultKind::NotInEnum),
            (r#"{"fields":"a"}"#, "fields", FaultKind::InvalidType),
            (r#"{"fields":["a",1]}"#, "fields[1]", FaultKind::InvalidType),
            (r#"{"fields":["a",""]}"#, "fields[1]", FaultKind::TooShort),
            (r#"{"omit":["a..b"]}"#, "omit[0]", FaultKind::InvalidPattern),
            (&many, "fields", FaultKind::TooManyItems),
            (&long, "omit[1]", FaultKind::TooLong),
        ] {
            let faults = parse(text).unwrap_err();
            let fault = faults.iter().next().unwrap();
            assert_eq!((fault.field.as_str(), fault.kind), (field, kind), "{text}");
            assert!(fault.message.starts_with(field), "{}", fault.message);
        }
    }

    #[test]
    fn an_unknown_key_names_the_closest_one() {
        for (key, message) in [
            ("max_token", "max_token is not a key of shaping; did you mean max_tokens?"),
            ("dropEmpty", "dropEmpty is not a key of shaping; did you mean drop_empty?"),
            (
                "colour",
                "colour is not a key of shaping. The keys are fields, omit, drop_empty, tables, html, blobs, max_tokens, overflow_minutes, wrap.",
            ),
        ] {
            for value in ["1", "null"] {
                let faults = parse(&format!(r#"{{"{key}":{value}}}"#)).unwrap_err();
                let fault = faults.iter().next().unwrap();
                assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::UnknownField, message));
            }
        }
        let faults = parse(r#"{"max_token":1,"html":2}"#).unwrap_err().inside("shaping");
        let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["shaping[max_token]", "shaping[html]"]);
    }
}
