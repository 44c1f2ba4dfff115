//! The defaults of an `input_schema`. They are filled in after validation: a default may violate the schema, and only
//! the arguments from the client are validated.
//!
//! Defaults are read from `properties`, and from nested `properties` if the argument is an object. A default of null is
//! ignored: generators write it for "none", but for an upstream null may mean "clear this field".

use toolgate_domain::json::{self, JsonObject};

use super::argument_text::{self, ArgumentTexts};

/// The defaults of an object's properties.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    /// Values of missing properties, with their nested defaults.
    direct: Vec<(String, Box<str>)>,
    /// Defaults inside properties that are objects.
    nested: Vec<(String, Defaults)>,
}

impl Defaults {
    /// Reads the defaults from the text of a schema, so that long numbers keep their digits.
    pub(super) fn from_schema(schema: &JsonObject) -> Self {
        let mut defaults = Self::default();
        let members = schema.members();
        let Some(properties) = members.get("properties").and_then(|value| JsonObject::from_raw(value)) else {
            return defaults;
        };
        for (name, property) in properties.members() {
            let Some(property) = JsonObject::from_raw(&property) else { continue };
            let nested = Self::from_schema(&property);
            if let Some(default) = property.members().get("default").filter(|value| !json::is_null(value)) {
                let filled = nested.with_defaults(default.get()).unwrap_or_else(|| default.get().into());
                defaults.direct.push((name.clone(), filled));
            }
            if !nested.is_empty() {
                defaults.nested.push((name, nested));
            }
        }
        defaults
    }

    /// Adds the missing members.
    pub(super) fn fill(&self, members: &mut ArgumentTexts) {
        for (name, nested) in &self.nested {
            if let Some(member) = members.get_mut(name)
                && let Some(filled) = nested.with_defaults(member)
            {
                *member = filled;
            }
        }
        for (name, default) in &self.direct {
            members.entry(name.clone()).or_insert_with(|| default.clone());
        }
    }

    fn is_empty(&self) -> bool {
        self.direct.is_empty() && self.nested.is_empty()
    }

    /// The value with its defaults; `None` if it is not an object or there are no defaults.
    fn with_defaults(&self, value: &str) -> Option<Box<str>> {
        if self.is_empty() {
            return None;
        }
        let (_, mut members) = argument_text::parse(value)?;
        self.fill(&mut members);
        Some(argument_text::to_json(&members).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill_defaults(schema: &str, arguments: &str) -> String {
        let (_, mut members) = argument_text::parse(arguments).unwrap();
        Defaults::from_schema(&JsonObject::from_stored(schema.to_owned())).fill(&mut members);
        argument_text::to_json(&members)
    }

    #[test]
    fn missing_arguments_get_their_default_and_given_ones_are_unchanged() {
        let schema = r#"{"properties":{"a":{"default":1.0},"b":{"default":123456789012345678901234},"c":{},"d":true}}"#;
        assert_eq!(fill_defaults(schema, "{}"), r#"{"a":1.0,"b":123456789012345678901234}"#);
        assert_eq!(fill_defaults(schema, r#"{"b":null,"a":2,"x":3}"#), r#"{"b":null,"a":2,"x":3}"#);
        assert_eq!(fill_defaults(r#"{"properties":{"a":{"default":null}}}"#, "{}"), "{}");
        assert_eq!(fill_defaults(r#"{"type":"object"}"#, r#"{"a":1}"#), r#"{"a":1}"#);
    }

    #[test]
    fn defaults_inside_an_object_apply_only_if_the_object_is_given() {
        let schema =
            r#"{"properties":{"o":{"properties":{"p":{"properties":{"q":{"default":7}}},"r":{"default":"x"}}}}}"#;
        assert_eq!(fill_defaults(schema, "{}"), "{}");
        assert_eq!(fill_defaults(schema, r#"{"o":{}}"#), r#"{"o":{"r":"x"}}"#);
        assert_eq!(fill_defaults(schema, r#"{"o":{"p":{},"r":"y"}}"#), r#"{"o":{"p":{"q":7},"r":"y"}}"#);
        assert_eq!(fill_defaults(schema, r#"{"o":[{}]}"#), r#"{"o":[{}]}"#);
    }

    #[test]
    fn a_default_that_is_an_object_gets_its_own_defaults() {
        let schema = r#"{"properties":{"o":{"default":{"a":1},"properties":{"a":{"default":2},"b":{"default":3}}}}}"#;
        assert_eq!(fill_defaults(schema, "{}"), r#"{"o":{"a":1,"b":3}}"#);
    }
}
