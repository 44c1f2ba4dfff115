//! Expansion as in RFC 6570, section 3.2.1. The differences between the eight operators are data, from the table in
//! appendix A, so that one algorithm serves all of them.

use super::encode::{UnencodedSet, normalize, prefix, push_encoded};
use super::parse::{Expression, Modifier, Operator, TemplatePart, VariableSpec};
use super::variables::{VariableValue, Variables};

/// The formatting rules of an operator.
struct OperatorStyle {
    /// The text before the first variable.
    first: &'static str,
    separator: &'static str,
    /// Whether the name of the variable precedes its value.
    is_named: bool,
    /// The text after a name with an empty value.
    if_empty: &'static str,
    unencoded: UnencodedSet,
}

impl Operator {
    fn style(self) -> OperatorStyle {
        let unnamed =
            |first, separator, unencoded| OperatorStyle { first, separator, is_named: false, if_empty: "", unencoded };
        let named = |first, separator, if_empty| OperatorStyle {
            first,
            separator,
            is_named: true,
            if_empty,
            unencoded: UnencodedSet::Unreserved,
        };
        match self {
            Self::Simple => unnamed("", ",", UnencodedSet::Unreserved),
            Self::Reserved => unnamed("", ",", UnencodedSet::Reserved),
            Self::Fragment => unnamed("#", ",", UnencodedSet::Reserved),
            Self::Label => unnamed(".", ".", UnencodedSet::Unreserved),
            Self::Path => unnamed("/", "/", UnencodedSet::Unreserved),
            Self::Matrix => named(";", ";", ""),
            Self::Query => named("?", "&", "="),
            Self::QueryContinuation => named("&", "&", "="),
        }
    }
}

/// Expands the parts of a template.
pub(super) fn expand(parts: &[TemplatePart], variables: &Variables) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            TemplatePart::Literal(text) => out.push_str(&normalize(text)),
            TemplatePart::Expression(expression) => push_expression(&mut out, expression, variables),
        }
    }
    out
}

fn push_expression(out: &mut String, expression: &Expression, variables: &Variables) {
    let style = expression.operator.style();
    let mut delimiter = style.first;
    for spec in &expression.variables {
        let Some(value) = variables.get(&spec.name) else { continue };
        let is_composite = !matches!(value, VariableValue::Text(_));
        if is_composite && matches!(spec.modifier, Some(Modifier::Prefix(_))) {
            // Section 2.4.1: a prefix does not apply to composite values, so such a variable is omitted.
            continue;
        }
        out.push_str(delimiter);
        push_variable(out, &style, spec, value);
        delimiter = style.separator;
    }
}

fn push_variable(out: &mut String, style: &OperatorStyle, spec: &VariableSpec, value: &VariableValue) {
    if spec.modifier == Some(Modifier::Explode) && !matches!(value, VariableValue::Text(_)) {
        return push_exploded(out, style, &spec.name, value);
    }
    let text = value_text(style, spec.modifier, value);
    if style.is_named {
        push_name(out, style, &spec.name, text.is_empty());
    }
    out.push_str(&text);
}

/// Writes every member separately: `a=1&a=2` or `x=1&y=2`.
fn push_exploded(out: &mut String, style: &OperatorStyle, name: &str, value: &VariableValue) {
    let members: Vec<(Option<&str>, &str)> = match value {
        VariableValue::Text(text) => vec![(None, text)],
        VariableValue::List(items) => items.iter().map(|item| (None, item.as_str())).collect(),
        VariableValue::Map(entries) => entries.iter().map(|(key, text)| (Some(key.as_str()), text.as_str())).collect(),
    };
    for (index, (key, text)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push_str(style.separator);
        }
        match key {
            Some(key) => {
                push_encoded(out, key, style.unencoded);
                let is_bare = style.is_named && text.is_empty();
                out.push_str(if is_bare { style.if_empty } else { "=" });
            }
            None if style.is_named => push_name(out, style, name, text.is_empty()),
            None => {}
        }
        push_encoded(out, text, style.unencoded);
    }
}

fn push_name(out: &mut String, style: &OperatorStyle, name: &str, is_empty: bool) {
    out.push_str(name);
    out.push_str(if is_empty { style.if_empty } else { "=" });
}

/// The value as one text, with members separated by commas.
fn value_text(style: &OperatorStyle, modifier: Option<Modifier>, value: &VariableValue) -> String {
    let mut out = String::new();
    match value {
        VariableValue::Text(text) => match modifier {
            Some(Modifier::Prefix(length)) => {
                push_encoded(&mut out, &prefix(text, length, style.unencoded), style.unencoded);
            }
            _ => push_encoded(&mut out, text, style.unencoded),
        },
        VariableValue::List(items) => push_list(&mut out, style, items.iter()),
        VariableValue::Map(entries) => push_list(&mut out, style, entries.iter().flat_map(|(key, text)| [key, text])),
    }
    out
}

fn push_list<'a>(out: &mut String, style: &OperatorStyle, items: impl Iterator<Item = &'a String>) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_encoded(out, item, style.unencoded);
    }
}
