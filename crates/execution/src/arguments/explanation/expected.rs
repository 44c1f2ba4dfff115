//! What a schema accepts, in a few words: `an integer from 1 to 50`, `"new", "solved" or "closed"`.

use serde_json::Value;
use toolgate_domain::closest::by_distance;
use toolgate_domain::example_call::{declares_secret, format_sample};

use super::detail::Detail;
use super::pattern;
use super::schema_view::SchemaView;
use super::shown;

/// How deep a phrase describes lists and alternatives.
const DEPTH_MAX: usize = 2;
/// How many alternatives, or members of an object, a phrase lists.
const PARTS_MAX: usize = 6;
/// The longest list of all values; from longer ones the closest are chosen.
const VALUES_MAX: usize = 12;
/// How many values of a long list are shown.
const CLOSEST_VALUES: usize = 5;
/// The longest part of a description.
const DESCRIPTION_CHARS_MAX: usize = 60;
/// The longest pattern that is shown.
const PATTERN_CHARS_MAX: usize = 48;

/// What a schema accepts. Of many accepted values, those closest to the `sent` one are shown.
pub(super) fn phrase<'a>(view: &SchemaView<'a>, schema: &'a Value, sent: Option<&Value>, detail: Detail) -> String {
    write_phrase(&PhraseWriter { view, sent, detail }, schema, 0)
}

struct PhraseWriter<'v, 'a> {
    view: &'v SchemaView<'a>,
    sent: Option<&'v Value>,
    detail: Detail,
}

fn write_phrase<'a>(writer: &PhraseWriter<'_, 'a>, schema: &'a Value, depth: usize) -> String {
    let schema = writer.view.resolve(schema);
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return values(options, writer.sent, writer.detail);
    }
    if let Some(value) = schema.get("const") {
        return shown::value(value);
    }
    let variants = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array());
    match (types(schema).as_slice(), variants) {
        ([], Some(variants)) if depth < DEPTH_MAX => {
            let is_null = |variant: &&Value| types(variant) == ["null"];
            let variants = variants.iter().filter(|variant| !is_null(variant)).take(PARTS_MAX);
            let phrases: Vec<String> = variants.map(|variant| write_phrase(writer, variant, depth + 1)).collect();
            if phrases.is_empty() { "a value".to_owned() } else { shown::alternatives(&dedup(phrases)) }
        }
        ([], _) if schema.get("properties").is_some() => object(schema),
        ([], _) if schema.get("items").is_some() => writer.list(schema, depth),
        ([], _) if schema.get("pattern").is_some() => text(schema, writer.view),
        ([], _) => "a value".to_owned(),
        (names, _) => {
            let names = names.iter().filter(|name| **name != "null" || names.len() == 1);
            let phrases = names.map(|name| match *name {
                "integer" => number("an integer", schema),
                "number" => number("a number", schema),
                "boolean" => "true or false".to_owned(),
                "string" => text(schema, writer.view),
                "array" => writer.list(schema, depth),
                "object" => object(schema),
                other => other.to_owned(),
            });
            shown::alternatives(&dedup(phrases.collect()))
        }
    }
}

impl<'a> PhraseWriter<'_, 'a> {
    fn list(&self, schema: &'a Value, depth: usize) -> String {
        let items = schema.get("items").filter(|items| items.is_object() && depth < DEPTH_MAX);
        let Some(items) = items.map(|items| self.view.resolve(items)) else { return "a list".to_owned() };
        let noun = match types(items).as_slice() {
            ["object"] => format!("objects {}", members(items)),
            ["string"] if items.get("enum").is_none() => "texts".to_owned(),
            ["integer"] => "integers".to_owned(),
            ["number"] => "numbers".to_owned(),
            _ => write_phrase(self, items, depth + 1),
        };
        format!("a list of {noun}")
    }
}

fn object(schema: &Value) -> String {
    format!("an object {}", members(schema)).trim_end().to_owned()
}

/// `{project, minutes}`: the members of an object, required ones first.
fn members(schema: &Value) -> String {
    let required: Vec<&str> = names(schema.get("required"));
    let declared = schema.get("properties").and_then(Value::as_object);
    let optional =
        declared.into_iter().flatten().map(|(name, _)| name.as_str()).filter(|name| !required.contains(name));
    let all: Vec<String> = required.iter().copied().chain(optional).take(PARTS_MAX + 1).map(shown::name).collect();
    match all.as_slice() {
        [] => String::new(),
        all if all.len() > PARTS_MAX => format!("{{{}…}}", all.get(..PARTS_MAX).unwrap_or_default().join(", ")),
        all => format!("{{{}}}", all.join(", ")),
    }
}

fn names(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).take(PARTS_MAX + 1).collect()
}

/// The types that a schema declares.
pub(super) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).take(7).collect(),
        _ => Vec::new(),
    }
}

/// The accepted values: all of them, or those closest to the sent one.
pub(super) fn values(options: &[Value], sent: Option<&Value>, detail: Detail) -> String {
    if options.len() <= VALUES_MAX.min(detail.values_max) {
        return shown::alternatives(&options.iter().map(shown::value).collect::<Vec<_>>());
    }
    let shown_count = CLOSEST_VALUES.min(detail.values_max);
    let texts: Vec<&str> = options.iter().filter_map(Value::as_str).take(1000).collect();
    let chosen: Vec<String> = match sent.and_then(Value::as_str) {
        Some(sent) if texts.len() > shown_count => {
            by_distance(sent, &texts).into_iter().take(shown_count).map(shown::quoted).collect()
        }
        _ => options.iter().take(shown_count).map(shown::value).collect(),
    };
    format!("{}, … {} more", chosen.join(", "), options.len() - chosen.len())
}

/// `from 1 to 50`, `of at least 1`; `None` without a limit.
pub(super) fn range(schema: &Value) -> Option<String> {
    let limit = |inclusive: &str, exclusive: &str| match (schema.get(inclusive), schema.get(exclusive)) {
        (_, Some(limit @ Value::Number(_))) => Some((limit.clone(), true)),
        (Some(limit @ Value::Number(_)), flag) => Some((limit.clone(), flag == Some(&Value::Bool(true)))),
        _ => None,
    };
    let range = match (limit("minimum", "exclusiveMinimum"), limit("maximum", "exclusiveMaximum")) {
        (None, None) => None,
        (Some((min, false)), Some((max, false))) => Some(format!("from {min} to {max}")),
        (Some((min, false)), None) => Some(format!("of at least {min}")),
        (None, Some((max, false))) => Some(format!("of at most {max}")),
        (Some((min, true)), None) => Some(format!("above {min}")),
        (None, Some((max, true))) => Some(format!("below {max}")),
        (Some((min, _)), Some((max, _))) => Some(format!("between {min} and {max}")),
    };
    let multiple = schema.get("multipleOf").filter(|factor| factor.is_number());
    match (range, multiple) {
        (range, None) => range,
        (None, Some(factor)) => Some(format!("that is a multiple of {factor}")),
        (Some(range), Some(factor)) => Some(format!("{range}, a multiple of {factor}")),
    }
}

fn number(noun: &str, schema: &Value) -> String {
    range(schema).map_or_else(|| noun.to_owned(), |range| format!("{noun} {range}"))
}

/// `of 1 to 20 characters`; `None` without a limit.
pub(super) fn length(schema: &Value, min: &str, max: &str, unit: &str) -> Option<String> {
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let plural = |count: u64| if count == 1 { unit.to_owned() } else { format!("{unit}s") };
    match (limit(min), limit(max)) {
        (Some(min), Some(max)) if min == max => Some(format!("of {min} {}", plural(min))),
        (Some(min), Some(max)) => Some(format!("of {min} to {max} {}", plural(max))),
        (Some(min), None) => Some(format!("of at least {min} {}", plural(min))),
        (None, Some(max)) => Some(format!("of at most {max} {}", plural(max))),
        (None, None) => None,
    }
}

fn text<'a>(schema: &'a Value, view: &SchemaView<'a>) -> String {
    let form = schema.get("format").and_then(Value::as_str).and_then(format_phrase);
    if let Some((phrase, sample)) = form {
        return format!("{phrase} such as {sample}");
    }
    let sample = sample_text(view, schema).map(|sample| format!(" like {sample}")).unwrap_or_default();
    let pattern = shown_pattern(schema).map(|pattern| format!(" ({pattern})")).unwrap_or_default();
    let length = length(schema, "minLength", "maxLength", "character").map(|length| format!(" {length}"));
    format!("text{}{sample}{pattern}", length.unwrap_or_default())
}

/// The pattern of a schema, if it is short.
pub(super) fn shown_pattern(schema: &Value) -> Option<&str> {
    schema.get("pattern").and_then(Value::as_str).filter(|pattern| pattern.chars().nth(PATTERN_CHARS_MAX).is_none())
}

/// A phrase for a format, and a sample value.
pub(super) fn format_phrase(format: &str) -> Option<(&'static str, &'static str)> {
    let phrase = match format {
        "date" => "a date",
        "date-time" => "a date and time",
        "time" => "a time",
        "duration" => "a duration",
        "email" | "idn-email" => "an e-mail address",
        "uri" | "url" | "iri" => "a URL",
        "uuid" => "a UUID",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "hostname" | "idn-hostname" => "a host name",
        _ => return None,
    };
    Some((phrase, format_sample(format)?))
}

/// A text that the schema accepts, from its examples, default, description, or pattern; without quotes.
pub(super) fn sample_text<'a>(view: &SchemaView<'a>, schema: &'a Value) -> Option<String> {
    let schema = view.resolve(schema);
    if declares_secret(schema) {
        return None;
    }
    let given = schema.get("examples").and_then(|examples| examples.get(0));
    let given = given.or_else(|| schema.get("example")).or_else(|| schema.get("default"));
    let scalar = given.and_then(|value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(_) => Some(value.to_string()),
        _ => None,
    });
    let form = || schema.get("format").and_then(Value::as_str).and_then(format_sample).map(str::to_owned);
    let sample = scalar.or_else(|| pattern::sample(schema)).or_else(form)?;
    Some(shown::truncate(&sample, 40))
}

/// The first sentence of a description, shortened.
pub(super) fn description(schema: &Value) -> Option<String> {
    let text = schema.get("description").and_then(Value::as_str)?;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence).trim_end_matches('.');
    Some(shown::truncate(sentence, DESCRIPTION_CHARS_MAX)).filter(|text| !text.is_empty())
}

fn dedup(mut phrases: Vec<String>) -> Vec<String> {
    let mut seen = Vec::new();
    phrases.retain(|phrase| {
        !seen.contains(phrase) && {
            seen.push(phrase.clone());
            true
        }
    });
    phrases
}
