//! Splits the query of a URL into parameters that can become arguments and fixed parts.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;
use toolgate_domain::upstream_auth::Credentials;

use crate::request::body::{FIELDS_MAX, Field};
use crate::request::{credentials, form_data};
use crate::warnings::Warnings;

/// Names of parameters that contain credentials, in lower case and without `-` and `_`.
const CREDENTIAL_NAMES: [&str; 20] = [
    "token",
    "accesstoken",
    "authtoken",
    "apitoken",
    "usertoken",
    "privatetoken",
    "key",
    "apikey",
    "authkey",
    "appkey",
    "accesskey",
    "secretkey",
    "devkey",
    "developerkey",
    "licensekey",
    "subscriptionkey",
    "ocpapimsubscriptionkey",
    "secret",
    "apisecret",
    "clientsecret",
];
/// The name of a parameter that often contains only the public half of a credential. It is treated as a credential only
/// if there is no other one.
const APP_ID_NAME: &str = "appid";

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
    /// As written.
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

    /// Moves a credential out of the query, unless the request has one already. Further credentials stay in the query.
    pub(super) fn extract_credentials(&mut self, credentials: &mut Option<Credentials>, warnings: &mut Warnings) {
        let has_credentials = credentials.is_some()
            || self.parameters.iter().any(|(name, parameter)| parameter.is_credential(name, false));
        for (name, parameter) in std::mem::take(&mut self.parameters) {
            if !parameter.is_credential(&name, !has_credentials) {
                self.parameters.insert(name, parameter);
                continue;
            }
            let key = match parameter.field.values.as_slice() {
                [value] if credentials.is_none() => credentials::query_key_credentials(&name, value),
                _ => None,
            };
            if key.is_some() {
                *credentials = key;
                continue;
            }
            warnings.add(format!(
                "The query parameter {name} looks like a credential, but a tool can have only one. It stays in \
                 endpoint_url, where everyone with read access to the tool can see it."
            ));
            self.fixed.extend(parameter.pieces);
        }
    }
}

impl QueryParameter {
    fn is_credential(&self, name: &str, includes_app_id: bool) -> bool {
        let plain: String = name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect();
        let has_credential_name =
            CREDENTIAL_NAMES.contains(&plain.as_str()) || (includes_app_id && plain == APP_ID_NAME);
        has_credential_name && self.field.values.iter().any(|value| !value.is_empty())
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
    let decode = |text| form_data::decode(text).map(Cow::into_owned);
    let name = (!name.contains('{')).then(|| decode(name));
    let value = value.filter(|value| !value.contains('{')).map(decode);
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

    /// The parameters with their values, and the fixed part.
    fn split(query: &str) -> (Vec<String>, Option<String>) {
        let query = ExampleQuery::parse(query);
        let parameters =
            query.parameters.iter().map(|(name, parameter)| format!("{name}:{}", parameter.field.values.join("|")));
        (parameters.collect(), to_query_string(query.fixed.iter().collect()))
    }

    /// The credentials, the fixed part and the number of warnings.
    fn extract(query: &str, has_credentials: bool) -> (String, Option<String>, usize) {
        let mut query = ExampleQuery::parse(query);
        let mut credentials = has_credentials.then(|| Credentials::Bearer { token: "t".into() });
        let mut warnings = Warnings::default();
        query.extract_credentials(&mut credentials, &mut warnings);
        let exposed = credentials.map(|credentials| credentials.expose().to_string()).unwrap_or_default();
        let warning_count = serde_json::to_value(&warnings).unwrap().as_array().unwrap().len();
        (exposed, to_query_string(query.fixed.iter().collect()), warning_count)
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
            ("q={query}&a=1", vec!["a:1"], Some("q={query}")),
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
        assert_eq!(split("q=1&q={query}"), (vec![], Some("q=1&q={query}".into())));
        assert_eq!(split("%61=1&a=%FF"), (vec![], Some("%61=1&a=%FF".into())));
    }

    #[test]
    fn a_credential_moves_out_of_the_query() {
        let key = |name: &str| format!(r#"{{"key_name":"{name}","key_value":"k","key_location":"query"}}"#);
        for name in ["access_token", "AUTH-TOKEN", "key", "apiKey", "appid", "app_id", "subscription-key"] {
            assert_eq!(extract(&format!("{name}=k&a=1"), false), (key(name), None, 0));
        }
        assert_eq!(extract("app_id=i&app_key=k", false), (key("app_key"), None, 0));
        for query in ["keys=k", "token=", "token={token}", "a=1"] {
            assert_eq!(extract(query, false).0, "", "{query}");
        }
    }

    #[test]
    fn a_second_credential_stays_in_the_query_with_a_warning() {
        let bearer = r#"{"token":"t"}"#.to_owned();
        assert_eq!(extract("key=k&a=1", true), (bearer.clone(), Some("key=k".into()), 1));
        assert_eq!(extract("appid=k", true), (bearer, None, 0));
        assert_eq!(extract("token=a&key=b", false).1, Some("key=b".into()));
        assert_eq!(extract("token=a&token=b", false), (String::new(), Some("token=a&token=b".into()), 1));
        assert_eq!(extract("token=%00", false), (String::new(), Some("token=%00".into()), 1));
    }
}
