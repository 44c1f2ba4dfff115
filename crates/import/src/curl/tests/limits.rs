//! Limits of tools: a part of a command that exceeds them is sent as text, is left out, or causes a warning.

use std::fmt::Write;

use serde_json::{Value, json};
use toolgate_domain::json;

use super::{draft, error_text, raw_body_text, warnings};

/// Maximum number of fields that become arguments.
const FIELDS_MAX: usize = 900;

fn infer(text: &str) -> Value {
    serde_json::to_value(crate::curl::infer(text).unwrap()).unwrap()
}

/// Joins the pieces with the numbers from 0 to `count - 1`.
fn join_numbered(count: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(separator)
}

#[test]
fn json_that_is_nested_too_deeply_to_be_wrapped_in_a_call_is_text() {
    for (open, close, body_type) in [("{\"a\":", "}", "json"), ("[", "]", "raw")] {
        // Brackets inside strings do not count.
        let nested = |depth| format!(r#"{}"[[\"[{{"{}"#, open.repeat(depth), close.repeat(depth));
        let command = |depth| format!("curl e.example -d '{}'\n", nested(depth));
        // 56 is the maximum depth of 64 minus 8 levels, which are reserved for what a call adds around the body.
        let deepest = draft(&command(56));
        assert_eq!((&deepest["body_type"], deepest.get("warnings")), (&json!(body_type), None));
        assert_ne!(deepest["body"]["body"], nested(56));
        // A value that is equal in two commands becomes a constant in the schema, which nests it a few levels deeper.
        let inferred = serde_json::to_string(&crate::curl::infer(&command(56).repeat(2)).unwrap()).unwrap();
        assert!(inferred.contains("\"value\":") && !inferred.contains("cannot be saved"), "{inferred}");
        assert!(json::check(inferred.as_bytes()).is_ok());

        assert_eq!(raw_body_text(&command(57)), nested(57));
        assert!(warnings(&command(57)).concat().contains("too deeply"));
    }
    assert!(warnings(&format!("curl e.example -d '{}'", "[".repeat(65))).concat().contains("too deeply"));
}

#[test]
fn bodies_with_more_fields_than_the_maximum_are_text() {
    let json: fn(usize) -> String = |count| format!("{{{}}}", join_numbered(count, ",", |n| format!("\"f{n}\":{n}")));
    let form: fn(usize) -> String = |count| join_numbered(count, "&", |n| format!("f{n}={n}"));
    let multipart: fn(usize) -> String = |count| {
        join_numbered(count, "", |n| format!("--b\nContent-Disposition: form-data; name=\"f{n}\"\n\n{n}\n")) + "--b--"
    };
    for (body_type, body) in [("json", json), ("form", form), ("multipart", multipart)] {
        let command = |count| format!("curl e.example --data-raw '{}'", body(count));
        let largest = draft(&command(FIELDS_MAX));
        assert_eq!(largest["body_type"], body_type);
        assert_eq!(largest["body"].as_object().unwrap().len(), FIELDS_MAX);
        assert_eq!(raw_body_text(&command(FIELDS_MAX + 1)), body(FIELDS_MAX + 1));
    }
    let command = format!("curl e.example -d '{}'", json(FIELDS_MAX + 1));
    assert!(warnings(&command).concat().contains("more members than a tool can have arguments"));
}

#[test]
fn form_fields_above_the_maximum_are_left_out() {
    let command =
        |count| format!("curl e.example -F {} -F f0=again", join_numbered(count, " -F ", |n| format!("f{n}={n}")));
    assert!(warnings(&command(FIELDS_MAX)).is_empty());
    let too_large = draft(&command(FIELDS_MAX + 2));
    let fields = too_large["body"].as_object().unwrap();
    assert_eq!((fields.len(), &fields["f0"]), (FIELDS_MAX, &json!(["0", "again"])));
    assert!(!fields.contains_key("f900"));
    assert!(too_large["warnings"][0].as_str().unwrap().contains("The last fields were left out"));
}

#[test]
fn a_query_with_more_parameters_than_the_maximum_stays_in_the_url() {
    let url = |count| format!("http://e.example?{}", join_numbered(count, "&", |n| format!("f{n}={n}")));
    let largest = infer(&format!("curl '{}'", url(FIELDS_MAX)));
    assert_eq!(
        (&largest["endpoint_url"], largest["body"].as_object().unwrap().len()),
        (&json!("http://e.example"), FIELDS_MAX)
    );
    let too_large = infer(&format!("curl '{}'", url(FIELDS_MAX + 1)));
    assert_eq!((&too_large["endpoint_url"], &too_large["body"]), (&json!(url(FIELDS_MAX + 1)), &json!({})));
}

#[test]
fn placeholders_are_limited_in_length_and_number() {
    let (longest, too_long) = ("a".repeat(127), "a".repeat(128));
    let url = format!("http://e.example/{{{longest}}}/");
    assert_eq!(draft(&format!("curl '{url}{{{too_long}}}'"))["endpoint_url"], format!("{url}%7B{too_long}%7D"));
    let many_placeholders =
        draft(&format!("curl 'http://e.example/{}'", join_numbered(1000, "", |n| format!("{{a{n}}}"))));
    // A URL has at most 2048 characters, and a placeholder takes at least three of them.
    assert_eq!(many_placeholders["parameter_mapping"].as_object().unwrap().len(), 2048 / 3);
}

#[test]
fn problems_that_prevent_saving_cause_a_warning() {
    let headers = join_numbered(101, "", |n| format!(" -H 'X-{n}: 1'"));
    let control_characters = "%01".repeat(80_000);
    for (options, word) in [
        ("e.example:99999".to_owned(), "invalid port number"),
        ("'https://{host}/x'".to_owned(), "placeholder in its host"),
        (format!("e.example/{}", "x".repeat(2048)), "endpoint_url must be at most 2048 characters"),
        (format!("e.example{headers}"), "at most 100 headers"),
        (format!("e.example -H 'X-A: {}'", "x".repeat(16 * 1024 + 1)), "headers[X-A] must be at most 16384 bytes"),
        ("e.example -H 'Cookie: ********'".to_owned(), "is the mask of a secret"),
        ("e.example -u $'a:\\x01'".to_owned(), "auth_credentials[password] must not hold control characters"),
        (format!("e.example --oauth2-bearer {}", "x".repeat(16 * 1024 + 1)), "auth_credentials[token] must be at most"),
        ("e.example -d '{\"\":1}'".to_owned(), "parameter_mapping[][name]"),
        ("e.example -F =1".to_owned(), "parameter_mapping[][name]"),
        ("e.example -d 'a\u{202E}=1'".to_owned(), "input_schema contains a control"),
        (format!("e.example -d '{}=1'", "x".repeat(140_000)), "input_schema must be at most"),
        (format!("e.example -d '{control_characters}=1'"), "parameter_mapping must be at most"),
    ] {
        let warnings = warnings(&format!("curl {options}"));
        let is_expected =
            |warning: &String| warning.starts_with("A tool cannot be saved with this: ") && warning.contains(word);
        assert!(warnings.iter().any(is_expected), "{word}: {warnings:?}");
    }
    let inferred = infer("curl e.example:99999 -u $'a:\\x01'");
    assert_eq!(inferred["warnings"].as_array().unwrap().len(), 2, "{inferred}");
    let valid = "curl 'https://e.example:8443/{id}?a=1' -u a:b -H 'Cookie: c=d' -d '{\"a\":1}'".to_owned();
    assert!(!warnings(&valid).concat().contains("cannot be saved"));
    let headers = join_numbered(100, "", |n| format!(" -H 'X-{n}: 1'"));
    assert!(warnings(&format!("curl e.example{headers}")).is_empty());
}

#[test]
fn more_schemas_than_the_maximum_cause_a_warning() {
    let warning = "A tool cannot be saved with this: input_schema must hold at most 1000 schemas.";
    let lists = format!("{{{}}}", join_numbered(600, ",", |n| format!("\"f{n}\":[{n}]")));
    let inferred = infer(&format!("curl e.example --json '{lists}'"));
    assert_eq!(inferred["warnings"], json!([warning]), "the schema of a list contains the schema of its items");
    let fields = join_numbered(FIELDS_MAX, "&", |n| format!("f{n}=1"));
    for (count, expected) in [(99, None), (100, Some(warning))] {
        let text = format!("curl 'e.example/{}' -d '{fields}'", join_numbered(count, "", |n| format!("{{a{n}}}")));
        assert_eq!(warnings(&text).first().map(String::as_str), expected);
        assert_eq!(infer(&text)["warnings"][0].as_str(), expected);
    }
}

#[test]
fn problems_that_prevent_saving_are_reported_beyond_the_maximum_number_of_warnings() {
    let unknown_options = join_numbered(60, " ", |n| format!("--x{n}"));
    assert_eq!(warnings(&format!("curl e.example {unknown_options}")).len(), 50);
    let warnings = warnings(&format!("curl e.example:99999 {unknown_options}"));
    assert!(warnings.len() == 51 && warnings[50].contains("cannot be saved"), "{warnings:?}");
}

/// Quadratic parsing of these texts would take minutes.
#[test]
fn adversarial_texts_are_parsed_in_linear_time() {
    for unit in ["$(", "${", "„ "] {
        let prefix = "curl e.example -H ";
        let text = prefix.to_owned() + &unit.repeat((crate::curl::TEXT_MAX - prefix.len()) / unit.len());
        assert_eq!(draft(&text)["endpoint_url"], "http://e.example");
        assert_eq!(infer(&text)["endpoint_url"], "http://e.example");
    }
    let closed = format!("{0}{1}{1}{0}{2}", "$(".repeat(40_000), ")", ")".repeat(39_999));
    for host in ["$(".repeat(100_000), closed, join_numbered(20_000, "", |n| format!("$A{n}"))] {
        assert!(infer(&format!("curl '{host}'"))["warnings"].to_string().contains("is not expanded"));
    }
    for unit in ["/", "a/", "1/", "{}/", "<>/", "{a}", "$A/", "users/", "a.b/"] {
        let prefix = "curl 'http://e.example/";
        let text = prefix.to_owned() + &unit.repeat((crate::curl::TEXT_MAX - prefix.len() - 1) / unit.len()) + "'";
        assert!(infer(&text)["endpoint_url"].as_str().unwrap().starts_with("http://e.example/"), "{unit}");
    }
    let text = "curling\n".repeat(crate::curl::TEXT_MAX / 8);
    assert!(error_text(&text).contains("not a curl command"));
}

#[test]
fn commands_that_were_not_imported_cause_a_warning() {
    let only_first = "The text has more than one command. Only the first one was imported.";
    for (text, expected) in [
        ("curl a.example", None),
        ("curl a.example; echo curl b.example", None),
        ("curl a.example; curl b.example", Some(only_first)),
        ("curl a.example\necho\ncurl b.example 'x' || true", Some(only_first)),
        ("curl a.example ^\n -s & curl b.example", Some(only_first)),
        ("curl.exe a.example `\n -s; curl.exe b.example", Some(only_first)),
    ] {
        assert_eq!(warnings(text).first().map(String::as_str), expected, "{text}");
    }
    let mut text = String::new();
    for n in 0..1000 {
        let _ = writeln!(text, "curl a.example/x{n}");
    }
    let at_maximum = infer(&text);
    assert_eq!((at_maximum["tools"].as_array().unwrap().len(), at_maximum["tools"][0].get("warnings")), (1000, None));
    let above_maximum = infer(&(text + "curl a.example/more"));
    assert_eq!(above_maximum["tools"].as_array().unwrap().len(), 1000);
    assert_eq!(
        above_maximum["tools"][0]["warnings"],
        json!(["The text has more than 1000 commands. Only the first 1000 were imported."])
    );
}
