//! The effect of each option.

use super::{assert_draft, raw_body_text, warnings};
use serde_json::json;

#[test]
fn methods_are_derived_from_the_options() {
    for (options, method) in [
        ("", "GET"),
        ("-d a=1", "POST"),
        ("--json '{}'", "POST"),
        ("-F a=1", "POST"),
        ("-T f", "PUT"),
        ("-T f -d a=1", "PUT"),
        ("-I", "HEAD"),
        ("-I -G -d a=1", "HEAD"),
        ("-G -d a=1", "GET"),
        ("-X put -d a=1", "PUT"),
        ("-X GET -d a=1", "GET"),
        ("-X POST -X DELETE", "DELETE"),
        ("-XPATCH", "PATCH"),
        ("--request=post", "POST"),
        ("-I --no-head", "GET"),
        ("-d ''", "POST"),
    ] {
        assert_draft(&format!("curl e.example {options}"), &json!({"http_method": method}));
    }
    assert_draft("curl e.example -X purge", &json!({"http_method": "purge"}));
    assert_eq!(warnings("curl e.example -X purge").len(), 1);
}

#[test]
fn an_upload_with_data_sends_only_the_data() {
    for options in ["-T f.txt -d a=1", "-d a=1 --upload-file f.txt", "-d a=1 -T -"] {
        let expected = json!({"http_method": "PUT", "endpoint_url": "http://e.example/up/", "body": {"a": "1"}});
        assert_draft(&format!("curl e.example/up/ {options}"), &expected);
    }
}

#[test]
fn options_may_be_written_in_every_way_that_curl_accepts() {
    for options in [
        "-sSLkXPATCH",
        "-sSLkX PATCH",
        "-sSLk -X PATCH",
        "--silent --insecure --request PATCH",
        "--sil --inse --request=PATCH",
        "--no-buffer --buffer --no-insecure --no-silent --request PATCH",
        "–X PATCH",
        "––request PATCH",
        "—request PATCH",
        "--X PATCH",
        "--expand-request PATCH",
    ] {
        assert_draft(
            &format!("curl {options} e.example"),
            &json!({"http_method": "PATCH", "endpoint_url": "http://e.example"}),
        );
    }
    assert_draft("curl -da=1 -uu:p -- e.example", &json!({"body": {"a": "1"}, "auth_type": "basic"}));
    assert_draft("curl -X GET -- -x.example", &json!({"endpoint_url": "http://-x.example"}));
}

#[test]
fn unknown_options_cause_a_warning_and_do_not_consume_the_url() {
    assert_draft("curl --frobnicate hard https://e.example/", &json!({"endpoint_url": "https://e.example/"}));
    assert_draft("curl --frobnicate e.example", &json!({"endpoint_url": "http://e.example"}));
    assert!(warnings("curl --frobnicate hard https://e.example/")[0].contains("--frobnicate"));
    assert!(warnings("curl -ß https://e.example/")[0].contains("-ß"));
}

#[test]
fn urls_are_those_that_curl_requests() {
    for (typed, url) in [
        ("e.example", "http://e.example"),
        ("e.example:8080/a?b=c#d", "http://e.example:8080/a?b=c"),
        ("HTTPS://E.example", "HTTPS://E.example"),
        ("'https://e.example/a b'", "https://e.example/a%20b"),
        ("https:/e.example/x", "https://e.example/x"),
        ("--url https://e.example/", "https://e.example/"),
        ("--proto-default https e.example", "https://e.example"),
        ("'e.example?u=ftp://x'", "http://e.example?u=ftp://x"),
        ("https://e.example/ --url-query 'a=b c' --url-query +d=%20", "https://e.example/?a=b%20c&d=%20"),
        ("-G -d a=1 -d b=2 https://e.example/?x", "https://e.example/?x&a=1&b=2"),
        ("-G --data-urlencode 'q=a&b' https://e.example/#f", "https://e.example/?q=a%26b"),
        ("-T a/b.txt https://e.example/up/", "https://e.example/up/b.txt"),
        ("-T 'a {b}.txt' https://e.example", "https://e.example/a%20%7Bb%7D.txt"),
        ("-T b.txt https://e.example/up", "https://e.example/up"),
        ("https://e.example/users/:id", "https://e.example/users/:id"),
        ("https://e.example/ -: https://other.example/", "https://e.example/"),
        ("-", "http://-"),
    ] {
        assert_draft(&format!("curl {typed}"), &json!({"endpoint_url": url}));
    }
    assert_draft("curl a.example b.example", &json!({"endpoint_url": "http://a.example"}));
    assert_eq!(warnings("curl a.example b.example").len(), 1);
    assert_eq!(warnings("curl 'a.example/[1-3]'").len(), 1);
    assert_eq!(warnings("curl 'a.example/{a,b}'").len(), 1);
    assert_eq!(warnings("curl 'a.{b,c}.example/'").len(), 1);
    assert!(warnings("curl -g 'a.example/[1-3]'").is_empty());
    assert_eq!(warnings("curl \"${opts[@]}\" a.example").len(), 1);
}

#[test]
fn headers_are_those_that_curl_sends() {
    for (options, headers) in [
        ("-H 'A: b'", json!({"A": "b"})),
        ("-H 'A:b' -H 'X-Y:  c:d  '", json!({"A": "b", "X-Y": "c:d"})),
        ("-H 'A;'", json!({"A": ""})),
        ("-H 'A:'", json!({})),
        ("-H 'A: 1' -H 'a: 2'", json!({"A": "1, 2"})),
        ("-H 'Cookie: a=1' -H 'Cookie: b=2'", json!({"Cookie": "a=1; b=2"})),
        ("-H $'A: b\\tc'", json!({"A": "b\tc"})),
        ("-H ':authority: x' -H 'no colon' -H 'a b: c'", json!({})),
        ("-H @file", json!({})),
        (
            "-A ua -e 'http://r.example;auto' -r 5",
            json!({"User-Agent": "ua", "Referer": "http://r.example", "Range": "bytes=5-"}),
        ),
        ("-A ua -H 'User-Agent: mine' -r 0-5,-5", json!({"User-Agent": "mine", "Range": "bytes=0-5,-5"})),
        ("-A ua -H 'user-agent:'", json!({})),
        ("-A '' -e ''", json!({})),
        ("-b a=1 -b 'b=2; c=3'", json!({"Cookie": "a=1;b=2; c=3"})),
        ("-b a=1 -H 'Cookie: x=y'", json!({"Cookie": "x=y"})),
        ("-b jar.txt", json!({})),
        ("--json '{}'", json!({"Content-Type": "application/json", "Accept": "application/json"})),
        ("--json '{}' -H 'accept: x/y' -H 'Content-Type:'", json!({"accept": "x/y"})),
        ("-d a=1 --compressed", json!({})),
    ] {
        assert_draft(&format!("curl e.example {options}"), &json!({"headers": headers}));
    }
    for options in
        ["-H @file", "-b jar.txt", "-b a=1", "-H 'Host: x'", "-H 'no colon'", "-H 'a b: c'", "-H $'A: b\\x01'"]
    {
        assert_eq!(warnings(&format!("curl e.example {options}")).len(), 1, "{options}");
    }
}

#[test]
fn data_is_joined_in_the_same_way_as_by_curl() {
    for (options, text) in [
        ("-d '<a' --data-ascii b --data-raw @c --data-binary d", "<a&b&@c&d"),
        ("--json '<a' --json 'b'", "<ab"),
        ("-d '<a' -d @file", "<a&@file"),
        ("-d '<a\nb'", "<a\nb"),
    ] {
        assert_eq!(raw_body_text(&format!("curl e.example {options}")), text, "{options}");
    }
    for (options, body) in [
        (
            "--data-urlencode 'a=b c&d' --data-urlencode '=e=f' --data-urlencode 'g h'",
            json!({"a": "b c&d", "e=f": "", "g h": ""}),
        ),
        ("--data-urlencode 'n@file'", json!({"n": "@file"})),
        ("--data-urlencode 'n=@v'", json!({"n": "@v"})),
        ("--data-urlencode '{\"a\":1}'", json!({"{\"a\":1}": ""})),
    ] {
        assert_draft(&format!("curl e.example {options}"), &json!({"body": body, "body_type": "form"}));
    }
}

#[test]
fn form_fields_are_imported_without_their_parameters() {
    for (options, body) in [
        ("-F a=1 -F 'b= x; y'", json!({"a": "1", "b": "x; y"})),
        (r#"-F 'a= x ' -F 'b= " y " ' -F 'c= z ;type=t'"#, json!({"a": "x", "b": " y ", "c": "z"})),
        ("-F 'a=1;type=text/plain' -F 'f=@x.png;filename=y'", json!({"a": "1", "f": "@x.png"})),
        (r#"-F 'a="x;type=\"\\y";type=t'"#, json!({"a": "x;type=\"\\y"})),
        ("-F 'a=<f' --form-string 'b=@x;type=y'", json!({"a": "@f", "b": "@x;type=y"})),
        ("-F a=1 -F a=2 -F 'b[]=3'", json!({"a": ["1", "2"], "b[]": ["3"]})),
    ] {
        assert_draft(&format!("curl e.example {options}"), &json!({"body": body, "body_type": "multipart"}));
    }
    assert_draft("curl e.example -F a=1 -d b=2", &json!({"body": {"b": "2"}, "body_type": "form"}));
}

#[test]
fn the_timeout_is_rounded_up_and_limited() {
    for (max_time, timeout) in [
        ("2.5", json!(3)),
        ("0", json!(null)),
        ("0.001", json!(1)),
        ("999999", json!(300)),
        ("-1", json!(null)),
        ("x", json!(null)),
    ] {
        assert_draft(&format!("curl e.example -m {max_time}"), &json!({"timeout": timeout}));
    }
}

/// The warning of a command. Panics unless there is exactly one.
fn warning(options: &str) -> String {
    let warnings = warnings(&format!("curl e.example {options}"));
    assert_eq!(warnings.len(), 1, "{options}: {warnings:?}");
    warnings.concat()
}

#[test]
fn unsupported_options_and_values_cause_a_warning() {
    for (options, word) in [
        ("-k", "--insecure"),
        ("-x p:1", "--proxy "),
        ("-U a:b", "--proxy-user"),
        ("--proxy-header x", "--proxy-header"),
        ("--cert c", "--cert"),
        ("--key k", "--key"),
        ("--cacert c", "--cacert"),
        ("--capath c", "--capath"),
        ("--resolve a:1:b", "--resolve"),
        ("--connect-to a", "--connect-to"),
        ("--unix-socket s", "--unix-socket"),
        ("--interface i", "--interface"),
        ("--socks5 s", "--socks5"),
        ("--path-as-is", "--path-as-is"),
        ("-K f", "no file is read"),
        ("-n", "no file is read"),
        ("--next x.example", "--next"),
        ("-d @f", "no file is read"),
        ("--data-binary @f", "no file is read"),
        ("--json @f", "no file is read"),
        ("--data-urlencode n@f", "no file is read"),
        ("--url-query n@f", "no file is read"),
        ("-F a=@f", "no file is read"),
        ("-F 'a=<f'", "no file is read"),
        ("-T f", "no file is read"),
        ("-H @f", "no file is read"),
        ("-b f", "no file is read"),
        ("-F 'a=1;type=x/y'", "Only the values"),
        ("-F 'a=1;encoder=base64'", "Only the values"),
        ("-F 'a=(b)'", "Only the values"),
        ("-F a=1 -d b=2", "--form was ignored"),
        ("-T f -d b=2", "--upload-file was ignored"),
        ("-m x", "--max-time"),
        ("-X PURGE", "methods"),
        ("-H 'Cookie: a=b'", "Cookie"),
        ("-H 'Host: a'", "Host"),
        ("--zip", "--zip"),
        ("x.example", "several URLs"),
    ] {
        assert!(warning(options).contains(word), "{options}: {}", warning(options));
    }
}

#[test]
fn a_warning_does_not_repeat_text_that_may_be_a_secret() {
    let long_option = format!("--pw1234{}", "x".repeat(35));
    for options in ["--usersecret:pw1234", "-H 'pw1234'", "--oauth2-beareR=pw1234", &long_option] {
        assert!(!warning(options).contains("pw1234"), "{options}");
    }
}

#[test]
fn options_without_effect_on_a_tool_cause_no_warning() {
    let options = "-L -s -S -v -i -f -o x -O -w y -c z -D h -J -N -# -g -4 -6 --http1.1 --http2 --tlsv1.2 --retry 3 \
                  --trace t --connect-timeout 5 --compressed --basic --no-keepalive --no-insecure";
    assert_draft(
        &format!("curl {options} e.example"),
        &json!({"endpoint_url": "http://e.example", "headers": {}, "http_method": "GET", "warnings": null}),
    );
}

#[test]
fn the_table_has_the_options_of_the_installed_curl() {
    use crate::curl::options::table::{OPTIONS, short};
    assert!(OPTIONS.is_sorted_by(|a, b| a.name < b.name));
    let count = |takes_value| OPTIONS.iter().filter(|option| option.takes_value == takes_value).count();
    // The numbers of options in the specification.
    assert_eq!((count(true), count(false)), (144, 129));
    let help = std::process::Command::new("curl").args(["--help", "all"]).output().expect("curl is installed");
    let help = String::from_utf8(help.stdout).unwrap();
    let mut compared = 0;
    for (before, line) in help.lines().filter_map(|line| line.split_once("--")) {
        let name = line.split_whitespace().next().unwrap();
        let after = line.get(name.len()..).unwrap();
        // The value of --help is an optional category.
        let takes_value = name != "help" && (after.starts_with(" <") || after.starts_with(" ["));
        let option =
            OPTIONS.iter().find(|option| option.name == name).unwrap_or_else(|| panic!("the table has no --{name}"));
        assert_eq!(option.takes_value, takes_value, "--{name}");
        if let Some(letter) = before.trim().strip_prefix('-').and_then(|letter| letter.chars().next()) {
            assert_eq!(short(letter).map(|option| option.name), Some(name), "-{letter}");
        }
        compared += 1;
    }
    // Detects a help text that this test cannot parse.
    assert!(compared > 200, "only {compared} options of the installed curl were compared");
}
