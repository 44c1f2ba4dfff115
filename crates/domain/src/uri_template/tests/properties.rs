//! Properties of all templates and values: parsing never panics, and matching inverts expansion.
//!
//! iri-string 0.7.14 is not usable as an oracle for expansion: it panics on `{+a}` with "¡", and truncates " %" wrongly
//! in `{+a:1}`.

use proptest::prelude::*;

use super::*;

/// Templates in which the text after an expression cannot be part of its value, and their variables.
const INVERTIBLE_TEMPLATES: [(&str, &[&str]); 9] = [
    ("n://{a}/", &["a"]),
    ("n://{a}/{b}/c", &["a", "b"]),
    ("{a,b}/{c}", &["a", "b", "c"]),
    ("x{/a,b,c}", &["a", "b", "c"]),
    ("x{/a}{?b,c}", &["a", "b", "c"]),
    ("x{;a,b}/{c}", &["a", "b", "c"]),
    ("x{.a}/y{?b}{&c}", &["a", "b", "c"]),
    ("x/{a}{#b}", &["a", "b"]),
    ("x{?a}#y", &["a"]),
];

fn operator() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "+", "#", ".", "/", ";", "?", "&"])
}

proptest! {
    #[test]
    fn matching_inverts_expansion(case in prop::sample::select(INVERTIBLE_TEMPLATES.to_vec()), values in prop::array::uniform3("[^%]{1,12}")) {
        let (source, names) = case;
        let pairs: Vec<(String, String)> = names.iter().map(|&name| name.to_owned()).zip(values).collect();
        let template = template(source);
        let uri = template.expand(&pairs.iter().cloned().collect());
        prop_assert_eq!(template.matches(&uri), Some(pairs), "{} -> {}", source, uri);
    }

    #[test]
    fn reserved_values_without_triplets_are_matched(value in "[^%]{1,20}") {
        let template = template("file:///{+path}");
        let uri = template.expand(&Variables::new().with("path", value.as_str()));
        prop_assert_eq!(template.matches(&uri), Some(vec![("path".to_owned(), value)]));
    }

    #[test]
    fn the_expansion_of_a_match_matches_again(operator in operator(), uri in "[a-c/?#=&;.,%2]{0,12}") {
        let template = template(&format!("{{{operator}a,b}}/{{c}}"));
        if let Some(pairs) = template.matches(&uri) {
            let uri_again = template.expand(&pairs.iter().cloned().collect());
            prop_assert!(template.matches(&uri_again).is_some(), "{} -> {}", uri, uri_again);
        }
    }

    #[test]
    fn no_text_makes_the_parser_or_the_matcher_panic(source in "[{}a-c,:*?+#/%2é ]{0,16}", uri in ".{0,16}") {
        if let Ok(template) = UriTemplate::parse(&source) {
            let _ = template.matches(&uri);
        }
    }
}
