//! Values in the styles of OpenAPI, for rules of the mapping that name a style.
//!
//! Delimiters between values are part of the style and stay as they are; the values are encoded by `encode`. Nulls are
//! left out. OpenAPI does not define lists and objects inside of other values, except for `deepObject`: they are
//! written as JSON.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::value::RawValue;
use toolgate_domain::parameters::{ParameterStyle, Serialization};

use super::values;

/// Appends a text in the encoding of its destination.
pub(super) type Encode = fn(&mut String, &str);

/// The outermost structure of a value.
enum Parts<'a> {
    Scalar(Cow<'a, str>),
    List(Vec<Cow<'a, str>>),
    Object(Vec<(String, Cow<'a, str>)>),
}

impl<'a> Parts<'a> {
    /// `None` if there is nothing to write: null, an empty list, an empty object.
    fn parse(value: &'a str) -> Option<Self> {
        let text = |value: &'a str| values::scalar_text(value).unwrap_or(Cow::Borrowed(value));
        if let Some(items) = values::items(value) {
            let items: Vec<_> = items.into_iter().map(RawValue::get).filter(|item| *item != "null").map(text).collect();
            return (!items.is_empty()).then_some(Self::List(items));
        }
        if let Some(members) = members(value) {
            let members: Vec<_> = members.into_iter().map(|(name, value)| (name, text(value.get()))).collect();
            return (!members.is_empty()).then_some(Self::Object(members));
        }
        values::scalar_text(value).map(Self::Scalar)
    }
}

/// The members of an object that are not null.
fn members(value: &str) -> Option<IndexMap<String, &RawValue>> {
    let mut members: IndexMap<String, &RawValue> =
        value.starts_with('{').then(|| serde_json::from_str(value).ok())??;
    members.retain(|_, value| value.get() != "null");
    Some(members)
}

/// The text of a value in the path or in a header; `None` if there is nothing to write.
pub(super) fn text(serialization: Serialization, name: &str, value: &str, encode: Encode) -> Option<String> {
    let Serialization { style, explode, .. } = serialization;
    if style == ParameterStyle::Json {
        return Some(encoded(&values::canonical_json(value), encode));
    }
    let parts = Parts::parse(value)?;
    let mut out = String::new();
    match style {
        ParameterStyle::Label => {
            let separator = if explode { "." } else { "," };
            out.push('.');
            write_joined(&mut out, &parts, separator, explode, encode);
        }
        ParameterStyle::Matrix => write_matrix(&mut out, name, &parts, explode, encode),
        _ => write_joined(&mut out, &parts, ",", explode, encode),
    }
    Some(out)
}

/// Calls `add` with each `name=value` pair of a value in the query, in a form or in cookies. Values are encoded, names
/// are not.
pub(super) fn for_each_pair(
    serialization: Serialization,
    name: &str,
    value: &str,
    encode: Encode,
    mut add: impl FnMut(&str, &str),
) {
    let Serialization { style, explode, .. } = serialization;
    let delimiter = match style {
        ParameterStyle::Json => return add(name, &encoded(&values::canonical_json(value), encode)),
        ParameterStyle::DeepObject => return add_deep(name, value, encode, &mut add),
        ParameterStyle::SpaceDelimited => encoded(" ", encode),
        ParameterStyle::PipeDelimited => encoded("|", encode),
        ParameterStyle::TabDelimited => encoded("\t", encode),
        _ => ",".to_owned(),
    };
    let Some(parts) = Parts::parse(value) else { return };
    match parts {
        Parts::List(items) if explode => items.iter().for_each(|item| add(name, &encoded(item, encode))),
        Parts::Object(members) if explode => {
            for (member, value) in &members {
                add(member, &encoded(value, encode));
            }
        }
        parts => {
            let mut out = String::new();
            write_joined(&mut out, &parts, &delimiter, false, encode);
            add(name, &out);
        }
    }
}

/// `p[k]=1`, with further brackets for each level.
fn add_deep(name: &str, value: &str, encode: Encode, add: &mut impl FnMut(&str, &str)) {
    if let Some(members) = members(value) {
        for (member, value) in members {
            add_deep(&format!("{name}[{member}]"), value.get(), encode, add);
        }
    } else if let Some(items) = values::items(value) {
        for (index, item) in items.into_iter().map(RawValue::get).filter(|item| *item != "null").enumerate() {
            add_deep(&format!("{name}[{index}]"), item, encode, add);
        }
    } else if let Some(text) = values::scalar_text(value) {
        add(name, &encoded(&text, encode));
    }
}

/// The values with a separator between them. The name of a member is followed by `=` if the value is exploded, else by
/// the separator.
fn write_joined(out: &mut String, parts: &Parts<'_>, separator: &str, explode: bool, encode: Encode) {
    match parts {
        Parts::Scalar(text) => encode(out, text),
        Parts::List(items) => {
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { separator } else { "" });
                encode(out, item);
            }
        }
        Parts::Object(members) => {
            for (index, (name, value)) in members.iter().enumerate() {
                out.push_str(if index > 0 { separator } else { "" });
                encode(out, name);
                out.push_str(if explode { "=" } else { separator });
                encode(out, value);
            }
        }
    }
}

/// `;p=a`; an empty text is `;p`.
fn write_matrix(out: &mut String, name: &str, parts: &Parts<'_>, explode: bool, encode: Encode) {
    let mut write = |name: &str, value: &str| {
        out.push(';');
        encode(out, name);
        if !value.is_empty() {
            out.extend(["=", value]);
        }
    };
    match parts {
        Parts::List(items) if explode => items.iter().for_each(|item| write(name, &encoded(item, encode))),
        Parts::Object(members) if explode => {
            for (member, value) in members {
                write(member, &encoded(value, encode));
            }
        }
        parts => {
            let mut value = String::new();
            write_joined(&mut value, parts, ",", false, encode);
            write(name, &value);
        }
    }
}

fn encoded(text: &str, encode: Encode) -> String {
    let mut out = String::with_capacity(text.len());
    encode(&mut out, text);
    out
}

#[cfg(test)]
mod tests;
