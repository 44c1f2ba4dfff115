//! Converts values to their declared type. The rules are as lenient as those of WordPress: "5" and 5.0 are 5,
//! "true" and 1 are true.

use serde_json::value::RawValue;
use toolgate_domain::fault::{Fault, FaultKind};
use toolgate_domain::json::{self, JsonObject};
use toolgate_domain::lenient;

use super::arg::{Arg, ArgKind, Items, NameMatching};
use super::input::Input;

/// A value of the declared type.
pub(crate) enum ArgValue {
    Null,
    Integer(i64),
    Boolean(bool),
    Text(String),
    Object(JsonObject),
    List(Vec<Box<RawValue>>),
}

/// The value of an argument; `None` if the argument is treated as not sent.
pub(super) fn coerce(arg: &Arg, input: &Input) -> Result<Option<ArgValue>, Fault> {
    if matches!(input, Input::Json(value) if json::is_null(value)) {
        return Ok(arg.is_nullable.then_some(ArgValue::Null));
    }
    if arg.may_be_empty && string(input).is_some_and(|text| text.is_empty()) {
        return Ok(None);
    }
    let name = arg.name;
    Ok(Some(match arg.kind {
        ArgKind::Integer { min, max } => ArgValue::Integer(integer(name, input, min, max)?),
        ArgKind::Boolean => lenient::boolean(&scalar(input))
            .map(ArgValue::Boolean)
            .ok_or_else(|| Fault::invalid_type(name, "boolean"))?,
        ArgKind::Text { max } => ArgValue::Text(text(name, input, max)?),
        ArgKind::Name { names, matching } => {
            ArgValue::Text(one_of(name, &text(name, input, usize::MAX)?, names, matching)?)
        }
        ArgKind::Object { max } => ArgValue::Object(object(name, input, max)?),
        ArgKind::Array { items } => ArgValue::List(array(name, input, items)?),
    }))
}

/// The text of a JSON string, or of a query value.
fn string(input: &Input) -> Option<String> {
    match input {
        Input::Json(value) => json::as_string(value),
        Input::Text(text) => Some(text.clone()),
    }
}

/// The text of a JSON string, or the JSON text of any other value.
fn scalar(input: &Input) -> String {
    match input {
        Input::Json(value) => json::as_string(value).unwrap_or_else(|| value.get().to_owned()),
        Input::Text(text) => text.clone(),
    }
}

fn integer(name: &str, input: &Input, min: i64, max: i64) -> Result<i64, Fault> {
    let number =
        lenient::parse_whole_number(scalar(input).trim()).ok_or_else(|| Fault::invalid_type(name, "integer"))?;
    if (i128::from(min)..=i128::from(max)).contains(&number) {
        return i64::try_from(number).map_err(|_| Fault::invalid_type(name, "integer"));
    }
    let message = match max {
        i64::MAX if number > i128::from(max) => format!("{name} must be less than or equal to {max}"),
        i64::MAX => format!("{name} must be greater than or equal to {min}"),
        _ => format!("{name} must be between {min} (inclusive) and {max} (inclusive)"),
    };
    Err(Fault::new(name, FaultKind::OutOfBounds, message))
}

fn text(name: &str, input: &Input, max: usize) -> Result<String, Fault> {
    let text = string(input).ok_or_else(|| Fault::invalid_type(name, "string"))?;
    if text.chars().count() > max {
        return Err(Fault::too_long(name, max, "characters"));
    }
    if text.contains('\0') {
        return Err(Fault::new(
            name,
            FaultKind::InvalidPattern,
            format!("{name} must not contain the character U+0000."),
        ));
    }
    Ok(text)
}

fn one_of(name: &str, text: &str, names: &[&str], matching: NameMatching) -> Result<String, Fault> {
    let text = match matching {
        NameMatching::Uppercase => text.to_ascii_uppercase(),
        NameMatching::Exact | NameMatching::OrEmpty => text.to_owned(),
    };
    // Some clients send `api_key` for `api-key`.
    let value = if text == "api_key" && names.contains(&"api-key") { "api-key".to_owned() } else { text };
    let is_allowed = names.contains(&value.as_str()) || (matching == NameMatching::OrEmpty && value.is_empty());
    if is_allowed { Ok(value) } else { Err(Fault::not_in(name, names)) }
}

/// An object. An empty array is accepted as an empty object, because PHP encodes it like that.
fn object(name: &str, input: &Input, max: usize) -> Result<JsonObject, Fault> {
    let object = match input {
        Input::Json(value) if value.get() == "[]" => Some(JsonObject::empty()),
        Input::Json(value) => JsonObject::from_raw(value),
        Input::Text(_) => None,
    };
    let object = object.ok_or_else(|| Fault::invalid_type(name, "object"))?;
    if object.as_str().len() > max { Err(Fault::too_long(name, max, "bytes")) } else { Ok(object) }
}

/// A list; also a comma-separated text, unless the items are objects.
fn array(name: &str, input: &Input, items: Items) -> Result<Vec<Box<RawValue>>, Fault> {
    if let Input::Json(value) = input
        && let Ok(list) = serde_json::from_str(value.get())
    {
        return Ok(list);
    }
    match string(input) {
        Some(text) if items != Items::Objects => {
            let words = text.split([',', ' ']).filter(|word| !word.is_empty());
            Ok(words.map(json::raw_string).collect())
        }
        _ => Err(Fault::invalid_type(name, "array")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::typed_arg;

    fn json(text: &str) -> Input {
        Input::Json(json::raw(text.to_owned()))
    }

    #[test]
    fn an_integer_may_be_text_or_a_number_without_a_fraction() {
        for good in ["5", "\"5\"", "5.0", "\"5.0\"", "5e0", "\" 5 \""] {
            assert_eq!(integer("n", &json(good), 1, 9).unwrap(), 5, "{good}");
        }
        for (bad, kind) in [
            ("5.5", FaultKind::InvalidType),
            ("\"\"", FaultKind::InvalidType),
            ("true", FaultKind::InvalidType),
            ("[]", FaultKind::InvalidType),
            ("\"NaN\"", FaultKind::InvalidType),
            ("0", FaultKind::OutOfBounds),
            ("1e300", FaultKind::OutOfBounds),
            ("99999999999999999999999999999999999999999", FaultKind::OutOfBounds),
        ] {
            assert_eq!(integer("n", &json(bad), 1, 9).unwrap_err().kind, kind, "{bad}");
        }
    }

    #[test]
    fn the_message_says_whether_a_number_is_too_large_or_too_small() {
        for (number, comparison) in
            [("0", "greater"), ("-9223372036854775809", "greater"), ("9223372036854775808", "less")]
        {
            let message = integer("n", &json(number), 1, i64::MAX).unwrap_err().message;
            assert!(message.contains(&format!("must be {comparison} than or equal to")), "{number}: {message}");
        }
    }

    #[test]
    fn an_empty_filter_is_treated_as_not_sent() {
        let number = || typed_arg::integer(&(1..=9), "");
        let filter = number().may_be_empty().named("n");
        assert!(coerce(&filter, &Input::Text(String::new())).unwrap().is_none());
        assert!(coerce(&filter, &json("\"\"")).unwrap().is_none());
        assert!(coerce(&filter, &Input::Text("0".to_owned())).is_err());
        assert!(coerce(&number().named("n"), &Input::Text(String::new())).is_err());
    }

    #[test]
    fn null_is_treated_as_not_sent_unless_the_argument_is_nullable() {
        let text = || typed_arg::text(5, "");
        assert!(coerce(&text().named("a"), &json("null")).unwrap().is_none());
        assert!(matches!(coerce(&text().nullable().named("a"), &json("null")), Ok(Some(ArgValue::Null))));
    }

    #[test]
    fn an_empty_php_array_is_an_empty_object() {
        assert_eq!(object("o", &json("[]"), 10).unwrap().as_str(), "{}");
        assert!(object("o", &json("[1]"), 10).is_err());
        assert!(object("o", &Input::Text("{}".into()), 10).is_err());
    }
}
