//! Conversion of numbers, lengths and patterns.

use serde_json::{Number, Value};

use super::Conversion;
use crate::api::reference::Located;
use crate::api::schema::vocabulary::{Keywords, mark_widened};

impl<'a> Conversion<'_, 'a> {
    /// The value of a keyword such as `maxLength`.
    pub(super) fn count(&mut self, member: &Located<'a>, keywords: &mut Keywords) -> Option<Value> {
        let number = self.number(member, keywords)?;
        let whole = number.as_u64().or_else(|| whole_number(number.as_f64()?));
        if whole.is_none() {
            self.warn_repaired(
                &member.pointer,
                "The keyword needs a whole number that is not negative; it was left out.",
            );
            mark_widened(keywords);
        }
        whole.map(Value::from)
    }

    /// The value of a keyword such as `maximum`; a number that is written as a text is read.
    pub(super) fn number(&mut self, member: &Located<'a>, keywords: &mut Keywords) -> Option<Value> {
        match member.value {
            Value::Number(_) => return Some(member.value.clone()),
            Value::Null => return None,
            Value::String(text) => {
                if let Some(number) = parse_number(text) {
                    self.warn_repaired(&member.pointer, "The number is written as a text; it was read as a number.");
                    return Some(Value::Number(number));
                }
            }
            _ => {}
        }
        self.warn_repaired(&member.pointer, "The keyword needs a number; it was left out.");
        mark_widened(keywords);
        None
    }

    pub(super) fn repair_bounds(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        self.exclusive_bound(schema, keywords, "exclusiveMinimum", "minimum");
        self.exclusive_bound(schema, keywords, "exclusiveMaximum", "maximum");
        if keywords.get("multipleOf").and_then(Value::as_f64).is_some_and(|step| step <= 0.0) {
            self.warn_repaired(&schema.pointer, "multipleOf must be greater than 0; it was left out.");
            keywords.remove("multipleOf");
        }
        self.check_pattern(schema, keywords);
    }

    /// In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive; since 3.1 it is the bound itself.
    fn exclusive_bound(&mut self, schema: &Located<'a>, keywords: &mut Keywords, exclusive: &str, inclusive: &str) {
        let Some(value) = keywords.remove(exclusive) else { return };
        match value {
            Value::Bool(true) => {
                if let Some(bound) = keywords.remove(inclusive) {
                    keywords.insert(exclusive.to_owned(), bound);
                }
            }
            Value::Bool(false) | Value::Null => {}
            _ => {
                let Some(member) = schema.member(exclusive) else { return };
                if let Some(number) = self.number(&member, keywords) {
                    keywords.insert(exclusive.to_owned(), number);
                }
            }
        }
    }

    fn check_pattern(&mut self, schema: &Located<'a>, keywords: &mut Keywords) {
        let Some(pattern) = keywords.remove("pattern") else { return };
        let Some(text) = pattern.as_str() else {
            self.warn_repaired(&schema.pointer.member("pattern"), "The pattern is not a text; it was left out.");
            return mark_widened(keywords);
        };
        let bare = text.strip_prefix("/^").and_then(|rest| rest.strip_suffix("$/")).map(|inner| format!("^{inner}$"));
        if bare.is_some() {
            self.warn_repaired(&schema.pointer.member("pattern"), "The slashes around the pattern were removed.");
        }
        let text = bare.unwrap_or_else(|| text.to_owned());
        if self.context.accepts_pattern(&text) {
            keywords.insert("pattern".to_owned(), Value::String(text));
        } else {
            self.warn_pattern(schema, "pattern");
            mark_widened(keywords);
        }
    }

    pub(super) fn warn_pattern(&mut self, schema: &Located<'a>, keyword: &str) {
        let message = "The pattern has look-around or back-references, is not valid or is too large; it was left out.";
        self.warn("pattern_dropped", &schema.pointer.member(keyword), message);
    }
}

fn parse_number(text: &str) -> Option<Number> {
    let text = text.trim();
    text.parse::<i64>().map(Number::from).ok().or_else(|| Number::from_f64(text.parse().ok()?))
}

/// A number such as `3.0` as an integer, up to 2^53, above which floats are not exact.
fn whole_number(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    is_whole.then(|| format!("{number:.0}").parse().ok()).flatten()
}
