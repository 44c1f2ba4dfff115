//! `toolgate import`: from standard input to standard output, with nothing else set up.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use toolgate_testkit::secrets::find_secret;

use super::toolgate;

/// Runs an import on this input, in a place where there is no data folder.
fn import(args: &[&str], input: &[u8]) -> Output {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("never-made");
    let builder = args.iter().fold(toolgate().data_dir(&folder).arg("import"), |builder, arg| builder.arg(*arg));
    let mut child = builder.command().stdin(Stdio::piped()).spawn().unwrap();
    // Who has read enough closes the pipe early.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert!(!folder.exists(), "an import makes no data folder");
    output
}

#[track_caller]
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one line with which it was refused.
#[track_caller]
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors.strip_prefix("toolgate: ").unwrap().trim_end().to_owned()
}

#[test]
fn a_curl_command_on_stdin_is_a_tool_on_stdout() {
    let command = b"curl 'https://a.example/x' -u :TOKEN -k -d '{\"n\": 12345678901234567890123.50}'\n";
    let text = printed(&import(&["curl"], command));
    let expected = "{\n  \"endpoint_url\": \"https://a.example/x\",\n  \"http_method\": \"POST\",\n  \"headers\": {},\n  \
        \"auth_type\": \"basic\",\n  \"auth_credentials\": {\n    \"username\": \"\",\n    \"password\": \"TOKEN\"\n  },\n  \
        \"body\": {\n    \"n\": 12345678901234567890123.50\n  },\n";
    assert!(text.starts_with(expected), "{text}");
    let tool: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(tool["parameter_mapping"], json!({"n": {"location": "body"}}));
    assert_eq!(tool["warnings"].as_array().map(Vec::len), Some(1), "{text}");
}

#[test]
fn infer_reads_more_into_it() {
    let one: Value = serde_json::from_str(&printed(&import(&["curl", "--infer"], b"curl a.example/users"))).unwrap();
    assert!(one["name"].is_string() && one["description"].is_string(), "{one}");
    let commands = b"curl https://a.example/users\ncurl -X DELETE https://a.example/orders/latest\n";
    let two: Value = serde_json::from_str(&printed(&import(&["curl", "--infer"], commands))).unwrap();
    assert_eq!(two["tools"].as_array().map(Vec::len), Some(2), "{two}");
}

#[test]
fn what_is_not_understood_is_one_line() {
    let long = format!("curl https://a.example/ -d {}", "x".repeat(256 * 1024));
    for (input, expected) in [
        (b"".as_slice(), "standard input is empty"),
        (b" \n", "standard input is empty"),
        (b"curl \xff", "standard input is not UTF-8: "),
        (long.as_bytes(), "standard input is longer than 262144 bytes"),
        (b"echo hello", "this is not a curl command"),
    ] {
        let line = refused(&import(&["curl"], input));
        assert!(line.starts_with(expected), "{line}");
    }
    let line = refused(&import(&["curl"], b"curl https://a.example/ \\\n -u 'user:very-secret-value"));
    assert!(line.ends_with("(line 2, column 5)"), "{line}");
    assert_eq!(find_secret(line.as_bytes(), "very-secret-value"), None);
}

#[test]
fn an_import_of_nothing_in_particular_is_a_bad_command_line() {
    for args in [&[][..], &["wget"], &["curl", "--guess"]] {
        let output = import(args, b"");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stderr.starts_with(b"toolgate: "), "{output:?}");
    }
}
