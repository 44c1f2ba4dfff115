//! The declaration of an argument, used for validation, `OPTIONS` and the OpenAPI document.

use serde_json::{Map, Value, json};
use toolgate_domain::tool::DOCUMENT_MAX;

/// The type of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgKind {
    /// An integer within inclusive bounds.
    Integer { min: i64, max: i64 },
    /// True or false.
    Boolean,
    /// A text of at most `max` characters.
    Text { max: usize },
    /// One of a closed set of names.
    Name { names: &'static [&'static str], matching: NameMatching },
    /// A JSON object of at most `max` bytes.
    Object { max: usize },
    /// A list.
    Array { items: Items },
}

/// How a value is compared with the declared names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameMatching {
    /// Case-sensitive.
    Exact,
    /// Converted to upper case first.
    Uppercase,
    /// Case-sensitive; an empty value means "any".
    OrEmpty,
}

/// The items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Items {
    Integers,
    Strings,
    Objects,
}

/// Where the documentation puts an argument. A request may send it in the query or in the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgLocation {
    Query,
    Body,
}

/// One declared argument.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) name: &'static str,
    pub(crate) kind: ArgKind,
    pub(crate) location: ArgLocation,
    pub(crate) is_required: bool,
    /// This argument is required unless `alternative` is sent.
    pub(crate) alternative: Option<&'static str>,
    /// Whether an empty value means "not sent".
    pub(crate) may_be_empty: bool,
    /// Whether `null` is a value; otherwise it means "not sent".
    pub(crate) is_nullable: bool,
    pub(crate) description: &'static str,
    default: Option<Value>,
    extra_schema: Option<Value>,
}

impl Arg {
    fn new(name: &'static str, kind: ArgKind, description: &'static str) -> Self {
        let location = ArgLocation::Body;
        Self {
            name,
            kind,
            location,
            is_required: false,
            alternative: None,
            may_be_empty: false,
            is_nullable: false,
            description,
            default: None,
            extra_schema: None,
        }
    }

    pub(crate) fn integer(
        name: &'static str,
        range: &std::ops::RangeInclusive<i64>,
        description: &'static str,
    ) -> Self {
        Self::new(name, ArgKind::Integer { min: *range.start(), max: *range.end() }, description)
    }

    pub(crate) fn boolean(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ArgKind::Boolean, description)
    }

    pub(crate) fn text(name: &'static str, max: usize, description: &'static str) -> Self {
        Self::new(name, ArgKind::Text { max }, description)
    }

    pub(crate) fn one_of(name: &'static str, names: &'static [&'static str], description: &'static str) -> Self {
        Self::new(name, ArgKind::Name { names, matching: NameMatching::Exact }, description)
    }

    /// One of the names, converted to upper case.
    pub(crate) fn one_of_uppercase(
        name: &'static str,
        names: &'static [&'static str],
        description: &'static str,
    ) -> Self {
        Self::new(name, ArgKind::Name { names, matching: NameMatching::Uppercase }, description)
    }

    /// A filter: one of the names, or empty for all.
    pub(crate) fn filter(name: &'static str, names: &'static [&'static str], description: &'static str) -> Self {
        Self::new(name, ArgKind::Name { names, matching: NameMatching::OrEmpty }, description).in_query()
    }

    pub(crate) fn object(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ArgKind::Object { max: DOCUMENT_MAX }, description)
    }

    /// An object of any size; only the size of the request body limits it.
    pub(crate) fn large_object(name: &'static str, description: &'static str) -> Self {
        Self::new(name, ArgKind::Object { max: usize::MAX }, description)
    }

    pub(crate) fn array(name: &'static str, items: Items, description: &'static str) -> Self {
        Self::new(name, ArgKind::Array { items }, description)
    }

    pub(crate) fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// Required unless `alternative` is sent.
    pub(crate) fn required_without(mut self, alternative: &'static str) -> Self {
        self.alternative = Some(alternative);
        self
    }

    /// Treats an empty value as not sent.
    pub(crate) fn may_be_empty(mut self) -> Self {
        self.may_be_empty = true;
        self
    }

    pub(crate) fn nullable(mut self) -> Self {
        self.is_nullable = true;
        self
    }

    pub(crate) fn in_query(mut self) -> Self {
        self.location = ArgLocation::Query;
        self
    }

    pub(crate) fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// Adds schema keywords for the documentation only; they are not used for validation.
    pub(crate) fn with_schema(mut self, keywords: Value) -> Self {
        self.extra_schema = Some(keywords);
        self
    }

    /// JSON Schema of the value.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = self.kind_schema();
        if let Some(Value::Object(keywords)) = &self.extra_schema {
            schema.extend(keywords.clone());
        }
        if self.is_nullable
            && let Some(kind) = schema.get("type").cloned()
        {
            schema.insert("type".into(), json!([kind, "null"]));
        }
        if let Some(default) = &self.default {
            schema.insert("default".into(), default.clone());
        }
        Value::Object(schema)
    }

    fn kind_schema(&self) -> Map<String, Value> {
        let schema = match self.kind {
            ArgKind::Integer { min, max: i64::MAX } => json!({"type": "integer", "minimum": min}),
            ArgKind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            ArgKind::Boolean => json!({"type": "boolean"}),
            ArgKind::Text { max } if self.is_required => json!({"type": "string", "minLength": 1, "maxLength": max}),
            ArgKind::Text { max } => json!({"type": "string", "maxLength": max}),
            ArgKind::Name { names, matching: NameMatching::OrEmpty } => {
                let names: Vec<&str> = std::iter::once("").chain(names.iter().copied()).collect();
                json!({"type": "string", "enum": names})
            }
            ArgKind::Name { names, .. } => json!({"type": "string", "enum": names}),
            ArgKind::Object { .. } => json!({"type": "object"}),
            ArgKind::Array { items: Items::Integers } => json!({"type": "array", "items": {"type": "integer"}}),
            ArgKind::Array { items: Items::Strings } => json!({"type": "array", "items": {"type": "string"}}),
            ArgKind::Array { items: Items::Objects } => json!({"type": "array", "items": {"type": "object"}}),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    /// The form in `OPTIONS`: the schema with `description` and `required`.
    pub(crate) fn describe(&self) -> Value {
        let mut schema = self.schema();
        schema["description"] = self.description.into();
        schema["required"] = self.is_required.into();
        schema
    }
}
