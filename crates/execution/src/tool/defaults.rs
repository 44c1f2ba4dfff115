//! The defaults of an `input_schema`. They are filled in after validation: a default need not be valid by the schema's
//! own rules, and a call is judged by what its client sent.
//!
//! Followed are `properties`, and `properties` within them where the argument is an object. A default of null is left
//! out: generators write it for "none", and a null that reaches an upstream may mean "clear this field".

use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject, Members};

/// The defaults of an object's properties.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    /// What a missing property is given, complete in itself.
    own: Vec<(String, Box<RawValue>)>,
    /// Defaults inside of properties that are objects.
    below: Vec<(String, Defaults)>,
}

impl Defaults {
    /// Reads the defaults from the text of a schema, so that long numbers keep their digits.
    pub(super) fn of(schema: &JsonObject) -> Self {
        let mut defaults = Self::default();
        let members = schema.members();
        let Some(properties) = members.get("properties").and_then(|value| JsonObject::from_raw(value)) else {
            return defaults;
        };
        for (name, property) in properties.members() {
            let Some(property) = JsonObject::from_raw(&property) else { continue };
            let below = Self::of(&property);
            if let Some(default) = property.members().get("default").filter(|value| !json::is_null(value)) {
                defaults.own.push((name.clone(), below.filled(default).unwrap_or_else(|| default.clone())));
            }
            if !below.is_empty() {
                defaults.below.push((name, below));
            }
        }
        defaults
    }

    /// Adds what is missing.
    pub(super) fn fill(&self, members: &mut Members) {
        for (name, below) in &self.below {
            if let Some(member) = members.get_mut(name)
                && let Some(filled) = below.filled(member)
            {
                *member = filled;
            }
        }
        for (name, default) in &self.own {
            members.entry(name.clone()).or_insert_with(|| default.clone());
        }
    }

    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.below.is_empty()
    }

    /// The value with its defaults; `None` where it is no object or there is nothing to fill in.
    fn filled(&self, value: &RawValue) -> Option<Box<RawValue>> {
        let mut members = JsonObject::from_raw(value).filter(|_| !self.is_empty())?.members();
        self.fill(&mut members);
        Some(json::raw(JsonObject::from_members(&members).as_str().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(schema: &str, arguments: &str) -> String {
        let mut members = JsonObject::from_stored(arguments.to_owned()).members();
        Defaults::of(&JsonObject::from_stored(schema.to_owned())).fill(&mut members);
        JsonObject::from_members(&members).as_str().to_owned()
    }

    #[test]
    fn missing_arguments_get_their_default_and_given_ones_stay() {
        let schema = r#"{"properties":{"a":{"default":1.0},"b":{"default":123456789012345678901234},"c":{},"d":true}}"#;
        assert_eq!(filled(schema, "{}"), r#"{"a":1.0,"b":123456789012345678901234}"#);
        assert_eq!(filled(schema, r#"{"b":null,"a":2,"x":3}"#), r#"{"b":null,"a":2,"x":3}"#);
        assert_eq!(filled(r#"{"properties":{"a":{"default":null}}}"#, "{}"), "{}");
        assert_eq!(filled(r#"{"type":"object"}"#, r#"{"a":1}"#), r#"{"a":1}"#);
    }

    #[test]
    fn defaults_inside_an_object_need_the_object() {
        let schema =
            r#"{"properties":{"o":{"properties":{"p":{"properties":{"q":{"default":7}}},"r":{"default":"x"}}}}}"#;
        assert_eq!(filled(schema, "{}"), "{}");
        assert_eq!(filled(schema, r#"{"o":{}}"#), r#"{"o":{"r":"x"}}"#);
        assert_eq!(filled(schema, r#"{"o":{"p":{},"r":"y"}}"#), r#"{"o":{"p":{"q":7},"r":"y"}}"#);
        assert_eq!(filled(schema, r#"{"o":[{}]}"#), r#"{"o":[{}]}"#);
    }

    #[test]
    fn a_default_that_is_an_object_gets_its_own_defaults() {
        let schema = r#"{"properties":{"o":{"default":{"a":1},"properties":{"a":{"default":2},"b":{"default":3}}}}}"#;
        assert_eq!(filled(schema, "{}"), r#"{"o":{"a":1,"b":3}}"#);
    }
}
