//! The query of an address, taken apart into what can be an argument and what cannot.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;
use toolgate_domain::upstream_auth::Credentials;

use crate::curl::auth;
use crate::curl::body::{FIELDS_MAX, Field};
use crate::curl::form_data;
use crate::curl::warnings::Warnings;

/// Names of credentials, in small letters and without `-` and `_`.
const CREDENTIALS: [&str; 20] = [
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
/// The name of one that is often just the public half: it counts only where there is no other.
const APP_ID: &str = "appid";

/// The query of one command.
#[derive(Debug, Default)]
pub(super) struct Query {
    /// What can be an argument, by its decoded name.
    pub(super) parameters: IndexMap<String, Parameter>,
    /// What stays as it is written.
    pub(super) fixed: Vec<QueryPiece>,
}

/// What stands under one name.
#[derive(Debug, Default)]
pub(super) struct Parameter {
    /// Its values, decoded.
    pub(super) field: Field,
    /// The same as written.
    pub(super) pieces: Vec<QueryPiece>,
}

/// One piece between ampersands.
#[derive(Clone, Debug)]
pub(super) struct QueryPiece {
    /// Its place in the query.
    pub(super) at: usize,
    /// As written.
    pub(super) text: String,
    /// The name that an upstream reads, unless it is only known when a placeholder is filled.
    pub(super) name: Option<String>,
}

impl Query {
    /// Takes a query apart. An argument replaces whatever else has its name, so what stands beside something that has
    /// to stay has to stay, too.
    pub(super) fn of(query: &str) -> Self {
        if query.split('&').count() > FIELDS_MAX {
            // more than a tool can have arguments
            let whole = QueryPiece { at: 0, text: query.to_owned(), name: None };
            return Self { fixed: vec![whole], ..Self::default() };
        }
        let pieces: Vec<(QueryPiece, Option<String>)> =
            query.split('&').enumerate().filter(|(_, text)| !text.is_empty()).map(read).collect();
        let staying: HashSet<String> =
            pieces.iter().filter(|(_, value)| value.is_none()).filter_map(|(piece, _)| piece.name.clone()).collect();
        let mut own = Self::default();
        for (piece, value) in pieces {
            match (piece.name.clone().filter(|name| !staying.contains(name)), value) {
                (Some(name), Some(value)) => own.parameters.entry(name.clone()).or_default().add(&name, piece, value),
                _ => own.fixed.push(piece),
            }
        }
        own
    }

    /// Takes out what is a credential, unless there is one already. Another one stays where it is.
    pub(super) fn settle_credentials(&mut self, credentials: &mut Option<Credentials>, warnings: &mut Warnings) {
        let has_one = credentials.is_some() || self.parameters.iter().any(|(name, own)| own.is_credential(name, false));
        for (name, own) in std::mem::take(&mut self.parameters) {
            if !own.is_credential(&name, !has_one) {
                self.parameters.insert(name, own);
                continue;
            }
            let key = match own.field.values.as_slice() {
                [value] if credentials.is_none() => auth::query_key(&name, value),
                _ => None,
            };
            if key.is_some() {
                *credentials = key;
                continue;
            }
            warnings.add(format!(
                "The query parameter {name} looks like a credential, but a tool has only one. It stays in \
                 endpoint_url, where everybody who may read the tool sees it."
            ));
            self.fixed.extend(own.pieces);
        }
    }
}

impl Parameter {
    fn add(&mut self, name: &str, piece: QueryPiece, value: String) {
        self.field.add(name, value);
        self.pieces.push(piece);
    }

    fn is_credential(&self, name: &str, counts_app_id: bool) -> bool {
        let plain: String = name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect();
        let is_named_so = CREDENTIALS.contains(&plain.as_str()) || (counts_app_id && plain == APP_ID);
        is_named_so && self.field.values.iter().any(|value| !value.is_empty())
    }
}

/// Pieces as a query, in their order.
pub(super) fn written(mut pieces: Vec<&QueryPiece>) -> Option<String> {
    pieces.sort_by_key(|piece| piece.at);
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join("&"))
}

/// A piece, and its value if it can be an argument.
fn read((at, text): (usize, &str)) -> (QueryPiece, Option<String>) {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let decode = |text| form_data::decode(text).map(Cow::into_owned);
    let name = (!name.contains('{')).then(|| decode(name));
    let value = value.filter(|value| !value.contains('{')).map(decode);
    let argument = match (&name, value) {
        (Some(Ok(name)), Some(Ok(value))) if !name.is_empty() => Some(value),
        _ => None,
    };
    let name = name.map(|name| name.unwrap_or_else(|lossy| lossy));
    (QueryPiece { at, text: text.to_owned(), name }, argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters with their values, and what stays.
    fn split(query: &str) -> (Vec<String>, Option<String>) {
        let query = Query::of(query);
        let parameters = query.parameters.iter().map(|(name, own)| format!("{name}:{}", own.field.values.join("|")));
        (parameters.collect(), written(query.fixed.iter().collect()))
    }

    /// The key, and what stays.
    fn settled(query: &str, has_one: bool) -> (String, Option<String>, usize) {
        let mut query = Query::of(query);
        let mut credentials = has_one.then(|| Credentials::Bearer { token: "t".into() });
        let mut warnings = Warnings::default();
        query.settle_credentials(&mut credentials, &mut warnings);
        let exposed = credentials.map(|credentials| credentials.expose().to_string()).unwrap_or_default();
        let warned = serde_json::to_value(&warnings).unwrap().as_array().unwrap().len();
        (exposed, written(query.fixed.iter().collect()), warned)
    }

    #[test]
    fn pairs_are_parameters() {
        assert_eq!(
            split("a=1&b=x%20y+z&c=&a=2&&d=%3D="),
            (vec!["a:1|2".into(), "b:x y z".into(), "c:".into(), "d:==".into()], None)
        );
        let query = Query::of("ids[]=1&ids%5B%5D=2&x[]=3&y=4");
        assert_eq!(query.parameters.iter().map(|(_, own)| own.field.is_list).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(query.parameters["ids[]"].field.values, ["1", "2"]);
    }

    #[test]
    fn what_cannot_make_the_round_trip_stays() {
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
    fn what_has_the_name_of_something_that_stays_stays_in_its_place() {
        assert_eq!(split("a=1&x=2&a&y=3"), (vec!["x:2".into(), "y:3".into()], Some("a=1&a".into())));
        assert_eq!(split("q=1&q={query}"), (vec![], Some("q=1&q={query}".into())));
        assert_eq!(split("%61=1&a=%FF"), (vec![], Some("%61=1&a=%FF".into())));
    }

    #[test]
    fn a_credential_leaves_the_query() {
        let key = |name: &str| format!(r#"{{"key_name":"{name}","key_value":"k","key_location":"query"}}"#);
        for name in ["access_token", "AUTH-TOKEN", "key", "apiKey", "appid", "app_id", "subscription-key"] {
            assert_eq!(settled(&format!("{name}=k&a=1"), false), (key(name), None, 0));
        }
        assert_eq!(settled("app_id=i&app_key=k", false), (key("app_key"), None, 0));
        for query in ["keys=k", "token=", "token={token}", "a=1"] {
            assert_eq!(settled(query, false).0, "", "{query}");
        }
    }

    #[test]
    fn a_second_credential_stays_with_a_warning() {
        let bearer = r#"{"token":"t"}"#.to_owned();
        assert_eq!(settled("key=k&a=1", true), (bearer.clone(), Some("key=k".into()), 1));
        assert_eq!(settled("appid=k", true), (bearer, None, 0));
        assert_eq!(settled("token=a&key=b", false).1, Some("key=b".into()));
        assert_eq!(settled("token=a&token=b", false), (String::new(), Some("token=a&token=b".into()), 1));
        assert_eq!(settled("token=%00", false), (String::new(), Some("token=%00".into()), 1));
    }
}
