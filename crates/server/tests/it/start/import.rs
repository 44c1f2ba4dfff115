//! `toolgate import`, from standard input to standard output, without a data folder.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;

use crate::toolgate;

/// Runs an import on this input, without a data folder.
fn import(args: &[&str], input: &[u8]) -> Output {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("not-created");
    let builder = args.iter().fold(toolgate().data_dir(&folder).arg("import"), |builder, arg| builder.arg(*arg));
    let mut child = builder.command().stdin(Stdio::piped()).spawn().unwrap();
    // The process may close the pipe early.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert!(!folder.exists(), "an import creates no data folder");
    output
}

#[track_caller]
fn stdout_of_success(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Asserts that the import failed, and returns the single line of its error.
#[track_caller]
fn refusal_line(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors.strip_prefix("toolgate: ").unwrap().trim_end().to_owned()
}

#[test]
fn a_curl_command_on_stdin_becomes_a_tool_on_stdout() {
    let command = b"curl 'https://a.example/x' -u :TOKEN -k -d '{\"n\": 12345678901234567890123.50}'\n";
    let text = stdout_of_success(&import(&["curl"], command));
    let expected = "{\n  \"endpoint_url\": \"https://a.example/x\",\n  \"http_method\": \"POST\",\n  \"headers\": {},\n  \
        \"auth_type\": \"basic\",\n  \"auth_credentials\": {\n    \"username\": \"\",\n    \"password\": \"TOKEN\"\n  },\n  \
        \"body\": {\n    \"n\": 12345678901234567890123.50\n  },\n";
    assert!(text.starts_with(expected), "{text}");
    let tool: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(tool["parameter_mapping"], json!({"n": {"location": "body"}}));
    assert_eq!(tool["warnings"].as_array().map(Vec::len), Some(1), "{text}");
}

#[test]
fn infer_adds_names_descriptions_and_several_tools() {
    let single: Value =
        serde_json::from_str(&stdout_of_success(&import(&["curl", "--infer"], b"curl a.example/users"))).unwrap();
    assert!(single["name"].is_string() && single["description"].is_string(), "{single}");
    let commands = b"curl https://a.example/users\ncurl -X DELETE https://a.example/orders/latest\n";
    let several: Value = serde_json::from_str(&stdout_of_success(&import(&["curl", "--infer"], commands))).unwrap();
    assert_eq!(several["tools"].as_array().map(Vec::len), Some(2), "{several}");
}

#[test]
fn invalid_input_is_reported_in_one_line() {
    let long = format!("curl https://a.example/ -d {}", "x".repeat(256 * 1024));
    for (input, expected) in [
        (b"".as_slice(), "standard input is empty"),
        (b" \n", "standard input is empty"),
        (b"curl \xff", "standard input is not UTF-8: "),
        (long.as_bytes(), "standard input is longer than 262144 bytes"),
        (b"echo hello", "this is not a curl command"),
    ] {
        let line = refusal_line(&import(&["curl"], input));
        assert!(line.starts_with(expected), "{line}");
    }
    let line = refusal_line(&import(&["curl"], b"curl https://a.example/ \\\n -u 'user:very-secret-value"));
    assert!(line.ends_with("(line 2, column 5)"), "{line}");
    assert_eq!(find_secret(line.as_bytes(), "very-secret-value"), None);
}

#[test]
fn an_import_without_a_valid_subcommand_is_refused() {
    for args in [&[][..], &["wget"], &["curl", "--guess"]] {
        let output = import(args, b"");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stderr.starts_with(b"toolgate: "), "{output:?}");
    }
}

#[test]
fn a_document_on_stdin_becomes_a_table_of_tools() {
    let document =
        br#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.example"}],
        "paths": {"/pets/{id}": {"get": {"operationId": "getPet", "tags": ["pets"]}}, "/x": {"post": {}}}}"#;
    let output = import(&["openapi", "-"], document);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["NAME", "METHOD", "PATH", "TOKENS", "WARNINGS"]);
    assert_eq!(lines[1][..3], ["get_pet", "GET", "/pets/{id}"]);
    assert_eq!(lines[1][4], "placeholder_undeclared");
    assert_eq!(lines[2][..3], ["post_x", "POST", "/x"]);
    let sums = String::from_utf8(output.stderr).unwrap();
    assert!(sums.starts_with("2 tools of 2 operations, about "), "{sums}");
    let text = stdout_of_success(&import(
        &["openapi", "-", "--json", "--tag", "pets", "--api-url", "https://b.example/v1"],
        document,
    ));
    let reply: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(reply["candidates"][0]["endpoint_url"], "https://b.example/v1/pets/{id}");
    assert_eq!((&reply["totals"]["filtered"], reply["candidates"].as_array().map(Vec::len)), (&json!(1), Some(1)));
}

#[test]
fn a_document_with_problems_exits_with_2_and_an_unreadable_one_with_1() {
    let output = import(&["openapi", "-"], br#"{"openapi": "3.0.0", "info": {}, "paths": {"/x": {"trace": {}}}}"#);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let problems = String::from_utf8(output.stderr).unwrap();
    assert!(problems.starts_with("TRACE /x: Tools do not have the method TRACE. (#/paths/~1x/trace)\n"), "{problems}");
    let untagged = br#"{"openapi": "3.0.0", "info": {}, "servers": [{"url": "https://a.example"}],
        "paths": {"/x": {"trace": {}, "get": {"tags": ["a"]}}}}"#;
    assert!(import(&["openapi", "-", "--tag", "a"], untagged).status.success());
    let collection = br#"{"info": {"name": "C"}, "item": [{"name": "A", "request": {"url": "{{host}}/x"}}]}"#;
    let output = import(&["postman", "-"], collection);
    let problems = String::from_utf8(output.stderr).unwrap();
    assert!(problems.contains("Give it with --variable NAME=VALUE."), "{problems}");
    for (input, expected) in [
        (&b"{\"openapi\": "[..], "the document is neither JSON nor YAML"),
        (b"{}", "The format of the document is unknown"),
        (br#"{"openapi": "3.1.0", "info": {}}"#, "The document has no `paths`"),
    ] {
        let line = refusal_line(&import(&["openapi", "-"], input));
        assert!(line.starts_with(expected), "{line}");
    }
    let line = refusal_line(&import(&["openapi", "/does/not/exist"], b""));
    assert!(line.starts_with("cannot open /does/not/exist"), "{line}");
}
