//! The declaration of an argument together with the type of its values.

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolgate_domain::call::CallId;
use toolgate_domain::change::Change;
use toolgate_domain::closed_set::ClosedSet;
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId, UserId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::tool::DOCUMENT_MAX;

use super::arg::{Arg, ArgKind, ArgLocation, Items, NameMatching, Requirement};
use super::coerce::ArgValue;

/// The declaration of an argument of the kind `K`, without its name.
pub(crate) struct TypedArg<K> {
    arg: Arg,
    kind: PhantomData<K>,
}

/// A type of a struct field (see `arguments!`) that can be filled from an argument of the kind `K`.
pub(crate) trait FromArg<K>: Sized {
    /// `value` is `None` if the request does not contain the argument.
    fn from_arg(value: Option<ArgValue>) -> Self;
}

/// The kinds of arguments.
pub(crate) mod kind {
    use std::marker::PhantomData;

    pub(crate) enum Integer {}
    pub(crate) enum Boolean {}
    pub(crate) enum Text {}
    pub(crate) enum Object {}
    pub(crate) enum List {}
    /// A name of the enumeration `E`.
    pub(crate) struct Name<E>(PhantomData<E>);
    /// The kind `K`, or null.
    pub(crate) struct Nullable<K>(PhantomData<K>);
}

pub(crate) fn integer(range: &RangeInclusive<i64>, description: &'static str) -> TypedArg<kind::Integer> {
    TypedArg::new(ArgKind::Integer { min: *range.start(), max: *range.end() }, description)
}

pub(crate) fn boolean(description: &'static str) -> TypedArg<kind::Boolean> {
    TypedArg::new(ArgKind::Boolean, description)
}

/// A text of at most `max` characters.
pub(crate) fn text(max: usize, description: &'static str) -> TypedArg<kind::Text> {
    TypedArg::new(ArgKind::Text { max }, description)
}

/// A text of 1 to `max` characters. The length is only documented here; the rule of the domain that parses the text
/// checks it.
pub(crate) fn text_with_rule(max: usize, description: &'static str) -> TypedArg<kind::Text> {
    text(usize::MAX, description).with_schema(json!({"minLength": 1, "maxLength": max}))
}

/// One of the names of `E`.
pub(crate) fn one_of<E: ClosedSet>(description: &'static str) -> TypedArg<kind::Name<E>> {
    TypedArg::new(ArgKind::Name { names: E::NAMES, matching: NameMatching::Exact }, description)
}

/// One of the names of `E`; the sent value is converted to upper case first.
pub(crate) fn one_of_uppercase<E: ClosedSet>(description: &'static str) -> TypedArg<kind::Name<E>> {
    TypedArg::new(ArgKind::Name { names: E::NAMES, matching: NameMatching::Uppercase }, description)
}

/// A filter: one of the names of `E`, or empty for all.
pub(crate) fn filter<E: ClosedSet>(description: &'static str) -> TypedArg<kind::Name<E>> {
    TypedArg::new(ArgKind::Name { names: E::NAMES, matching: NameMatching::OrEmpty }, description).in_query()
}

/// A filter: one of the names, or empty for all.
pub(crate) fn filter_by_names(names: &'static [&'static str], description: &'static str) -> TypedArg<kind::Text> {
    TypedArg::new(ArgKind::Name { names, matching: NameMatching::OrEmpty }, description).in_query()
}

/// One of the names.
pub(crate) fn one_of_names(names: &'static [&'static str], description: &'static str) -> TypedArg<kind::Text> {
    TypedArg::new(ArgKind::Name { names, matching: NameMatching::Exact }, description)
}

pub(crate) fn object(description: &'static str) -> TypedArg<kind::Object> {
    TypedArg::new(ArgKind::Object { max: DOCUMENT_MAX }, description)
}

/// An object whose size is limited by the rules of the domain, not here.
pub(crate) fn large_object(description: &'static str) -> TypedArg<kind::Object> {
    TypedArg::new(ArgKind::Object { max: usize::MAX }, description)
}

pub(crate) fn array(items: Items, description: &'static str) -> TypedArg<kind::List> {
    TypedArg::new(ArgKind::Array { items }, description)
}

impl<K> TypedArg<K> {
    fn new(kind: ArgKind, description: &'static str) -> Self {
        Self { arg: Arg::new(kind, description), kind: PhantomData }
    }

    /// The declaration with its name.
    pub(crate) fn named(self, name: &'static str) -> Arg {
        Arg { name, ..self.arg }
    }

    pub(crate) fn required(mut self) -> Self {
        self.arg.requirement = Requirement::Always;
        self
    }

    /// Required by routes that create an object.
    pub(crate) fn required_on_create(mut self) -> Self {
        self.arg.requirement = Requirement::OnCreate;
        self
    }

    /// Required by routes that create an object, unless `alternative` is sent.
    pub(crate) fn required_on_create_without(mut self, alternative: &'static str) -> Self {
        self.arg.requirement = Requirement::OnCreateWithout(alternative);
        self
    }

    /// Treats an empty value as not sent.
    pub(crate) fn may_be_empty(mut self) -> Self {
        self.arg.may_be_empty = true;
        self
    }

    /// Accepts null as a value.
    pub(crate) fn nullable(mut self) -> TypedArg<kind::Nullable<K>> {
        self.arg.is_nullable = true;
        TypedArg { arg: self.arg, kind: PhantomData }
    }

    pub(crate) fn in_query(mut self) -> Self {
        self.arg.location = ArgLocation::Query;
        self
    }

    pub(crate) fn default(mut self, value: impl Into<Value>) -> Self {
        self.arg.default = Some(value.into());
        self
    }

    /// Adds schema keywords for the documentation only; they are not used for validation.
    pub(crate) fn with_schema(mut self, keywords: Value) -> Self {
        self.arg.extra_schema = Some(keywords);
        self
    }
}

impl TypedArg<kind::List> {
    /// Declares that list items lose the members that the schema does not declare; replies name them as ignored.
    pub(crate) fn drops_other_members(mut self) -> Self {
        self.arg.drops_other_members = true;
        self
    }
}

/// Implements [`FromArg`] for optional values: `kind(value) as type = converted value`. Each kind has the name of a
/// variant of [`ArgValue`].
macro_rules! from_arg {
    ($($kind:ident($value:ident) as $type:ty = $converted:expr;)+) => {$(
        impl FromArg<kind::$kind> for Option<$type> {
            fn from_arg(value: Option<ArgValue>) -> Self {
                if let Some(ArgValue::$kind($value)) = value { Some($converted) } else { None }
            }
        }
    )+};
}

from_arg! {
    Integer(integer) as i64 = integer;
    Integer(id) as UserId = UserId(id);
    Integer(id) as ServerId = ServerId(id);
    Integer(id) as ToolId = ToolId(id);
    Integer(id) as EndpointKeyId = EndpointKeyId(id);
    Integer(id) as CallId = CallId(id);
    Integer(secs) as Duration = Duration::from_secs(secs.try_into().unwrap_or_default());
    Boolean(boolean) as bool = boolean;
    Text(text) as String = text;
    Object(object) as JsonObject = object;
    List(items) as Vec<Box<RawValue>> = items;
}

/// A flag, false if it was not sent.
impl FromArg<kind::Boolean> for bool {
    fn from_arg(value: Option<ArgValue>) -> Self {
        Option::from_arg(value).unwrap_or_default()
    }
}

/// A required text.
impl FromArg<kind::Text> for String {
    fn from_arg(value: Option<ArgValue>) -> Self {
        Option::from_arg(value).unwrap_or_default()
    }
}

impl<E: ClosedSet> FromArg<kind::Name<E>> for Option<E> {
    fn from_arg(value: Option<ArgValue>) -> Self {
        if let Some(ArgValue::Text(name)) = value { E::parse(&name) } else { None }
    }
}

impl<K, T> FromArg<kind::Nullable<K>> for Change<T>
where
    Option<T>: FromArg<K>,
{
    fn from_arg(value: Option<ArgValue>) -> Self {
        if matches!(value, Some(ArgValue::Null)) {
            return Self::Clear;
        }
        Option::from_arg(value).map_or(Self::Keep, Self::Set)
    }
}
