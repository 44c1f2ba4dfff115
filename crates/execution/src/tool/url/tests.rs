//! Tests of the URLs that are built from templates and values.

use toolgate_domain::parameters::ParameterStyle;

use super::*;

/// The URL with each placeholder filled by the JSON text given for it.
fn fill(template: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let endpoint = EndpointTemplate::compile(template).unwrap();
    let value = |name: &str| {
        let found = values.iter().find(|(value_name, _)| *value_name == name);
        found.map(|(_, text)| *text).filter(|text| *text != "null")
    };
    let slot_values: Vec<SlotValue<'_>> = endpoint
        .placeholders()
        .iter()
        .map(|placeholder| SlotValue {
            argument: &placeholder.name,
            value: value(&placeholder.name),
            serialization: None,
        })
        .collect();
    endpoint
        .build_uri(&slot_values, &[], UrlKeys::default())
        .map(|uri| uri.to_string())
        .map_err(|violation| violation.to_string())
}

#[test]
fn literal_text_becomes_a_valid_url() {
    for (template, expected) in [
        ("https://api.example", "https://api.example/"),
        ("HTTPS://API.Example:443/A/b", "https://api.example/A/b"),
        ("http://api.example:8080/", "http://api.example:8080/"),
        ("https://bücher.example/ä?ö=ü", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]:81/", "http://[::1]:81/"),
        ("https://a.example/x#frag", "https://a.example/x"),
        ("https://a.example?x=1", "https://a.example/?x=1"),
        ("https://a.example/?", "https://a.example/"),
        ("https://a.example/a/../b/./c/%2e%2E/d", "https://a.example/b/d"),
        ("https://a.example/%41%2f%zz%4", "https://a.example/%41%2f%25zz%254"),
        ("https://a.example/|^`\"<>[]", "https://a.example/%7C%5E%60%22%3C%3E%5B%5D"),
        ("https://a.example/?ids[]=1|2'\"<>`^\\", "https://a.example/?ids%5B%5D=1%7C2%27%22%3C%3E%60%5E%5C"),
        ("https://a.example/a;b=1,c:@!$&'()*+", "https://a.example/a;b=1,c:@!$&'()*+"),
        ("https://a.example/?a=1&&b&c=", "https://a.example/?a=1&b&c="),
        ("https://a.example//x//", "https://a.example//x//"),
    ] {
        assert_eq!(fill(template, &[]).as_deref(), Ok(expected), "{template}");
    }
}

#[test]
fn an_invalid_url_does_not_compile() {
    for template in ["", "x", "ftp://a.example/", "https://u@a.example/", "https://{h}/", "https://a.example:{p}/"] {
        assert!(EndpointTemplate::compile(template).is_none(), "{template}");
    }
}

#[test]
fn path_values_are_one_segment() {
    for (value, written) in [
        ("\"a/b\"", "a%2Fb"),
        ("\"é ?#%;:@&=+,\"", "%C3%A9%20%3F%23%25%3B%3A%40%26%3D%2B%2C"),
        ("\"-._~aZ9\"", "-._~aZ9"),
        ("\"...\"", "..."),
        ("\"%2e%2e\"", "%252e%252e"),
        ("\"..\\\\..\"", "..%5C.."),
        ("123456789012345678901234", "123456789012345678901234"),
        ("1.0", "1.0"),
        ("1e400", "1e400"),
        ("false", "false"),
        ("[1,\"a,b\",null,true]", "1%2Ca%2Cb%2Ctrue"),
    ] {
        let expected = format!("https://a.example/x/{written}/y");
        assert_eq!(fill("https://a.example/x/{v}/y", &[("v", value)]), Ok(expected), "{value}");
    }
}

#[test]
fn empty_and_dot_path_values_are_refused() {
    for (value, reason) in [
        ("\"\"", "'v': must not be empty: it is part of the URL"),
        ("[]", "'v': must not be empty: it is part of the URL"),
        ("\".\"", "'v': must not be '.' or '..': it is part of the URL"),
        ("\"..\"", "'v': must not be '.' or '..': it is part of the URL"),
        ("[\"..\"]", "'v': must not be '.' or '..': it is part of the URL"),
        ("\"a\\u0000\"", "'v': must not contain control characters: it is part of the URL"),
        ("\"\\r\\n\"", "'v': must not contain control characters: it is part of the URL"),
        ("{}", "'v': must be a string, a number, a boolean, or a list of these: it is part of the URL"),
        ("[[1]]", "'v': must be a string, a number, a boolean, or a list of these: it is part of the URL"),
        ("null", "'v' is required: it is part of the URL"),
    ] {
        for template in ["https://a.example/{v}", "https://a.example/x.{v}{v}/y"] {
            assert_eq!(fill(template, &[("v", value)]), Err(reason.to_owned()), "{value}");
        }
    }
    assert_eq!(fill("https://a.example/{v}", &[]), Err("'v' is required: it is part of the URL".to_owned()));
}

#[test]
fn placeholders_may_share_a_segment_and_occur_twice() {
    let values = [("a", "\"1/\""), ("b", "2")];
    assert_eq!(
        fill("https://a.example/{a}-{b}.json/{a}?x={b}", &values).unwrap(),
        "https://a.example/1%2F-2.json/1%2F?x=2"
    );
    assert_eq!(fill("https://a.example/zq0x/zq1{a}{b}zq0x", &values).unwrap(), "https://a.example/zq0x/zq11%2F2zq0x");
    assert_eq!(fill("https://a.example/%{b}/%4{b}", &values).unwrap(), "https://a.example/%252/%2542");
}

#[test]
fn placeholders_that_the_url_drops_need_no_value() {
    assert_eq!(fill("https://a.example/x#{a}", &[]).unwrap(), "https://a.example/x");
    assert_eq!(fill("https://a.example/{a}/../x", &[]).unwrap(), "https://a.example/x");
    assert_eq!(fill("https://a.example/{a}/../{b}", &[("b", "1")]).unwrap(), "https://a.example/1");
}

#[test]
fn placeholders_in_the_query_are_encoded_or_omitted() {
    for (template, value, query) in [
        ("q={v}", "\"a b&c=d+é\"", "?q=a%20b%26c%3Dd%2B%C3%A9"),
        ("q={v}", "\"\"", "?q="),
        ("q={v}", "[1,null,\"x\"]", "?q=1&q=x"),
        ("q={v}", "[]", ""),
        ("q={v}", "{\"a\":1}", "?q=%7B%22a%22%3A1%7D"),
        ("q={v}", "true", "?q=true"),
        ("q={v}", "null", ""),
        ("a=1&q={v}&b=2", "null", "?a=1&b=2"),
        ("q=x:{v}", "null", "?q=x:"),
        ("q=x:{v}", "\"&\"", "?q=x:%26"),
        ("q=x:{v}", "[1,2]", "?q=x:1%2C2"),
        ("q={v}y", "{\"a\":[1]}", "?q=%7B%22a%22%3A%5B1%5D%7Dy"),
        ("q=a={v}", "null", "?q=a="),
        ("{v}=1", "\"k=\"", "?k%3D=1"),
        ("{v}", "\"k\"", "?k"),
        ("a&{v}", "null", "?a"),
    ] {
        let expected = format!("https://a.example/{query}");
        let template = format!("https://a.example/?{template}");
        assert_eq!(fill(&template, &[("v", value)]), Ok(expected), "{template} {value}");
    }
}

#[test]
fn an_argument_replaces_a_literal_pair_and_the_key_replaces_both() {
    let endpoint = EndpointTemplate::compile("https://a.example/?a=1&b=2&%61=3&c").unwrap();
    let (value, list) = ("\"x\"", "[1,2]");
    let build_uri = |query: &[(&str, &str)], keys: &[UrlKey]| {
        let query: Vec<_> =
            query.iter().map(|&(name, value)| QueryArgument { name, value, serialization: None }).collect();
        endpoint.build_uri(&[], &query, UrlKeys { keys, is_masked: false }).unwrap().to_string()
    };
    assert_eq!(build_uri(&[("a", value)], &[]), "https://a.example/?b=2&c&a=x");
    assert_eq!(build_uri(&[("b", list), ("d e", value)], &[]), "https://a.example/?a=1&%61=3&c&b=1&b=2&d%20e=x");
    let key = UrlKey::in_query("a", &"KEY".into());
    assert_eq!(build_uri(&[("a", value), ("b", value)], &[key]), "https://a.example/?c&b=x&a=KEY");
}

#[test]
fn a_key_in_the_path_is_one_segment_in_every_form() {
    let endpoint = EndpointTemplate::compile("https://a.example/bot{token}/x").unwrap();
    for (key, segment) in [("123:AbC_-", "123%3AAbC_-"), ("a/../b?c#d%2e é", "a%2F..%2Fb%3Fc%23d%252e%20%C3%A9")] {
        let keys = [UrlKey::in_path("token", &key.into()).unwrap()];
        let uri = |is_masked| endpoint.build_uri(&[], &[], UrlKeys { keys: &keys, is_masked }).unwrap().to_string();
        assert_eq!(uri(false), format!("https://a.example/bot{segment}/x"));
        assert_eq!(uri(true), "https://a.example/bot********/x");
        assert!(!format!("{keys:?}").contains(key));
    }
    for refused in ["", ".", "..", "a\nb"] {
        assert!(UrlKey::in_path("token", &refused.into()).is_none(), "{refused:?}");
    }
}

const FORM: Serialization = Serialization { style: ParameterStyle::Form, explode: true, allow_reserved: false };

#[test]
fn members_of_an_exploded_object_replace_literal_pairs_and_never_a_key() {
    let endpoint = EndpointTemplate::compile("https://a.example/?k=1&p=2").unwrap();
    let query = [QueryArgument { name: "p", value: r#"{"k":3,"key":4}"#, serialization: Some(FORM) }];
    let key = UrlKey::in_query("key", &"KEY".into());
    let uri = endpoint.build_uri(&[], &query, UrlKeys { keys: &[key], is_masked: false }).unwrap();
    assert_eq!(uri.to_string(), "https://a.example/?p=2&k=3&key=KEY");
}

#[test]
fn reserved_characters_stay_in_the_query_unless_they_end_the_value() {
    let endpoint = EndpointTemplate::compile("https://a.example/x").unwrap();
    let serialization = Some(Serialization { allow_reserved: true, ..FORM });
    let query = [QueryArgument { name: "p", value: r#""a/b?c[d]:@!$'()*+,;=&e#f g%h""#, serialization }];
    let uri = endpoint.build_uri(&[], &query, UrlKeys::default()).unwrap();
    assert_eq!(uri.to_string(), "https://a.example/x?p=a/b?c[d]:@!$'()*+,;=%26e%23f%20g%25h");
}

#[test]
fn a_styled_path_value_cannot_change_the_rest_of_the_path() {
    use ParameterStyle::{Label, Matrix, Simple};
    let endpoint = EndpointTemplate::compile("https://a.example/x/{p}/y").unwrap();
    let build_uri = |value, style, allow_reserved| {
        let serialization = Some(Serialization { style, explode: false, allow_reserved });
        let slot_value = SlotValue { argument: "p", value: Some(value), serialization };
        let uri = endpoint.build_uri(&[slot_value], &[], UrlKeys::default());
        uri.map(|uri| uri.path().to_owned()).map_err(|violation| violation.argument)
    };
    for (value, style, allow_reserved, expected) in [
        (r#""a/b?c""#, Simple, false, "/x/a%2Fb%3Fc/y"),
        (r#""a/b?c#d:e""#, Simple, true, "/x/a/b%3Fc%23d:e/y"),
        (r#"["a","b"]"#, Label, false, "/x/.a,b/y"),
        (r#"{"k":1}"#, Matrix, false, "/x/;p=k,1/y"),
    ] {
        assert_eq!(build_uri(value, style, allow_reserved).as_deref(), Ok(expected), "{value}");
    }
    for (value, style, allow_reserved) in [
        (r#"".""#, Label, false),
        (r#""""#, Label, false),
        (r#""..""#, Simple, false),
        ("[]", Simple, false),
        (r#""a/../b""#, Simple, true),
        (r#""a//b""#, Simple, true),
        (r#""a/""#, Simple, true),
        (r#""a\nb""#, Simple, true),
    ] {
        assert_eq!(build_uri(value, style, allow_reserved).as_deref(), Err(&"p".to_owned()), "{value}");
    }
}
