//! The declaration of an argument. It is checked against, and printed in `OPTIONS` and OpenAPI.

use serde_json::{Map, Value, json};
use toolgate_domain::tool::DOCUMENT_MAX;

/// What an argument may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A whole number within bounds, both included.
    Integer { min: i64, max: i64 },
    /// True or false.
    Boolean,
    /// A text of at most so many characters.
    Text { max: usize },
    /// One of a closed set of names; letter case matters only where `folds` says so.
    Name { names: &'static [&'static str], fold: Fold },
    /// A JSON object of at most so many bytes.
    Object { max: usize },
    /// A list.
    Array { items: Items },
}

/// How the case of a name is treated before it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// As it is.
    Exact,
    /// In capitals.
    Upper,
    /// As it is; and nothing at all means "any".
    OrEmpty,
}

/// What a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Items {
    Integers,
    Strings,
    Objects,
}

/// Where an argument is documented to travel. On the wire any place will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Query,
    Body,
}

/// One declared argument.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    pub(crate) is_required: bool,
    /// The argument without which this one is required.
    pub(crate) alternative: Option<&'static str>,
    /// Whether nothing between the quotes means "not sent".
    pub(crate) may_be_empty: bool,
    /// Whether `null` means something else than "not sent".
    pub(crate) is_nullable: bool,
    pub(crate) description: &'static str,
    default: Option<Value>,
    shape: Option<Value>,
}

impl Arg {
    fn new(name: &'static str, kind: Kind, description: &'static str) -> Self {
        let place = Place::Body;
        Self {
            name,
            kind,
            place,
            is_required: false,
            alternative: None,
            may_be_empty: false,
            is_nullable: false,
            description,
            default: None,
            shape: None,
        }
    }

    pub(crate) fn integer(
        name: &'static str,
        range: &std::ops::RangeInclusive<i64>,
        description: &'static str,
    ) -> Self {
        Self::new(name, Kind::Integer { min: *range.start(), max: *range.end() }, description)
    }

    pub(crate) fn boolean(name: &'static str, description: &'static str) -> Self {
        Self::new(name, Kind::Boolean, description)
    }

    pub(crate) fn text(name: &'static str, max: usize, description: &'static str) -> Self {
        Self::new(name, Kind::Text { max }, description)
    }

    pub(crate) fn name_of(name: &'static str, names: &'static [&'static str], description: &'static str) -> Self {
        Self::new(name, Kind::Name { names, fold: Fold::Exact }, description)
    }

    /// A name in capitals, however it was typed.
    pub(crate) fn upper(name: &'static str, names: &'static [&'static str], description: &'static str) -> Self {
        Self::new(name, Kind::Name { names, fold: Fold::Upper }, description)
    }

    /// A filter: one of the names, or empty for all.
    pub(crate) fn filter(name: &'static str, names: &'static [&'static str], description: &'static str) -> Self {
        Self::new(name, Kind::Name { names, fold: Fold::OrEmpty }, description).in_query()
    }

    pub(crate) fn object(name: &'static str, description: &'static str) -> Self {
        Self::new(name, Kind::Object { max: DOCUMENT_MAX }, description)
    }

    pub(crate) fn large_object(name: &'static str, description: &'static str) -> Self {
        Self::new(name, Kind::Object { max: usize::MAX }, description)
    }

    pub(crate) fn array(name: &'static str, items: Items, description: &'static str) -> Self {
        Self::new(name, Kind::Array { items }, description)
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

    /// An empty value is as good as none.
    pub(crate) fn may_be_empty(mut self) -> Self {
        self.may_be_empty = true;
        self
    }

    pub(crate) fn nullable(mut self) -> Self {
        self.is_nullable = true;
        self
    }

    pub(crate) fn in_query(mut self) -> Self {
        self.place = Place::Query;
        self
    }

    pub(crate) fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// More about the value than its kind says; printed, not checked.
    pub(crate) fn shaped(mut self, shape: Value) -> Self {
        self.shape = Some(shape);
        self
    }

    /// JSON Schema of the value.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = self.kind_schema();
        if let Some(Value::Object(shape)) = &self.shape {
            schema.extend(shape.clone());
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
            Kind::Integer { min, max: i64::MAX } => json!({"type": "integer", "minimum": min}),
            Kind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Text { max } if self.is_required => json!({"type": "string", "minLength": 1, "maxLength": max}),
            Kind::Text { max } => json!({"type": "string", "maxLength": max}),
            Kind::Name { names, fold: Fold::OrEmpty } => {
                let names: Vec<&str> = std::iter::once("").chain(names.iter().copied()).collect();
                json!({"type": "string", "enum": names})
            }
            Kind::Name { names, .. } => json!({"type": "string", "enum": names}),
            Kind::Object { .. } => json!({"type": "object"}),
            Kind::Array { items: Items::Integers } => json!({"type": "array", "items": {"type": "integer"}}),
            Kind::Array { items: Items::Strings } => json!({"type": "array", "items": {"type": "string"}}),
            Kind::Array { items: Items::Objects } => json!({"type": "array", "items": {"type": "object"}}),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    /// What `OPTIONS` prints: the schema with a description and whether it is required.
    pub(crate) fn describe(&self) -> Value {
        let mut schema = self.schema();
        schema["description"] = self.description.into();
        schema["required"] = self.is_required.into();
        schema
    }
}
