//! The arguments of a tool, and how they are written down.

use serde_json::json;
use serde_json::value::RawValue;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::tool::SUBSCHEMAS_MAX;

use super::discretion;
use super::names::{self, Names};
use super::shape::{self, Shape};
use super::spelling;
use crate::curl::draft;

/// Longest description that is made of a name, in characters.
const DESCRIPTION_MAX: usize = 100;

/// One argument.
#[derive(Debug)]
pub(super) struct Argument {
    pub(super) location: Location,
    /// Its name there.
    pub(super) upstream: String,
    pub(super) description: String,
    pub(super) shape: Shape,
    /// What the first command says.
    pub(super) example: Option<Box<RawValue>>,
    pub(super) default: Option<Box<RawValue>>,
    /// Whether the default is the only value possible.
    pub(super) is_constant: bool,
    pub(super) is_required: bool,
}

/// Where an argument goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Path,
    Query,
    Header,
    Body,
}

/// In how many commands a value stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) is_in_first: bool,
    pub(super) is_in_all: bool,
    /// Whether several commands agree on it.
    pub(super) is_agreed: bool,
}

/// Arguments as the parts of a draft.
pub(super) struct Written {
    pub(super) input_schema: JsonObject,
    pub(super) parameter_mapping: JsonObject,
    /// The arguments of the first command.
    pub(super) body: JsonObject,
    /// How many schemas the `input_schema` is made of.
    pub(super) schemas: usize,
}

impl Argument {
    /// An argument with the first value that a command gives it.
    pub(super) fn new(
        location: Location,
        upstream: &str,
        shape: Shape,
        value: Box<RawValue>,
        standing: Standing,
    ) -> Self {
        let is_constant = standing.is_agreed && discretion::may_be_constant(upstream, &value);
        let has_default = is_constant || (standing.is_in_all && discretion::may_be_default(upstream, &value));
        Self {
            location,
            upstream: upstream.to_owned(),
            description: in_words(upstream),
            shape,
            default: has_default.then(|| value.clone()),
            example: standing.is_in_first.then_some(value),
            is_constant,
            is_required: standing.is_in_all && !is_constant,
        }
    }

    /// What fills a placeholder. Its example is no value that anybody would want by default.
    pub(super) fn placeholder(name: &str, shape: Shape, example: Box<RawValue>) -> Self {
        Self {
            location: Location::Path,
            upstream: name.to_owned(),
            description: in_words(name),
            shape,
            example: Some(example),
            default: None,
            is_constant: false,
            is_required: true,
        }
    }

    /// Says that it is a file that was not read: what stands for it is nothing to send by default.
    pub(super) fn expect_file(&mut self, standing: Standing) {
        self.description.push_str(" (a file that was not read; give its content as text)");
        self.default = None;
        self.is_constant = false;
        self.is_required = standing.is_in_all;
    }

    /// Says that it is sent as it is.
    pub(super) fn be_whole_body(&mut self) {
        "the whole body of the request".clone_into(&mut self.description);
    }

    fn schema(&self, is_whole: bool) -> Box<RawValue> {
        let mut keywords = if is_whole { self.shape.keywords() } else { self.shape.outermost().keywords() };
        keywords.insert("description".to_owned(), json::raw_string(&self.description));
        if let Some(default) = &self.default {
            keywords.insert("default".to_owned(), default.clone());
            if self.is_constant {
                keywords.insert("const".to_owned(), default.clone());
            }
        }
        shape::object(&keywords)
    }

    fn mapping(&self, name: &str) -> Box<RawValue> {
        let location = self.location.as_str();
        json::raw(if name == self.upstream {
            json!({"location": location}).to_string()
        } else {
            json!({"location": location, "name": self.upstream}).to_string()
        })
    }
}

impl Location {
    fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Body => "body",
        }
    }
}

/// Writes arguments down, in their order.
pub(super) fn write(arguments: &[Argument]) -> Written {
    let count = |shape_of: fn(&Shape) -> usize| 1 + arguments.iter().map(|own| shape_of(&own.shape)).sum::<usize>();
    let whole = count(Shape::count);
    let is_whole = whole <= SUBSCHEMAS_MAX;
    let (mut properties, mut mapping, mut body) = (Members::new(), Members::new(), Members::new());
    let mut required = Vec::new();
    for (name, argument) in names(arguments).into_iter().zip(arguments) {
        properties.insert(name.clone(), argument.schema(is_whole));
        mapping.insert(name.clone(), argument.mapping(&name));
        if let Some(example) = &argument.example {
            body.insert(name.clone(), example.clone());
        }
        if argument.is_required {
            required.push(name);
        }
    }
    Written {
        input_schema: draft::input_schema(&properties, &required),
        parameter_mapping: JsonObject::from_members(&mapping),
        body: JsonObject::from_members(&body),
        schemas: if is_whole { whole } else { count(|shape| shape.outermost().count()) },
    }
}

/// A name for each argument. Placeholders keep theirs, for they stand in the address; then fields of the body choose,
/// then the query, then headers. In each, what can keep its name comes first.
fn names(arguments: &[Argument]) -> Vec<String> {
    let mut given = vec![String::new(); arguments.len()];
    let mut names = Names::default();
    for location in [Location::Path, Location::Body, Location::Query, Location::Header] {
        let own = || arguments.iter().enumerate().filter(|(_, argument)| argument.location == location);
        let (keeping, changing): (Vec<_>, Vec<_>) = own().partition(|(_, argument)| {
            !names.is_taken(&argument.upstream) && names::suitable(&argument.upstream) == argument.upstream
        });
        let is_foreign: Vec<bool> =
            changing.iter().map(|(_, argument)| names.is_taken(&names::suitable(&argument.upstream))).collect();
        for (index, argument) in keeping {
            set(&mut given, index, names.take(&argument.upstream));
        }
        for ((index, argument), is_foreign) in changing.into_iter().zip(is_foreign) {
            let wanted = names::suitable(&argument.upstream);
            // who has the name goes elsewhere, so say where this one goes
            let wanted = if is_foreign { names::with_ending(&wanted, location.as_str()) } else { wanted };
            set(&mut given, index, names.take(&wanted));
        }
    }
    given
}

fn set(given: &mut [String], index: usize, name: String) {
    if let Some(place) = given.get_mut(index) {
        *place = name;
    }
}

/// The words of a name, or the name itself where it has none.
fn in_words(name: &str) -> String {
    let words: String = spelling::words(name).join(" ").chars().take(DESCRIPTION_MAX).collect();
    if words.is_empty() { names::suitable(name) } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_ALL: Standing = Standing { is_in_first: true, is_in_all: true, is_agreed: false };

    fn argument(location: Location, upstream: &str) -> Argument {
        Argument::new(location, upstream, Shape::Integer, json::raw("1".into()), IN_ALL)
    }

    fn named(arguments: &[(Location, &str)]) -> Vec<String> {
        let arguments: Vec<Argument> = arguments.iter().map(|(location, name)| argument(*location, name)).collect();
        names(&arguments)
    }

    #[test]
    fn one_name_in_several_places_is_several_arguments() {
        use Location::{Body, Header, Path, Query};
        assert_eq!(named(&[(Path, "id"), (Query, "id"), (Body, "id")]), ["id", "id_query", "id_body"]);
        assert_eq!(named(&[(Query, "a"), (Header, "a"), (Body, "a")]), ["a_query", "a_header", "a"]);
        assert_eq!(named(&[(Path, "id"), (Body, "id"), (Body, "id_body")]), ["id", "id_body_2", "id_body"]);
        assert_eq!(named(&[(Query, "ids[]"), (Query, "ids"), (Query, "ids{}")]), ["ids_2", "ids", "ids_3"]);
        assert_eq!(named(&[(Query, "$top"), (Body, "top")]), ["top_query", "top"]);
        let long = "x".repeat(80);
        assert_eq!(named(&[(Body, &long), (Query, &long)]), ["x".repeat(64), format!("{}_query", "x".repeat(58))]);
    }

    #[test]
    fn the_upstream_name_is_said_where_it_is_another() {
        let written = write(&[argument(Location::Query, "ids[]"), argument(Location::Body, "b")]);
        assert_eq!(
            written.parameter_mapping.as_str(),
            r#"{"ids":{"location":"query","name":"ids[]"},"b":{"location":"body"}}"#
        );
        assert_eq!(
            written.input_schema.as_str(),
            r#"{"type":"object","properties":{"ids":{"type":"integer","description":"ids","default":1},"b":{"type":"integer","description":"b","default":1}},"required":["ids","b"]}"#
        );
        assert_eq!(written.body.as_str(), r#"{"ids":1,"b":1}"#);
    }

    #[test]
    fn a_description_is_the_name_in_words() {
        assert_eq!(in_words("createdAfter"), "created after");
        assert_eq!(in_words("[]"), "argument");
        assert_eq!(in_words(&"x".repeat(300)).len(), 100);
    }

    #[test]
    fn what_is_within_is_not_described_where_that_would_be_too_much() {
        let deep = (0..600).map(|n| format!("\"{n}\":[1]")).collect::<Vec<_>>().join(",");
        let value = json::raw(format!("{{{deep}}}"));
        let many = Argument::new(Location::Body, "a", Shape::of(&value), value, IN_ALL);
        let written = write(&[many]);
        assert_eq!(written.input_schema.to_value()["properties"]["a"], json!({"type": "object", "description": "a"}));
        assert_eq!(written.schemas, 2);
        let arguments: Vec<Argument> = (0..1000).map(|n| argument(Location::Body, &n.to_string())).collect();
        assert_eq!(write(&arguments).schemas, 1001);
    }
}
