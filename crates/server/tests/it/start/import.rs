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
