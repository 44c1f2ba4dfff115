//! The options, one by one.

use super::{assert_draft, data_word, draft, warnings};
use serde_json::json;

#[test]
fn methods_follow_from_what_is_sent() {
    for (options, method) in [
        ("", "GET"),
        ("-d a=1", "POST"),
        ("--json '{}'", "POST"),
        ("-F a=1", "POST"),
        ("-T f", "PUT"),
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
fn options_may_be_written_in_every_way_curl_reads_them() {
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
fn options_nobody_knows_are_told_and_do_not_take_the_address() {
    assert_draft("curl --frobnicate hard https://e.example/", &json!({"endpoint_url": "https://e.example/"}));
    assert_draft("curl --frobnicate e.example", &json!({"endpoint_url": "http://e.example"}));
    assert!(warnings("curl --frobnicate hard https://e.example/")[0].contains("--frobnicate"));
    assert!(warnings("curl -ß https://e.example/")[0].contains("-ß"));
}

#[test]
fn addresses() {
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
    ] {
        assert_draft(&format!("curl {typed}"), &json!({"endpoint_url": url}));
    }
    assert_draft("curl a.example b.example", &json!({"endpoint_url": "http://a.example"}));
    assert_eq!(warnings("curl a.example b.example").len(), 1);
    assert_eq!(warnings("curl 'a.example/[1-3]'").len(), 1);
    assert_eq!(warnings("curl 'a.example/{a,b}'").len(), 1);
    assert!(warnings("curl -g 'a.example/[1-3]'").is_empty());
    assert_eq!(warnings("curl \"${opts[@]}\" a.example").len(), 1);
}

#[test]
fn headers() {
    for (options, headers) in [
        ("-H 'A: b'", json!({"A": "b"})),
        ("-H 'A:b' -H 'X-Y:  c:d  '", json!({"A": "b", "X-Y": "c:d"})),
        ("-H 'A;'", json!({"A": ""})),
        ("-H 'A:'", json!({})),
        ("-H 'A: 1' -H 'a: 2'", json!({"A": "1, 2"})),
        ("-H 'Cookie: a=1' -H 'Cookie: b=2'", json!({"Cookie": "a=1; b=2"})),
        ("-H ':authority: x' -H 'no colon'", json!({})),
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
    for warned in
        ["-H @file", "-b jar.txt", "-b a=1", "-H 'Host: x'", "-H 'no colon'", "-H 'a b: c'", "-H $'A: b\\x01'"]
    {
        assert_eq!(warnings(&format!("curl e.example {warned}")).len(), 1, "{warned}");
    }
}

#[test]
fn data_is_joined_as_curl_joins_it() {
    for (options, text) in [
        ("-d '<a' --data-ascii b --data-raw @c --data-binary d", "<a&b&@c&d"),
        ("--json '<a' --json 'b'", "<ab"),
        ("-d '<a' -d @file", "<a&@file"),
        ("-d '<a\nb'", "<a\nb"),
    ] {
        assert_eq!(data_word(&format!("curl e.example {options}")), text, "{options}");
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
fn forms() {
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
fn limits_of_time_are_carried_over() {
    for (given, timeout) in
        [("2.5", json!(3)), ("0", json!(null)), ("0.001", json!(1)), ("999999", json!(300)), ("x", json!(null))]
    {
        assert_draft(&format!("curl e.example -m {given}"), &json!({"timeout": timeout}));
    }
}

#[test]
fn what_cannot_be_carried_over_is_told_and_what_does_not_matter_is_not() {
    for option in [
        "-k",
        "-x p:1",
        "-U a:b",
        "--proxy-header x",
        "--cert c",
        "--key k",
        "--cacert c",
        "--capath c",
        "--resolve a:1:b",
        "--connect-to a",
        "--unix-socket s",
        "--interface i",
        "--socks5 s",
        "-K f",
        "-n",
        "--next x.example",
    ] {
        assert_eq!(warnings(&format!("curl e.example {option}")).len(), 1, "{option}");
    }
    let silent = "-L -s -S -v -i -f -o x -O -w y -c z -D h -J -N -# -g -4 -6 --http1.1 --http2 --tlsv1.2 --retry 3 --trace t --connect-timeout 5 --compressed --basic --no-keepalive -p1";
    let draft = draft(&format!("curl {} e.example", silent.replace("-p1", "")));
    assert_eq!(draft.get("warnings"), None);
    assert_eq!(draft["endpoint_url"], "http://e.example");
}

#[test]
fn the_table_is_in_order_and_knows_what_the_installed_curl_knows() {
    use crate::curl::options::table::OPTIONS;
    assert!(OPTIONS.is_sorted_by(|a, b| a.name < b.name));
    let Ok(help) = std::process::Command::new("curl").args(["--help", "all"]).output() else { return };
    let help = String::from_utf8(help.stdout).unwrap();
    let mut count = 0;
    for line in help.lines().filter_map(|line| line.split_once("--").map(|(_, rest)| rest)) {
        let name = line.split_whitespace().next().unwrap();
        // the value of --help is a category, and optional
        let takes_value =
            name != "help" && [" <", " ["].iter().any(|mark| line.get(name.len()..).unwrap().starts_with(mark));
        let known = OPTIONS.iter().find(|option| option.name == name).unwrap_or_else(|| panic!("--{name}"));
        assert_eq!(known.takes_value, takes_value, "--{name}");
        count += 1;
    }
    assert!(count > 200, "{count}");
}
