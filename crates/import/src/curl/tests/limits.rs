//! Limits of tools: what exceeds them is sent as text, left out, or causes a warning.

use std::fmt::Write;

use serde_json::{Value, json};
use toolgate_domain::json;

use super::{data_word, draft, error_text, warnings};

/// Maximum number of fields that become arguments.
const FIELDS: usize = 900;

fn infer(text: &str) -> Value {
    serde_json::to_value(crate::curl::infer(text).unwrap()).unwrap()
}

/// `count` numbered pieces with a separator.
fn numbered(count: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().join(separator)
}

#[test]
fn json_that_is_nested_too_deeply_to_be_wrapped_in_a_call_is_text() {
    for (open, close, body_type) in [("{\"a\":", "}", "json"), ("[", "]", "raw")] {
        // Brackets inside strings do not count.
        let nested = |depth| format!(r#"{}"[[\"[{{"{}"#, open.repeat(depth), close.repeat(depth));
        let command = |depth| format!("curl e.example -d '{}'\n", nested(depth));
        let deepest = draft(&command(56));
        assert_eq!((&deepest["body_type"], deepest.get("warnings")), (&json!(body_type), None));
        assert_ne!(deepest["body"]["body"], nested(56));
        // Equal values become constants in the schema, a few levels deeper.
        let inferred = serde_json::to_string(&crate::curl::infer(&command(56).repeat(2)).unwrap()).unwrap();
        assert!(inferred.contains("\"const\":") && !inferred.contains("cannot be saved"), "{inferred}");
        assert!(json::check(inferred.as_bytes()).is_ok());

        assert_eq!(data_word(&command(57)), nested(57));
        assert!(warnings(&command(57)).concat().contains("too deeply"));
    }
    assert!(warnings(&format!("curl e.example -d '{}'", "[".repeat(65))).concat().contains("too deeply"));
}

#[test]
fn bodies_of_more_fields_than_a_tool_can_have_are_text() {
    let json: fn(usize) -> String = |count| format!("{{{}}}", numbered(count, ",", |n| format!("\"f{n}\":{n}")));
    let form: fn(usize) -> String = |count| numbered(count, "&", |n| format!("f{n}={n}"));
    let multipart: fn(usize) -> String = |count| {
        numbered(count, "", |n| format!("--b\nContent-Disposition: form-data; name=\"f{n}\"\n\n{n}\n")) + "--b--"
    };
    for (body_type, body) in [("json", json), ("form", form), ("multipart", multipart)] {
        let command = |count| format!("curl e.example --data-raw '{}'", body(count));
        let most = draft(&command(FIELDS));
        assert_eq!(most["body_type"], body_type);
        assert_eq!(most["body"].as_object().unwrap().len(), FIELDS);
        assert_eq!(data_word(&command(FIELDS + 1)), body(FIELDS + 1));
    }
    let command = format!("curl e.example -d '{}'", json(FIELDS + 1));
    assert!(warnings(&command).concat().contains("more members than a tool can have arguments"));
}

#[test]
fn parts_of_a_form_beyond_what_a_tool_can_have_are_left_out() {
    let command = |count| format!("curl e.example -F {} -F f0=again", numbered(count, " -F ", |n| format!("f{n}={n}")));
    assert!(warnings(&command(FIELDS)).is_empty());
    let all = draft(&command(FIELDS + 2));
    let fields = all["body"].as_object().unwrap();
    assert_eq!((fields.len(), &fields["f0"]), (FIELDS, &json!(["0", "again"])));
    assert!(!fields.contains_key("f900"));
    assert!(all["warnings"][0].as_str().unwrap().contains("The last fields were left out"));
}

#[test]
fn a_query_of_more_parameters_than_a_tool_can_have_stays_in_the_url() {
    let address = |count| format!("http://e.example?{}", numbered(count, "&", |n| format!("f{n}={n}")));
    let most = infer(&format!("curl '{}'", address(FIELDS)));
    assert_eq!((&most["endpoint_url"], most["body"].as_object().unwrap().len()), (&json!("http://e.example"), FIELDS));
    let more = infer(&format!("curl '{}'", address(FIELDS + 1)));
    assert_eq!((&more["endpoint_url"], &more["body"]), (&json!(address(FIELDS + 1)), &json!({})));
}

#[test]
fn placeholders_are_limited_in_length_and_number() {
    let (name, text) = ("a".repeat(127), "a".repeat(128));
    let address = format!("http://e.example/{{{name}}}/");
    assert_eq!(draft(&format!("curl '{address}{{{text}}}'"))["endpoint_url"], format!("{address}%7B{text}%7D"));
    let many = draft(&format!("curl 'http://e.example/{}'", numbered(1000, "", |n| format!("{{a{n}}}"))));
    assert_eq!(many["parameter_mapping"].as_object().unwrap().len(), 2048 / 3);
}

#[test]
fn problems_that_prevent_saving_cause_a_warning() {
    let headers = numbered(101, "", |n| format!(" -H 'X-{n}: 1'"));
    let control = "%01".repeat(80_000);
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
        (format!("e.example -d '{control}=1'"), "parameter_mapping must be at most"),
    ] {
        let found = warnings(&format!("curl {options}"));
        let is_expected =
            |warning: &String| warning.starts_with("A tool cannot be saved with this: ") && warning.contains(word);
        assert!(found.iter().any(is_expected), "{word}: {found:?}");
    }
    let inferred = infer("curl e.example:99999 -u $'a:\\x01'");
    assert_eq!(inferred["warnings"].as_array().unwrap().len(), 2, "{inferred}");
    let fine = "curl 'https://e.example:8443/{id}?a=1' -u a:b -H 'Cookie: c=d' -d '{\"a\":1}'".to_owned();
    assert!(!warnings(&fine).concat().contains("cannot be saved"));
    let most = numbered(100, "", |n| format!(" -H 'X-{n}: 1'"));
    assert!(warnings(&format!("curl e.example{most}")).is_empty());
}

#[test]
fn more_schemas_than_a_tool_can_have_cause_a_warning() {
    let warning = "A tool cannot be saved with this: input_schema must hold at most 1000 schemas.";
    let lists = format!("{{{}}}", numbered(600, ",", |n| format!("\"f{n}\":[{n}]")));
    let inferred = infer(&format!("curl e.example --json '{lists}'"));
    assert_eq!(inferred["warnings"], json!([warning]), "the schema of a list contains the schema of its items");
    let fields = numbered(FIELDS, "&", |n| format!("f{n}=1"));
    for (count, expected) in [(99, None), (100, Some(warning))] {
        let text = format!("curl 'e.example/{}' -d '{fields}'", numbered(count, "", |n| format!("{{a{n}}}")));
        assert_eq!(warnings(&text).first().map(String::as_str), expected);
        assert_eq!(infer(&text)["warnings"][0].as_str(), expected);
    }
}

#[test]
fn problems_that_prevent_saving_are_reported_beyond_the_maximum_number_of_warnings() {
    let many = numbered(60, " ", |n| format!("--x{n}"));
    assert_eq!(warnings(&format!("curl e.example {many}")).len(), 50);
    let found = warnings(&format!("curl e.example:99999 {many}"));
    assert!(found.len() == 51 && found[50].contains("cannot be saved"), "{found:?}");
}

/// Quadratic parsing of these texts would take minutes.
#[test]
fn adversarial_texts_are_parsed_in_linear_time() {
    for unit in ["$(", "${", "„ "] {
        let before = "curl e.example -H ";
        let text = before.to_owned() + &unit.repeat((crate::curl::TEXT_MAX - before.len()) / unit.len());
        assert_eq!(draft(&text)["endpoint_url"], "http://e.example");
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
    let all = infer(&text);
    assert_eq!((all["tools"].as_array().unwrap().len(), all["tools"][0].get("warnings")), (1000, None));
    let more = infer(&(text + "curl a.example/more"));
    assert_eq!(more["tools"].as_array().unwrap().len(), 1000);
    assert_eq!(
        more["tools"][0]["warnings"],
        json!(["The text has more than 1000 commands. Only the first 1000 were imported."])
    );
}
