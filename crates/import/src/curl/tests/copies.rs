//! Text around a copied command.

use super::{assert_draft, warnings};
use serde_json::json;

#[test]
fn a_command_is_found_in_surrounding_text() {
    for text in [
        "curl https://e.example/x -H 'A: b'",
        "\u{FEFF}  curl\u{A0}https://e.example/x\u{A0}-H 'A:\u{A0}b'  ",
        "$ curl https://e.example/x -H 'A: b'\n{\"ok\": \"it's\"}",
        "% curl https://e.example/x \\\n> -H 'A: b'",
        "> curl https://e.example/x -H 'A: b'",
        "me@host:~/dir$ curl https://e.example/x -H 'A: b'",
        "[root@host ~]# curl https://e.example/x -H 'A: b'",
        "PS C:\\Users\\me> curl.exe https://e.example/x `\n>> -H 'A: b'",
        "C:\\Users\\me>curl https://e.example/x -H \"A: b\"",
        "```sh\ncurl https://e.example/x -H 'A: b'\n```",
        "Here's how:\n\n```\n$ curl https://e.example/x \\\n    -H 'A: b'\n```\nThat's it.",
        "Don't forget the header:\ncurl https://e.example/x -H 'A: b'",
        "# curl https://e.example/x \\\n#   -H 'A: b'",
        "  // curl https://e.example/x \\\n  //   -H 'A: b'",
        "/*\n * curl https://e.example/x \\\n *   -H 'A: b'\n */",
        "# curl https://old.example\ncurl https://e.example/x -H 'A: b'",
        "# list them\ncurl https://e.example/x -H 'A: b'",
        "X=1 Y='a b' sudo -E time curl https://e.example/x -H 'A: b'",
        "env A=b command curl.exe https://e.example/x -H 'A: b'",
        "/usr/bin/curl https://e.example/x -H 'A: b'",
        "C:\\tools\\curl.exe https://e.example/x ^\n -H \"A: b\"",
        "if ! curl https://e.example/x -H 'A: b'; then",
        "TOKEN=$(curl https://e.example/x -H 'A: b' | jq -r .token)",
        "OUT=$(docker exec box curl https://e.example/x -H 'A: b')",
        "kubectl exec -it pod -- curl https://e.example/x -H 'A: b'",
        "sudo -u www-data curl https://e.example/x -H 'A: b'",
        "command -v curl || exit 1\ncurl https://e.example/x -H 'A: b'",
        "sudo apt-get install -y curl\ncurl https://e.example/x -H 'A: b'",
        "docker run --rm curlimages/curl:8.1.0 https://e.example/x -H 'A: b'",
        "Use curl like this:\n$ curl https://e.example/x -H 'A: b'",
        "$ curl https://e.example/x \\\n>   -H 'A: b'\n$ curl https://other.example",
        "cd /tmp && curl https://e.example/x -H 'A: b'",
        "```\ncurl https://e.example/x -d '\n```js\n' -H 'A: b'\n```",
        "curl https://e.example/x \\\n -HA:b -o x-$curl",
    ] {
        assert_draft(text, &json!({"endpoint_url": "https://e.example/x", "headers": {"A": "b"}}));
    }
}

#[test]
fn an_escaped_quote_between_single_quotes_is_accepted_with_a_warning() {
    let text = r#"curl e.example -d '{"a": "don\'t"}'"#;
    assert_draft(text, &json!({"body": {"a": "don't"}}));
    assert_eq!(warnings(text).len(), 1);
}

#[test]
fn only_the_first_command_is_imported() {
    for text in ["curl a.example; curl b.example 'x", "curl a.example --next b.example --next -d"] {
        assert_draft(text, &json!({"endpoint_url": "http://a.example"}));
    }
}
