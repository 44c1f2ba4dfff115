//! The members of a message, and the parameters that say what is done. Names are spelt exactly: one that is ours but for
//! its case is refused, for a reader that does not mind the case finds another message in the same bytes than we do.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
const PARAMS: [&str; 4] = ["_meta", "name", "uri", "arguments"];

/// Members of a message as they are there. `null` and absence are told apart, except for parameters.
#[derive(Debug, Default)]
pub(super) struct Members<'a> {
    pub(super) jsonrpc: Option<&'a RawValue>,
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: Option<&'a RawValue>,
    pub(super) params: Option<&'a RawValue>,
    pub(super) result: Option<&'a RawValue>,
    pub(super) error: Option<&'a RawValue>,
}

/// What of the parameters is read once, for every method may need it.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) meta: Option<Box<RawValue>>,
    pub(super) name: Option<Box<RawValue>>,
    pub(super) uri: Option<Box<RawValue>>,
    pub(super) arguments: Option<Box<RawValue>>,
    /// Whether there is more than that.
    pub(super) has_others: bool,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum MemberName {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    Other(Unlike<false>),
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum ParamName {
    #[serde(rename = "_meta")]
    Meta,
    Name,
    Uri,
    Arguments,
    Other(Unlike<true>),
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Members::default();
        while let Some(name) = map.next_key()? {
            match name {
                MemberName::Jsonrpc => members.jsonrpc = Some(map.next_value()?),
                MemberName::Id => members.id = Some(map.next_value()?),
                MemberName::Method => members.method = Some(map.next_value()?),
                MemberName::Params => members.params = map.next_value()?,
                MemberName::Result => members.result = Some(map.next_value()?),
                MemberName::Error => members.error = Some(map.next_value()?),
                MemberName::Other(Unlike) => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(members)
    }
}

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeadVisitor)
    }
}

struct HeadVisitor;

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = Head;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Head, A::Error> {
        let mut head = Head::default();
        while let Some(name) = map.next_key()? {
            match name {
                ParamName::Meta => head.meta = map.next_value()?,
                ParamName::Name => head.name = map.next_value()?,
                ParamName::Uri => head.uri = map.next_value()?,
                ParamName::Arguments => head.arguments = map.next_value()?,
                ParamName::Other(Unlike) => {
                    head.has_others = true;
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(head)
    }
}

/// A name that is none of ours and cannot be taken for one.
struct Unlike<const IN_PARAMS: bool>;

impl<'de, const IN_PARAMS: bool> Deserialize<'de> for Unlike<IN_PARAMS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self)
    }
}

impl<const IN_PARAMS: bool> Visitor<'_> for Unlike<IN_PARAMS> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self, E> {
        let ours: &[&str] = if IN_PARAMS { &PARAMS } else { &MEMBERS };
        // In upper case first, for some letters have no other way down: `ſ` becomes `S`.
        let folded = name.to_uppercase().to_lowercase();
        if ours.contains(&folded.as_str()) {
            return Err(E::custom(format_args!("{folded} must be spelt in lower case")));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_ours_in_another_case_is_noticed() {
        let is_message = |text: &str| serde_json::from_str::<Members<'_>>(text).is_ok();
        for good in ["{}", r#"{"method":1,"id":null,"Other":3,"methods":4,"Name":5,"params":null}"#] {
            assert!(is_message(good), "{good}");
        }
        for bad in [r#"{"Method":1}"#, r#"{"id":1,"ID":2}"#, r#"{"p\u0041rams":1}"#, r#"{"param\u017f":1}"#] {
            assert!(!is_message(bad), "{bad}");
        }
        let is_head = |text: &str| serde_json::from_str::<Head>(text).is_ok();
        assert!(is_head(r#"{"name":1,"_meta":{"Name":1},"arguments":{"Name":1},"Cursor":1,"Method":2}"#));
        for bad in [r#"{"Name":1}"#, r#"{"name":1,"NAME":1}"#, r#"{"_Meta":1}"#, r#"{"Arguments":{}}"#] {
            assert!(!is_head(bad), "{bad}");
        }
    }
}
