//! The fields of a request that its route does not know. They have no effect, and the reply names them.

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::json::JsonObject;

use super::arg::Arg;
use super::body::Inputs;
use super::input::Input;
use super::suggestion::suggest;

/// Maximum number of fields that a reply names.
const FIELDS_MAX: usize = 20;
/// Maximum length of a name in a reply, in characters.
const NAME_MAX: usize = 64;

/// The ignored fields of a request, by path (`timout`, `arguments[0][requierd]`), each with the name that it probably
/// means.
#[derive(Debug, Default)]
pub(crate) struct IgnoredFields {
    named: IndexMap<String, Option<String>>,
    /// Number of ignored fields beyond [`FIELDS_MAX`].
    unnamed_count: usize,
}

impl IgnoredFields {
    /// Finds the fields that are neither declared nor accepted for another reason. Suggestions are `declared` names and
    /// `accepted_names`.
    pub(crate) fn find(
        declared: &[&Arg],
        accepted_names: &[&str],
        inputs: &Inputs,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Self {
        let mut ignored = Self::default();
        let names = || declared.iter().map(|arg| arg.name).chain(accepted_names.iter().copied());
        for (name, input) in inputs.iter() {
            match declared.iter().find(|arg| arg.name == name) {
                Some(arg) => ignored.add_members(arg, input),
                None if accepted_names.contains(&name) || is_accepted(name) => {}
                None => ignored.add(name, name, names()),
            }
        }
        ignored
    }

    /// Adds the undeclared members of list items; see [`Arg::item_members`].
    fn add_members(&mut self, arg: &Arg, input: &Input) {
        let Some(known) = arg.item_members() else { return };
        let Input::Json(value) = input else { return };
        let items: Vec<Box<RawValue>> = serde_json::from_str(value.get()).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let members = JsonObject::from_raw(item).map(|object| object.members()).unwrap_or_default();
            for name in members.keys().filter(|name| !known.contains_key(name.as_str())) {
                let path = format!("{}[{index}][{name}]", arg.name);
                self.add(&path, name, known.keys().map(String::as_str));
            }
        }
    }

    fn add<'a>(&mut self, path: &str, name: &str, candidates: impl Iterator<Item = &'a str> + Clone) {
        if self.named.len() < FIELDS_MAX {
            self.named.insert(path.to_owned(), suggest(name, candidates).map(str::to_owned));
        } else {
            self.unnamed_count = self.unnamed_count.saturating_add(1);
        }
    }

    /// The fields as the value of a header: `timout (did you mean timeout?), colour, and 2 more`. `None` if there are
    /// none.
    pub(crate) fn header_value(&self) -> Option<String> {
        let mut parts: Vec<String> = self
            .named
            .iter()
            .map(|(path, suggestion)| match suggestion {
                Some(meant) => format!("{} (did you mean {meant}?)", printable(path)),
                None => printable(path),
            })
            .collect();
        if self.unnamed_count > 0 {
            parts.push(format!("and {} more", self.unnamed_count));
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The fields as faults, for a request that must not contain any.
    pub(crate) fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        for (path, suggestion) in &self.named {
            let field = shortened(path);
            let message = match suggestion {
                Some(meant) => format!("{field} is not a known field; did you mean {meant}?"),
                None => format!("{field} is not a known field; remove it. OPTIONS on this path lists the fields."),
            };
            faults.push(Fault::new(field, FaultKind::UnknownField, message));
        }
        faults
    }
}

/// The path as part of a header: other characters than printable ASCII, and commas, are replaced.
fn printable(path: &str) -> String {
    let is_plain = |c: &char| (c.is_ascii_graphic() || *c == ' ') && *c != ',';
    let text: String = shortened(path).chars().map(|c| if is_plain(&c) { c } else { '?' }).collect();
    if text.trim().is_empty() { "\"\"".to_owned() } else { text }
}

fn shortened(path: &str) -> String {
    if path.chars().nth(NAME_MAX).is_none() {
        return path.to_owned();
    }
    path.chars().take(NAME_MAX).chain("...".chars()).collect()
}

impl Arg {
    /// The declared members of a list item, if the service drops all others.
    fn item_members(&self) -> Option<&serde_json::Map<String, Value>> {
        let schema = self.extra_schema.as_ref().filter(|_| self.drops_other_members)?;
        schema["items"]["properties"].as_object()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;
    use serde_json::json;

    use super::*;
    use crate::params::arg::Items;
    use crate::params::body_format::BodyFormat;
    use crate::params::typed_arg;

    fn find(body: &str) -> IgnoredFields {
        let timeout = typed_arg::integer(&(1..=9), "").named("timeout");
        let properties = json!({"items": {"properties": {"name": {}, "required": {}}}});
        let list = || typed_arg::array(Items::Objects, "").with_schema(properties.clone());
        let (dropping, storing) = (list().drops_other_members().named("arguments"), list().named("messages"));
        let mut inputs = Inputs::from_query("_fields=id&strcit=1");
        inputs.add_body(BodyFormat::Arguments, &HeaderMap::new(), &Bytes::from(body.to_owned())).unwrap();
        IgnoredFields::find(&[&timeout, &dropping, &storing], &["_fields", "strict"], &inputs, |name| name == "id")
    }

    #[test]
    fn unknown_fields_are_named_with_a_suggestion_and_known_ones_are_not() {
        let ignored = find(r#"{"timeout":1,"id":2,"timout":3,"Über, x\r\n":4,"":5}"#);
        let expected = "strcit (did you mean strict?), timout (did you mean timeout?), ?ber? x??, \"\"";
        assert_eq!(ignored.header_value().unwrap(), expected);
    }

    #[test]
    fn members_of_items_are_named_if_they_are_dropped() {
        let items = r#"[{"name":"a","requierd":1},{"Name":1},2]"#;
        let ignored = find(&format!(r#"{{"arguments":{items},"messages":{items}}}"#));
        let expected = "strcit (did you mean strict?), arguments[0][requierd] (did you mean required?), arguments[1][Name] (did you mean name?)";
        assert_eq!(ignored.header_value().unwrap(), expected);
    }

    #[test]
    fn the_number_and_the_length_of_names_are_limited() {
        let members: Vec<String> = (0..1000).map(|n| format!("\"{n}{}\":1", "é".repeat(1000))).collect();
        let value = find(&format!("{{{}}}", members.join(","))).header_value().unwrap();
        assert!(value.ends_with("???..., and 981 more"), "{value}");
        assert!(value.len() < 2000 && value.is_ascii(), "{value}");
        assert_eq!(find(&format!("{{{}}}", members.join(","))).faults().iter().count(), FIELDS_MAX);
    }

    #[test]
    fn faults_name_the_field_and_the_suggestion() {
        let faults = find(r#"{"timout":1,"colour":2}"#).faults();
        let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(
            messages[1..],
            [
                "timout is not a known field; did you mean timeout?",
                "colour is not a known field; remove it. OPTIONS on this path lists the fields."
            ]
        );
        assert!(IgnoredFields::default().faults().is_empty());
        assert_eq!(IgnoredFields::default().header_value(), None);
    }
}
