//! Splits the query of a URL into parameters that can become arguments and fixed parts.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::url_key::{ImportedKey, UrlKeyFault};
use crate::request::body::{FIELDS_MAX, Field};
use crate::request::urlencoded_form;
use crate::spelling::to_snake_case;
use crate::tables::{CREDENTIALS_IN_QUERY, FIXED_IN_QUERY, NOISE_QUERY};

/// The query of one request.
#[derive(Debug, Default)]
pub(super) struct ExampleQuery {
    /// Parameters that can become arguments, by decoded name.
    pub(super) parameters: IndexMap<String, QueryParameter>,
    /// Pieces that stay as written.
    pub(super) fixed: Vec<QueryPiece>,
}

/// A query parameter with all of its values.
#[derive(Debug, Default)]
pub(super) struct QueryParameter {
    /// The decoded values.
    pub(super) field: Field,
    /// The values as written.
    pub(super) pieces: Vec<QueryPiece>,
}

/// One piece of a query, between ampersands.
#[derive(Clone, Debug)]
pub(super) struct QueryPiece {
    /// Its position in the query.
    pub(super) index: usize,
    /// The text as written.
    pub(super) text: String,
    /// The decoded name; `None` if it contains a placeholder.
    pub(super) name: Option<String>,
}

impl ExampleQuery {
    /// Splits a query. An argument replaces all values of its name, so if one value of a name must stay in the URL, all
    /// of them stay.
    pub(super) fn parse(query: &str) -> Self {
        if query.split('&').count() > FIELDS_MAX {
            // More parameters than a tool can have arguments.
            let whole_query = QueryPiece { index: 0, text: query.to_owned(), name: None };
            return Self { fixed: vec![whole_query], ..Self::default() };
        }
        let pieces: Vec<(QueryPiece, Option<String>)> =
            query.split('&').enumerate().filter(|(_, text)| !text.is_empty()).map(parse_piece).collect();
        let fixed_names: HashSet<String> =
            pieces.iter().filter(|(_, value)| value.is_none()).filter_map(|(piece, _)| piece.name.clone()).collect();
        let mut parsed = Self::default();
        for (piece, value) in pieces {
            match (piece.name.clone().filter(|name| !fixed_names.contains(name)), value) {
                (Some(name), Some(value)) => {
                    let parameter = parsed.parameters.entry(name.clone()).or_default();
                    parameter.field.add(&name, value);
                    parameter.pieces.push(piece);
                }
                _ => parsed.fixed.push(piece),
            }
        }
        parsed
    }

    /// Removes the parameters that the API does not need; returns their names.
    pub(super) fn remove_noise(&mut self) -> Vec<String> {
        let noise = self.take_parameters(|name, _| NOISE_QUERY.contains(&name.to_ascii_lowercase()));
        noise.into_iter().map(|(name, _)| format!("parameter {name}")).collect()
    }

    /// Whether the query signs the URL.
    pub(super) fn is_signed(&self) -> bool {
        let names: Vec<String> = self.parameters.keys().map(|name| to_snake_case(name)).collect();
        let has = |expected: &str| names.iter().any(|name| name == expected);
        ["x_amz_signature", "x_goog_signature", "signature"].iter().any(|name| has(name))
            || (has("sig") && (has("se") || has("sv")))
    }

    /// Moves up to `max` keys out of the query. `warn` is called for each other key, which stays in the query.
    pub(super) fn take_keys(&mut self, max: usize, mut warn: impl FnMut(&str, UrlKeyFault)) -> Vec<ImportedKey> {
        let mut keys = Vec::new();
        let is_key = |name: &str, parameter: &QueryParameter| {
            let has_value = parameter.field.values.iter().any(|value| !value.is_empty());
            has_value && CREDENTIALS_IN_QUERY.contains(&to_snake_case(name))
        };
        for (name, parameter) in self.take_parameters(is_key) {
            let key = match parameter.field.values.as_slice() {
                [_] if keys.len() >= max => Err(UrlKeyFault::TooMany),
                [value] => ImportedKey::in_query(&name, value).ok_or(UrlKeyFault::InvalidValue),
                _ => Err(UrlKeyFault::Repeated),
            };
            match key {
                Ok(key) => keys.push(key),
                Err(reason) => {
                    warn(&name, reason);
                    self.fixed.extend(parameter.pieces);
                }
            }
        }
        keys
    }

    /// Makes the parameters that select the operation fixed; with `includes_all`, all parameters.
    pub(super) fn fix(&mut self, includes_all: bool) {
        let fixed = self.take_parameters(|name, _| includes_all || FIXED_IN_QUERY.contains(name));
        self.fixed.extend(fixed.into_iter().flat_map(|(_, parameter)| parameter.pieces));
    }

    /// The value of the first parameter that selects the operation.
    pub(super) fn operation(&self) -> Option<&str> {
        let selects = |piece: &&QueryPiece| piece.name.as_ref().is_some_and(|name| FIXED_IN_QUERY.contains(name));
        self.fixed.iter().find(selects).and_then(|piece| Some(piece.text.split_once('=')?.1))
    }

    fn take_parameters(&mut self, is_taken: impl Fn(&str, &QueryParameter) -> bool) -> Vec<(String, QueryParameter)> {
        let all = std::mem::take(&mut self.parameters);
        let (taken, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(name, parameter)| is_taken(name, parameter));
        self.parameters.extend(others);
        taken
    }
}

/// Joins pieces in their original order; `None` if there are none.
pub(super) fn to_query_string(mut pieces: Vec<&QueryPiece>) -> Option<String> {
    pieces.sort_by_key(|piece| piece.index);
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("&"))
}

/// Parses a piece. Also returns its decoded value, if the piece can become an argument.
fn parse_piece((index, text): (usize, &str)) -> (QueryPiece, Option<String>) {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let decode = |text| urlencoded_form::decode(text).map(Cow::into_owned);
    let name = (!name.contains('{')).then(|| decode(name));
    let value = value.map(decode);
    let argument = match (&name, value) {
        (Some(Ok(name)), Some(Ok(value))) if !name.is_empty() => Some(value),
        _ => None,
    };
    let name = name.map(|name| name.unwrap_or_else(|lossy| lossy));
    (QueryPiece { index, text: text.to_owned(), name }, argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::url_key;

    /// The parameters with their values, and the fixed part.
    fn split(query: &str) -> (Vec<String>, Option<String>) {
        let query = ExampleQuery::parse(query);
        let parameters =
            query.parameters.iter().map(|(name, parameter)| format!("{name}:{}", parameter.field.values.join("|")));
        (parameters.collect(), to_query_string(query.fixed.iter().collect()))
    }

    /// The names of at most `max` keys, the fixed part, and the names of the other keys with the reason.
    fn take_keys(query: &str, max: usize) -> (String, Option<String>, String) {
        let mut query = ExampleQuery::parse(query);
        let mut open = Vec::new();
        let keys = query.take_keys(max, |name, reason| open.push(format!("{name}:{reason:?}")));
        let keys = url_key::to_json(&keys).to_string();
        (keys, to_query_string(query.fixed.iter().collect()), open.join(" "))
    }

    #[test]
    fn pairs_become_parameters() {
        assert_eq!(
            split("a=1&b=x%20y+z&c=&a=2&&d=%3D="),
            (vec!["a:1|2".into(), "b:x y z".into(), "c:".into(), "d:==".into()], None)
        );
        let query = ExampleQuery::parse("ids[]=1&ids%5B%5D=2&x[]=3&y=4");
        assert_eq!(
            query.parameters.iter().map(|(_, parameter)| parameter.field.is_list).collect::<Vec<_>>(),
            [true, true, false]
        );
        assert_eq!(query.parameters["ids[]"].field.values, ["1", "2"]);
    }

    #[test]
    fn pieces_that_cannot_become_arguments_are_fixed() {
        for (query, parameters, fixed) in [
            ("flag&a=1", vec!["a:1"], Some("flag")),
            ("=1&a=1", vec!["a:1"], Some("=1")),
            ("b=%FF&a=1&%FF=2", vec!["a:1"], Some("b=%FF&%FF=2")),
            ("q={query}&a=1", vec!["q:{query}", "a:1"], None),
            ("{name}=1&a=1", vec!["a:1"], Some("{name}=1")),
            ("&", vec![], None),
            ("", vec![], None),
        ] {
            assert_eq!(
                split(query),
                (parameters.into_iter().map(str::to_owned).collect(), fixed.map(str::to_owned)),
                "{query}"
            );
        }
    }

    #[test]
    fn all_values_of_a_name_are_fixed_if_one_is_fixed() {
        assert_eq!(split("a=1&x=2&a&y=3"), (vec!["x:2".into(), "y:3".into()], Some("a=1&a".into())));
        assert_eq!(split("%61=1&a=%FF"), (vec![], Some("%61=1&a=%FF".into())));
    }

    #[test]
    fn keys_move_out_of_the_query() {
        let key = |name: &str| format!(r#"{{"key_name":"{name}","key_value":"k","key_location":"query"}}"#);
        for name in ["access_token", "AUTH-TOKEN", "key", "apiKey", "appid", "app_id", "subscription-key"] {
            assert_eq!(take_keys(&format!("{name}=k&a=1"), 8), (key(name), None, String::new()));
        }
        let both = format!(r#"{{"keys":[{},{}]}}"#, key("app_id"), key("app_key"));
        assert_eq!(take_keys("app_id=k&app_key=k", 8).0, both);
        for query in ["keys=k", "token=", "a=1"] {
            assert_eq!(take_keys(query, 8).0, r#"{"keys":[]}"#, "{query}");
        }
    }

    #[test]
    fn keys_that_cannot_be_credentials_stay_in_the_query_with_a_warning() {
        assert_eq!(take_keys("key=k&a=1", 0).1, Some("key=k".into()));
        assert_eq!(take_keys("token=a&key=b", 1).2, "key:TooMany");
        assert_eq!(take_keys("token=a&token=b", 8).1, Some("token=a&token=b".into()));
        assert_eq!(take_keys("token=a&token=b", 8).2, "token:Repeated");
        assert_eq!(take_keys("token=a&token=b", 0).2, "token:Repeated");
        assert_eq!(take_keys("token=%00", 8).2, "token:InvalidValue");
    }

    #[test]
    fn noise_is_removed_and_signatures_are_recognised() {
        let mut query = ExampleQuery::parse("_=1718&UTM_source=a&a=1&action=list_users");
        assert_eq!(query.remove_noise(), ["parameter _", "parameter UTM_source"]);
        query.fix(false);
        assert_eq!((query.operation(), query.parameters.len()), (Some("list_users"), 1));
        for (text, is_signed) in [("X-Amz-Signature=a", true), ("sig=a&sv=1", true), ("sig=a", false), ("", false)] {
            assert_eq!(ExampleQuery::parse(text).is_signed(), is_signed, "{text}");
        }
    }
}
