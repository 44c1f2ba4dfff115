//! The tables of styles in the OpenAPI specification, and the values that it leaves open.

use toolgate_domain::parameters::{ParameterStyle, Serialization};

use super::*;
use crate::tool::url::push_encoded;

const LIST: &str = r#"["a","b c"]"#;
const OBJECT: &str = r#"{"k":1,"m":"x,y"}"#;

fn serialization(style: ParameterStyle, explode: bool) -> Serialization {
    Serialization { style, explode, allow_reserved: false }
}

fn query(style: ParameterStyle, explode: bool, value: &str) -> String {
    let mut pairs = Vec::new();
    for_each_pair(serialization(style, explode), "p", value, push_encoded, |name, value| {
        pairs.push(format!("{name}={value}"));
    });
    pairs.join("&")
}

#[test]
fn texts_in_the_path_and_in_headers_follow_their_style() {
    use ParameterStyle::{Json, Label, Matrix, Simple};
    for (style, explode, scalar, list, object) in [
        (Simple, false, "a%2Fb", "a,b%20c", "k,1,m,x%2Cy"),
        (Simple, true, "a%2Fb", "a,b%20c", "k=1,m=x%2Cy"),
        (Label, false, ".a%2Fb", ".a,b%20c", ".k,1,m,x%2Cy"),
        (Label, true, ".a%2Fb", ".a.b%20c", ".k=1.m=x%2Cy"),
        (Matrix, false, ";p=a%2Fb", ";p=a,b%20c", ";p=k,1,m,x%2Cy"),
        (Matrix, true, ";p=a%2Fb", ";p=a;p=b%20c", ";k=1;m=x%2Cy"),
        (Json, false, "%22a%2Fb%22", "%5B%22a%22%2C%22b%20c%22%5D", "%7B%22k%22%3A1%2C%22m%22%3A%22x%2Cy%22%7D"),
    ] {
        for (value, expected) in [("\"a/b\"", scalar), (LIST, list), (OBJECT, object)] {
            let written = text(serialization(style, explode), "p", value, push_encoded);
            assert_eq!(written.as_deref(), Some(expected), "{style:?} {explode} {value}");
        }
    }
    let header = text(serialization(ParameterStyle::Simple, true), "p", OBJECT, String::push_str);
    assert_eq!(header.as_deref(), Some("k=1,m=x,y"), "headers are not percent-encoded");
}

#[test]
fn pairs_in_the_query_follow_their_style() {
    use ParameterStyle::{DeepObject, Form, Json, PipeDelimited, SpaceDelimited, TabDelimited};
    for (style, explode, scalar, list, object) in [
        (Form, true, "p=a%2Fb", "p=a&p=b%20c", "k=1&m=x%2Cy"),
        (Form, false, "p=a%2Fb", "p=a,b%20c", "p=k,1,m,x%2Cy"),
        (SpaceDelimited, false, "p=a%2Fb", "p=a%20b%20c", "p=k%201%20m%20x%2Cy"),
        (SpaceDelimited, true, "p=a%2Fb", "p=a&p=b%20c", "k=1&m=x%2Cy"),
        (PipeDelimited, false, "p=a%2Fb", "p=a%7Cb%20c", "p=k%7C1%7Cm%7Cx%2Cy"),
        (TabDelimited, false, "p=a%2Fb", "p=a%09b%20c", "p=k%091%09m%09x%2Cy"),
        (DeepObject, true, "p=a%2Fb", "p[0]=a&p[1]=b%20c", "p[k]=1&p[m]=x%2Cy"),
        (Json, false, "p=%22a%2Fb%22", "p=%5B%22a%22%2C%22b%20c%22%5D", "p=%7B%22k%22%3A1%2C%22m%22%3A%22x%2Cy%22%7D"),
    ] {
        for (value, expected) in [("\"a/b\"", scalar), (LIST, list), (OBJECT, object)] {
            assert_eq!(query(style, explode, value), expected, "{style:?} {explode} {value}");
        }
    }
}

#[test]
fn nulls_and_empty_values_are_left_out() {
    use ParameterStyle::{DeepObject, Form, Matrix, Simple, SpaceDelimited};
    for style in [Form, SpaceDelimited, DeepObject] {
        for (value, expected) in [("null", ""), ("[]", ""), ("{}", ""), ("[null]", ""), (r#"{"k":null}"#, "")] {
            assert_eq!(query(style, true, value), expected, "{style:?} {value}");
        }
    }
    assert_eq!(query(Form, true, r#"["a",null,""]"#), "p=a&p=");
    assert_eq!(query(Form, true, r#""""#), "p=", "an empty text is a value");
    for value in ["null", "[]", "{}"] {
        assert_eq!(text(serialization(Simple, false), "p", value, push_encoded), None, "{value}");
    }
    assert_eq!(text(serialization(Matrix, false), "p", r#""""#, push_encoded).as_deref(), Some(";p"));
}

#[test]
fn nested_values_are_brackets_in_deep_objects_and_json_elsewhere() {
    let nested = r#"{"a":{"b":[1,{"c":true}]},"n":123456789012345678901234}"#;
    assert_eq!(
        query(ParameterStyle::DeepObject, false, nested),
        "p[a][b][0]=1&p[a][b][1][c]=true&p[n]=123456789012345678901234"
    );
    assert_eq!(query(ParameterStyle::Form, true, r#"[{"a":1}]"#), "p=%7B%22a%22%3A1%7D");
}
