//! Errors, with their positions.

use super::error_text;

#[test]
fn a_text_that_is_not_a_curl_command_is_refused() {
    for (text, reason) in [
        ("", "this is not a curl command; paste one that begins with curl"),
        ("wget https://e.example", "this is wget, not a curl command; in a browser, choose \"Copy as cURL\""),
        ("echo curl https://e.example", "this is not a curl command; paste one that begins with curl"),
    ] {
        assert_eq!(error_text(text), reason, "{text}");
    }
    let too_long_prompt = format!("me@{}$ curl https://e.example", "x".repeat(200));
    for text in ["MAIL=\"me@e.example\" # curl https://e.example", &too_long_prompt] {
        assert!(error_text(text).contains("not a curl command"), "{text}");
    }
}

#[test]
fn an_error_in_a_command_has_a_reason_and_a_position() {
    for (text, reason) in [
        ("curl", "the command has no URL (line 1, column 1)"),
        ("\n  curl -s", "the command has no URL (line 2, column 3)"),
        ("curl e.example \\\n  -H 'A: b", "the quote ' is not closed (line 2, column 6)"),
        ("$ curl e.example \\\n> -H \"A: b", "the quote \" is not closed (line 2, column 6)"),
        ("curl e.example -d $'a\\'", "the quote $' is not closed (line 1, column 19)"),
        ("curl ^\"https://e.example^\" -H ^\"A: b", "the quote ^\" is not closed (line 1, column 31)"),
        ("curl e.example `\n-d 'x", "the quote ' is not closed (line 2, column 4)"),
        ("curl é.example -d", "the option --data needs a value (line 1, column 16)"),
        ("curl e.example -sX", "the option --request needs a value (line 1, column 16)"),
        ("curl ftp://e.example", "the scheme of the URL must be http or https (line 1, column 6)"),
        ("curl --proto-default file e.example", "the scheme of the URL must be http or https (line 1, column 27)"),
        ("curl https:///", "the URL has no host (line 1, column 6)"),
        ("curl e.example -F a", "--form needs a value of the form name=value (line 1, column 16)"),
        ("curl e.example --da x", "the option --da is ambiguous: it may be --data or --data-ascii (line 1, column 16)"),
    ] {
        assert_eq!(error_text(text), reason, "{text}");
    }
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    assert!(error_text(&format!("curl e.example -d {}", "x".repeat(256 * 1024))).contains("longer than 262144 bytes"));
}
