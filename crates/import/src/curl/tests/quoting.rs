//! Word splitting of each shell.

use super::{assert_draft, draft, raw_body_text, warnings};
use serde_json::json;

#[test]
fn quotes_are_parsed_by_the_rules_of_bash() {
    for (quoted, expected) in [
        (r"'<a b'", "<a b"),
        (r#"'<"x" \n $y'"#, r#"<"x" \n $y"#),
        (r#""<a \"b\" \\ \$c \`d \e""#, r#"<a "b" \ $c `d \e"#),
        ("\"<a\\\nb\"", "<ab"),
        (r"'<'a\ b'c'", "<a bc"),
        (r"'<it'\''s'", "<it's"),
        (r#"'<it'"'"'s'"#, "<it's"),
        (r"$'<\'\x41\u0021\n'", "<'A!\n"),
        (r#"$"<a $b""#, "<a $b"),
        ("'<'\\\n'b'", "<b"),
        ("'<'\\\r\n'b'", "<b"),
        (r#""<a!b""#, "<a!b"),
        ("“<a”", "<a"),
        (r"\<a\\b\'", r"<a\b'"),
    ] {
        assert_eq!(raw_body_text(&format!("curl e.example --data-raw {quoted} -s")), expected, "{quoted}");
    }
}

#[test]
fn lines_are_continued_even_if_a_backslash_is_missing() {
    for text in [
        "curl \\\n  -H 'A: b' \\\n  https://e.example/x",
        "curl \\\r\n  -H 'A: b' \\\r\n  https://e.example/x\r\n",
        "curl \\  \n  -H 'A: b' \\ \n  https://e.example/x",
        "curl\n  -H 'A: b'\n  https://e.example/x",
        "curl -H 'A: b'\n\n  'https://e.example/x'",
        "curl \\   -H 'A: b' \\   https://e.example/x",
    ] {
        assert_draft(text, &json!({"endpoint_url": "https://e.example/x", "headers": {"A": "b"}}));
    }
}

#[test]
fn a_command_ends_where_the_shell_ends_it() {
    for end in [
        "; rm -rf x",
        "| jq .",
        "|| true",
        "&& echo -d",
        "&",
        " # -d x",
        "\necho -d",
        ">out -s",
        "2>&1",
        ">> f",
        "< in",
    ] {
        assert_draft(
            &format!("curl https://e.example/x {end}"),
            &json!({"endpoint_url": "https://e.example/x", "http_method": "GET"}),
        );
    }
    assert_draft("curl https://e.example/x;echo", &json!({"endpoint_url": "https://e.example/x"}));
    assert_draft("(curl https://e.example/x)", &json!({"endpoint_url": "https://e.example/x"}));
}

#[test]
fn a_url_without_quotes_keeps_its_query() {
    assert_draft("curl https://e.example/?a=1&b=2 -s", &json!({"endpoint_url": "https://e.example/?a=1&b=2"}));
    assert_draft("curl e.example/?a=1&b=2", &json!({"endpoint_url": "http://e.example/?a=1&b=2"}));
    assert_draft("curl https://e.example/?a=1& -d x", &json!({"http_method": "GET"}));
    assert_draft("curl https://e.example/<user_id>/x", &json!({"endpoint_url": "https://e.example/<user_id>/x"}));
}

#[test]
fn variables_are_not_expanded_and_cause_a_warning() {
    let text = r#"curl "https://e.example/$ID" -H "X: ${Y}" -H "Z: $@" -d "<$(cat 'a b' "c)") `date`" -d "$1""#;
    let draft = draft(text);
    assert_eq!(draft["endpoint_url"], "https://e.example/$ID");
    assert_eq!(draft["headers"]["X"], "${Y}");
    assert_eq!(draft["body"]["body"], r#"<$(cat 'a b' "c)") `date`&$1"#);
    let warnings = warnings(text);
    assert!(
        ["$ID", "${Y}", "$1"].iter().all(|name| warnings.iter().any(|warning| warning.contains(name))),
        "{warnings:?}"
    );
    assert!(super::warnings("curl 'https://e.example/$ID' -d '<`x`'").is_empty());
    assert_eq!(super::warnings("curl e.example -H \"X: $@\"").len(), 1);
    let long_name = format!("curl e.example -d \"<${{\" -H \"A: {}}}\"", "x".repeat(200));
    assert_eq!(raw_body_text(&long_name), "<${", "a name of this length is not a variable");
    for secret in ["sw0rd".to_owned(), "SW0RD".repeat(13)] {
        let warnings = super::warnings(&format!("curl e.example -u \"a:Pa${secret}\""));
        assert!(warnings.len() == 1 && !warnings[0].contains(&secret), "the warning may repeat a secret: {warnings:?}");
    }
}

#[test]
fn standard_input_is_read_from_the_text() {
    for (text, expected) in [
        ("curl e.example -d @- <<EOF\n<a\nb \\$c\nEOF\n", "<ab $c"),
        ("curl e.example --data-binary @- <<'EOF' -s\n<a\n\\$c\nEOF\necho", "<a\n\\$c\n"),
        ("curl e.example --data-binary @- <<\\EOF\n<\\$c\nEOF\n", "<\\$c\n"),
        ("curl e.example --data-binary @- <<-EOF\n\t<a\n\tEOF\n", "<a\n"),
        ("curl e.example --data-binary @- <<< '<a b'", "<a b\n"),
        ("echo '<a' b | curl e.example --data-binary @-", "<a b\n"),
        ("echo -n '<a' | curl e.example --data-binary @-", "<a"),
        ("printf '%s' '<a' | curl e.example -T -", "<a"),
        ("cat <<EOF | curl e.example -d @-\n<x\nEOF", "<x"),
        ("curl e.example -d @- <<EOF | jq .\n<x\nEOF", "<x"),
        ("curl e.example -d @- <<EOF && echo ok\n<x\nEOF", "<x"),
        ("cat <<A; curl e.example -d @- <<B\n<a\nA\n<b\nB", "<b"),
        ("cat <<EOF | jq -c . | curl e.example -d @-\n<x\nEOF", "@-"),
        ("echo -e '<x' | curl e.example -d @-", "@-"),
        ("curl e.example -d @- < file", "@-"),
        // A second read of standard input is empty.
        ("curl e.example --data-binary @- --data-binary @- <<< '<a'", "<a\n&"),
    ] {
        assert_eq!(raw_body_text(text), expected, "{text}");
    }
}

#[test]
fn words_are_split_by_the_rules_of_the_windows_command_prompt() {
    for (quoted, expected) in [
        ("^\"^<a^&b ^|^ c^\"", "<a&b | c"),
        ("^\"^<^\\^\"x^\\^\" ^\\^\\ ^\\^\\^\\^\"^\"", "<\"x\" \\ \\\""),
        ("^\"^<a^\n\nb^\"", "<a\nb"),
        ("^\"^<a^\r\n\r\nb^\"", "<a\nb"),
        ("^\"^<^%^41^\"", "<%41"),
        ("^\"^<\\$x \\`^\"", "<$x `"),
        ("\"<a\"^\n\n\"b\"", "<a\nb"),
        (r#""<a \"b\" \\c \\" "#, r#"<a "b" \\c \"#),
        (r#""<say ""hi"" ^ & |""#, r#"<say "hi" ^ & |"#),
        ("'<a b'", "<a b"),
        ("\"<\"^%\"41\"", "<%41"),
        ("a'b'c", "a'b'c"),
    ] {
        let text = format!("curl ^\"https://e.example/^\" ^\n  --data-raw {quoted} ^\n  --compressed");
        assert_eq!(raw_body_text(&text), expected, "{quoted}");
    }
}

#[test]
fn carets_of_older_chrome_versions_are_escapes_between_plain_quotes() {
    let text = "curl \"https://e.example/?a=1\" ^\n  -H \"x: ^\\^\"a b^\\^\"\" ^\n  --data-raw \"^{^\\^\"a^\\^\":^\\^\"^%^41^\\^\"^}\"";
    assert_draft(text, &json!({"headers": {"x": "\"a b\""}, "body": {"a": "%41"}}));
    let text = "curl \"https://e.example/\" ^\n  --data-raw \"^<^@x^%^PATH^%^$Y\"";
    assert_eq!(raw_body_text(text), "<@x%PATH%$Y");
}

#[test]
fn words_are_split_by_the_rules_of_powershell() {
    for (quoted, expected) in [
        ("'<it''s'", "<it's"),
        ("\"<a `\"b`\" \"\"c\"\" `$d `n``\"", "<a \"b\" \"c\" $d \n`"),
        ("\"<\\\"a\\\"\"", "<\"a\""),
        ("@'\n<a\n'b'\n'@", "<a\n'b'"),
        ("a#b", "a#b"),
    ] {
        let text = format!("curl.exe -X POST `\n  'https://e.example/' `\r\n  --data-raw {quoted}");
        assert_eq!(raw_body_text(&text), expected, "{quoted}");
    }
    for text in [
        "curl.exe e.example `\n -d '{\\\"a\\\": \\\"b\\\"}'",
        "curl.exe e.example -d '{\\\"a\\\": \\\"b\\\"}'",
        "PS C:\\Users\\me> curl.exe e.example -d '{\\\"a\\\": \\\"b\\\"}'",
        "PS> curl.exe e.example -d \"{`\"a`\": `\"b`\"}\"",
        "PS> curl.exe e.example -d \"{\\\"\"a\\\"\": \\\"\"b\\\"\"}\"",
    ] {
        assert_draft(text, &json!({"body": {"a": "b"}}));
    }
    assert_draft(r#"curl.exe e.example -d '{\"a\": \"say \\\"b\\\"\"}'"#, &json!({"body": {"a": "say \"b\""}}));
    assert!(!warnings("curl.exe e.example `\n -d $body").is_empty());
}

#[test]
fn syntax_of_other_shells_is_accepted() {
    assert_draft("curl.exe e.example `\n -o \"C:\\tmp\\\" -d a=1", &json!({"body": {"a": "1"}}));
    assert_draft("PS> curl.exe e.example\n  -d a=1", &json!({"body": {"a": "1"}}));
    assert!(warnings("curl e.example ^\n -H \"X: %TOKEN%\"")[0].contains("command prompt"));
    assert!(warnings("curl e.example ^\n -H \"X: %C3%A4%20%AB%CD\"").is_empty());
    assert_draft("echo {\"a\":1} | curl ^\n e.example -d @-", &json!({"body": {"body": "@-"}}));
}

#[test]
fn data_that_looks_like_prompts_comments_or_fences_is_not_changed() {
    for data in ["山田\u{3000}太郎", "a\u{FEFF}b", "Steps:\n$ curl foo\n> bar", "# curl x\n// y", "```\nx\n```"] {
        assert_eq!(raw_body_text(&format!("curl e.example -d '<{data}'")), format!("<{data}"));
    }
}

#[test]
fn redirections_and_separators_are_not_words() {
    for text in [
        "curl e.example \\",
        "curl e.example\n---\nmore",
        "curl e.example < <(cat x)",
        "curl e.example <&3 -s",
        "curl e.example >&2 -s",
        "curl e.example &>out -s",
        "curl e.example 2>&1 -s",
        "curl e.example <in >out -s",
        &format!("curl e.example <{}>out -s", "x".repeat(64)),
    ] {
        assert_draft(text, &json!({"endpoint_url": "http://e.example", "http_method": "GET", "warnings": null}));
    }
    assert_draft("curl e.example <&3 -d a=1", &json!({"http_method": "POST"}));
}

#[test]
fn a_dialect_is_detected_only_outside_quotes() {
    assert_eq!(raw_body_text("curl e.example -d '<a ^\"b ^\nc `\nd'"), "<a ^\"b ^\nc `\nd");
    assert_eq!(raw_body_text("curl e.example -H 'A: b' -d $'<it\\'s' -H 'C: ^\"d ^\ne'"), "<it's");
    assert_eq!(raw_body_text("curl e.example -d it\\'s -H 'A: ^\"b'"), "it's");
}
