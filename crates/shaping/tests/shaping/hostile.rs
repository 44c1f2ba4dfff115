//! Bodies that try to break a parser.

use serde_json::Value;
use toolgate_shaping::{Part, ShapingFailure, ShapingInput, shape};

use crate::helpers::{all_parts, json, rules, start};

/// Rules with a budget of 1,000 tokens.
const BUDGET: &str = r#"{"max_tokens":1000,"drop_empty":true,"blobs":"link","html":"markdown"}"#;

/// Maximum number of tokens of a part: the budget may be exceeded by 15 %.
const TOKENS_MAX: usize = 1150;

/// Several times the maximum nesting of a document.
const DEPTH: usize = 700;

fn assert_json_within_budget(body: &str) {
    let part = start(&json(body), &rules(BUDGET));
    assert!(part.tokens_after <= TOKENS_MAX, "{} tokens", part.tokens_after);
    assert!(serde_json::from_str::<Value>(&part.text).is_ok(), "{}", part.text);
    assert!(part.left_out.is_some());
}

#[test]
fn deep_nesting_is_collapsed_and_the_next_parts_contain_the_rest() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let body = format!("{}1{}", open.repeat(DEPTH), close.repeat(DEPTH));
        let parts = all_parts(&json(&body), &rules(BUDGET));
        assert!(parts.iter().all(|part| part.tokens_after <= TOKENS_MAX));
        assert!(parts.iter().all(|part| serde_json::from_str::<Value>(&part.text).is_ok()));
        let opened: usize = parts.iter().map(|part| part.text.matches(':').count()).sum();
        assert!(parts.len() > 1 && (open == "[" || opened >= DEPTH), "{} parts, {opened}", parts.len());
        assert_eq!(shape(&json(&body), &rules(r#"{"wrap":true}"#), Part::Start, None), Err(ShapingFailure::Unreadable));
    }
}

#[test]
fn a_million_elements_are_counted() {
    let body = format!("[{}]", vec!["0"; 1_000_000].join(","));
    let part = start(&json(&body), &rules(BUDGET));
    let left_out = part.left_out.unwrap();
    let shown = serde_json::from_str::<Vec<u8>>(&part.text).unwrap().len();
    assert_eq!((left_out.items + shown, left_out.items_total), (1_000_000, 1_000_000));
    let objects = format!("[{}]", vec![r#"{"a":[1,2,{"b":null}]}"#; 200_000].join(",\n"));
    assert_json_within_budget(&objects);
}

#[test]
fn a_map_of_a_hundred_thousand_members_is_cut() {
    let members: Vec<String> =
        (0..100_000).map(|id| format!(r#""id{id}":{{"name":"n{id}","tags":["a","b"]}}"#)).collect();
    assert_json_within_budget(&format!("{{{}}}", members.join(",")));
    assert_json_within_budget(&format!(r#"{{"total":3,"map":{{{}}}}}"#, members.join(",")));
    let scalars: Vec<String> = (0..100_000).map(|id| format!(r#""id{id}":{id}"#)).collect();
    assert_json_within_budget(&format!(r#"{{"total":3,"map":{{{}}}}}"#, scalars.join(",")));
}

#[test]
fn the_parts_of_a_map_contain_all_its_members() {
    let members: Vec<String> =
        (0..3000).map(|id| format!(r#""id{id}":{{"name":"n{id}x","tags":["a","b"]}}"#)).collect();
    let scalars: Vec<String> = (0..3000).map(|id| format!(r#""s{id}":"v{id}x""#)).collect();
    let body =
        format!(r#"{{"first":{{{}}},"second":{{{}}},{}}}"#, members.join(","), scalars.join(","), members.join(","));
    let body = body.replacen("n7x", "needle", 1);
    let parts = all_parts(&json(&body), &rules(BUDGET));
    let text: String = parts.iter().map(|part| part.text.as_str()).collect();
    assert!((0..3000).all(|id| text.matches(&format!("\"v{id}x\"")).count() == 1));
    assert!((0..3000).filter(|id| *id != 7).all(|id| text.matches(&format!("\"n{id}x\"")).count() == 2));
}

#[test]
fn a_megabyte_in_one_string_is_shortened() {
    for character in ["a", "漢", "\\\\", "\\ud83d\\ude00", "a "] {
        let body = format!(r#"{{"text":"{}","after":1}}"#, character.repeat(1_000_000 / character.len()));
        assert_json_within_budget(&body);
        assert!(start(&json(&body), &rules(BUDGET)).text.ends_with(r#","after":1}"#));
    }
}

#[test]
fn duplicate_keys_digits_and_escapes_are_not_changed() {
    let body = r#"{"a":1,"a":2.50,"b":1e400,"c":"\u00e4\/\n","a":123456789012345678901234567890}"#;
    assert_eq!(start(&json(body), &rules(r#"{"wrap":true}"#)).text, body);
    assert_eq!(start(&json(body), &rules(r#"{"omit":["a"]}"#)).text, r#"{"b":1e400,"c":"\u00e4\/\n"}"#);
}

#[test]
fn texts_that_are_not_json_are_cut_at_line_ends() {
    let line = "{\"broken\": 1,\r\n";
    let body = line.repeat(2000);
    let part = start(&json(&body), &rules(BUDGET));
    assert!(part.tokens_after <= 1000 && part.text.ends_with("\r\n"), "{}", part.text);
    let left_out = part.left_out.unwrap();
    assert_eq!(left_out.lines + part.text.lines().count(), 2000);
    assert_eq!(left_out.lines_total, 2000);
    for body in ["", " ", "{", "[1,", "\"", "nul", "\u{feff}", "1 2", "{\"a\":1}}"] {
        assert_eq!(start(&json(body), &rules(BUDGET)).text, body);
    }
}

#[test]
fn a_continuation_of_another_body_is_refused() {
    let body = format!("[{}]", vec![r#""some text of an element""#; 2000].join(","));
    let next = start(&json(&body), &rules(BUDGET)).next.unwrap();
    for other in ["", "[1]", "{}", "ü".repeat(20_000).as_str()] {
        assert!(shape(&json(other), &rules(BUDGET), Part::Rest(&next), None).is_err(), "{other}");
    }
}

#[test]
fn a_part_is_read_by_its_path() {
    let items: Vec<String> = (0..500).map(|id| format!(r#"{{"id":{id},"name":"n{id}"}}"#)).collect();
    let body = format!(r#"{{"total":500,"hits":{{"hits":[{}],"a.b":"abcdef"}}}}"#, items.join(","));
    let at = |path: &str, from: usize, media_type: &str| {
        let input = ShapingInput { media_type, ..json(&body) };
        shape(&input, &rules(r#"{"max_tokens":1000,"omit":["total"]}"#), Part::At { path, from }, None)
    };
    let part = at("hits.hits", 490, "application/json").unwrap();
    assert_eq!(part.text, format!("[{}]", items[490..].join(",")));
    assert_eq!(part.left_out, None);
    let part = at("hits.hits", 100, "application/json").unwrap();
    assert!(part.text.starts_with(r#"[{"id":100,"#), "{}", part.text);
    let left_out = part.left_out.unwrap();
    assert_eq!(left_out.items_total, 500);
    assert_eq!(at("hits.hits[7].name", 0, "").unwrap().text, "\"n7\"");
    assert_eq!(at("hits.a\\.b", 2, "").unwrap().text, "\"cdef\"");
    for (path, from) in [("hits.hits", 500), ("hits.none", 0), ("hits.hits[500]", 0), ("total", 0), ("a..b", 0)] {
        assert_eq!(at(path, from, ""), Err(ShapingFailure::NotFound), "{path} {from}");
    }
    let text = "line\n".repeat(100);
    let input = ShapingInput { body: &text, media_type: "text/plain", reference: None };
    let part = shape(&input, &rules(BUDGET), Part::At { path: "", from: 98 }, None).unwrap();
    assert_eq!(part.text, "line\nline\n");
}
