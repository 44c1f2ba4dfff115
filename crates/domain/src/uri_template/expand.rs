//! Expansion after RFC 6570, section 3.2.1 and the table of its appendix A: what the eight operators do
//! differently is data, so that one walk serves all of them.

use super::encode::{Keep, normalized, prefix, push_encoded};
use super::parse::{Expression, Modifier, Operator, Piece, VariableSpec};
use super::variables::{Value, Variables};

/// How an operator writes its variables.
struct Style {
    first: &'static str,
    separator: &'static str,
    /// Whether values are preceded by the name of their variable.
    is_named: bool,
    /// What follows a name whose value is empty.
    if_empty: &'static str,
    keep: Keep,
}

impl Operator {
    fn style(self) -> Style {
        let unnamed = |first, separator, keep| Style { first, separator, is_named: false, if_empty: "", keep };
        let named =
            |first, separator, if_empty| Style { first, separator, is_named: true, if_empty, keep: Keep::Unreserved };
        match self {
            Self::Simple => unnamed("", ",", Keep::Unreserved),
            Self::Reserved => unnamed("", ",", Keep::Reserved),
            Self::Fragment => unnamed("#", ",", Keep::Reserved),
            Self::Label => unnamed(".", ".", Keep::Unreserved),
            Self::Path => unnamed("/", "/", Keep::Unreserved),
            Self::Matrix => named(";", ";", ""),
            Self::Query => named("?", "&", "="),
            Self::QueryContinuation => named("&", "&", "="),
        }
    }
}

/// Writes the pieces, expressions replaced by the values of their variables.
pub(super) fn expand(pieces: &[Piece], variables: &Variables) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.push_str(&normalized(text)),
            Piece::Expression(expression) => push_expression(&mut out, expression, variables),
        }
    }
    out
}

fn push_expression(out: &mut String, expression: &Expression, variables: &Variables) {
    let style = expression.operator.style();
    let mut lead = style.first;
    for spec in &expression.variables {
        let Some(value) = variables.get(&spec.name) else { continue };
        let is_composite = !matches!(value, Value::Text(_));
        if is_composite && matches!(spec.modifier, Some(Modifier::Prefix(_))) {
            // Section 2.4.1: a prefix does not apply to composite values. Half a list would be a lie.
            continue;
        }
        out.push_str(lead);
        push_variable(out, &style, spec, value);
        lead = style.separator;
    }
}

fn push_variable(out: &mut String, style: &Style, spec: &VariableSpec, value: &Value) {
    if spec.modifier == Some(Modifier::Explode) && !matches!(value, Value::Text(_)) {
        return push_exploded(out, style, &spec.name, value);
    }
    let text = joined(style, spec.modifier, value);
    if style.is_named {
        push_name(out, style, &spec.name, text.is_empty());
    }
    out.push_str(&text);
}

/// `a=1&a=2` or `x=1&y=2`: every member stands for itself.
fn push_exploded(out: &mut String, style: &Style, name: &str, value: &Value) {
    let members: Vec<(Option<&str>, &str)> = match value {
        Value::Text(text) => vec![(None, text)],
        Value::List(items) => items.iter().map(|item| (None, item.as_str())).collect(),
        Value::Map(entries) => entries.iter().map(|(key, text)| (Some(key.as_str()), text.as_str())).collect(),
    };
    for (index, (key, text)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push_str(style.separator);
        }
        match key {
            Some(key) => {
                push_encoded(out, key, style.keep);
                let is_bare = style.is_named && text.is_empty();
                out.push_str(if is_bare { style.if_empty } else { "=" });
            }
            None if style.is_named => push_name(out, style, name, text.is_empty()),
            None => {}
        }
        push_encoded(out, text, style.keep);
    }
}

fn push_name(out: &mut String, style: &Style, name: &str, is_empty: bool) {
    out.push_str(name);
    out.push_str(if is_empty { style.if_empty } else { "=" });
}

/// The value as one text, members separated by commas.
fn joined(style: &Style, modifier: Option<Modifier>, value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Text(text) => match modifier {
            Some(Modifier::Prefix(length)) => {
                push_encoded(&mut out, &prefix(text, length, style.keep), style.keep);
            }
            _ => push_encoded(&mut out, text, style.keep),
        },
        Value::List(items) => push_list(&mut out, style, items.iter()),
        Value::Map(entries) => push_list(&mut out, style, entries.iter().flat_map(|(key, text)| [key, text])),
    }
    out
}

fn push_list<'a>(out: &mut String, style: &Style, items: impl Iterator<Item = &'a String>) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_encoded(out, item, style.keep);
    }
}
