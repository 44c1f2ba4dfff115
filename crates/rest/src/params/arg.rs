//! The declaration of an argument, used for validation, `OPTIONS` and the OpenAPI document.

use serde_json::{Map, Value, json};

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

/// Whether a request must contain an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    Optional,
    Always,
    /// On routes that create an object.
    OnCreate,
    /// On routes that create an object, unless the request contains this argument.
    OnCreateWithout(&'static str),
}

/// One declared argument.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) name: &'static str,
    pub(crate) kind: ArgKind,
    pub(crate) location: ArgLocation,
    pub(crate) requirement: Requirement,
    /// Whether an empty value means "not sent".
    pub(crate) may_be_empty: bool,
    /// Whether `null` is a value; otherwise it means "not sent".
    pub(crate) is_nullable: bool,
    pub(crate) description: &'static str,
    pub(super) default: Option<Value>,
    pub(super) extra_schema: Option<Value>,
    /// Whether members of list items are dropped if the schema does not declare them.
    pub(super) drops_other_members: bool,
}

impl Arg {
    /// A declaration without a name.
    pub(super) fn new(kind: ArgKind, description: &'static str) -> Self {
        Self {
            name: "",
            kind,
            location: ArgLocation::Body,
            requirement: Requirement::Optional,
            may_be_empty: false,
            is_nullable: false,
            description,
            default: None,
            extra_schema: None,
            drops_other_members: false,
        }
    }

    /// The declaration for a route that creates an object, or for another route.
    pub(crate) fn for_route(mut self, is_create: bool) -> Self {
        self.requirement = match self.requirement {
            Requirement::OnCreate if is_create => Requirement::Always,
            Requirement::OnCreate => Requirement::Optional,
            Requirement::OnCreateWithout(_) if !is_create => Requirement::Optional,
            other => other,
        };
        self
    }

    pub(crate) fn is_required(&self) -> bool {
        self.requirement == Requirement::Always
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
            ArgKind::Text { max } if self.is_required() => json!({"type": "string", "minLength": 1, "maxLength": max}),
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
        schema["required"] = self.is_required().into();
        schema
    }
}
