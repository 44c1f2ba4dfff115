use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::test_rules::rules;

const UPSTREAM: &str = "https://api.example.com/items";

fn proposal(responses: &[Value]) -> Proposal {
    let texts: Vec<String> = responses.iter().map(Value::to_string).collect();
    propose_texts(&texts, None)
}

fn propose_texts(texts: &[String], current: Option<&Shaping>) -> Proposal {
    let inputs: Vec<ShapingInput<'_>> =
        texts.iter().map(|body| ShapingInput { body, media_type: "application/json", reference: None }).collect();
    propose(&inputs, current, UPSTREAM)
}

fn reason(proposal: &Proposal, path: &str) -> Option<OmitReason> {
    let found = proposal.paths.iter().find(|report| report.path == path);
    found.unwrap_or_else(|| panic!("{path} in {:?}", proposal.paths)).reason
}

/// The saved tokens: the sum of the reports of all paths, and the measured number.
fn savings(proposal: &Proposal) -> (f64, f64) {
    let reported = proposal.paths.iter().map(|report| report.tokens_saved).sum();
    let measured = proposal.tokens_before.saturating_sub(proposal.tokens_after);
    (reported, f64::from(u32::try_from(measured).unwrap()))
}

/// A page of a list, as many APIs return it.
fn page(number: usize) -> Value {
    let item = |index: usize| {
        let id = number * 100 + index;
        json!({
            "id": id,
            "node_id": format!("MDU6SXNzdWU{id}"),
            "title": format!("Invoice {id} cannot be opened"),
            "url": format!("https://api.example.com/items/{id}"),
            "events_url": format!("https://api.example.com/items/{id}/events"),
            "html_url": format!("https://example.com/items/{id}"),
            "milestone": null,
            "kind": "invoice",
            "owner": {"login": format!("kim{id}"), "avatar_url": "https://cdn.example.net/a.png", "site_admin": false},
            "labels": [{"name": format!("label {}", id % 7), "default": false}],
        })
    };
    let next = if number > 0 { Value::from(number) } else { Value::Null };
    json!({"total": 1000 + number, "next_cursor": next, "error": null, "items": (0..5).map(item).collect::<Vec<_>>()})
}

#[test]
fn members_that_a_model_does_not_need_are_proposed_with_the_reason() {
    let pages: Vec<Value> = (0..6).map(page).collect();
    let proposal = proposal(&pages);
    for (path, expected) in [
        ("total", None),
        ("next_cursor", None),
        ("error", None),
        ("items", None),
        ("items[].id", None),
        ("items[].title", None),
        ("items[].owner.login", None),
        ("items[].labels[].name", None),
        ("items[].node_id", Some(OmitReason::DuplicateId)),
        ("items[].url", Some(OmitReason::Url)),
        ("items[].html_url", Some(OmitReason::Url)),
        ("items[].owner.avatar_url", Some(OmitReason::Url)),
        ("items[].milestone", Some(OmitReason::Empty)),
        ("items[].kind", Some(OmitReason::Constant)),
        ("items[].owner.site_admin", Some(OmitReason::Constant)),
        ("items[].labels[].default", Some(OmitReason::Constant)),
    ] {
        assert_eq!(reason(&proposal, path), expected, "{path}");
    }
    let mut omit = proposal.omit.clone();
    omit.sort();
    let expected = [
        "*_url",
        "items[].kind",
        "items[].labels[].default",
        "items[].milestone",
        "items[].owner.site_admin",
        "node_id",
        "url",
    ];
    assert_eq!(omit, expected);
    let constant = proposal.paths.iter().find(|report| report.path == "items[].kind").unwrap();
    assert_eq!((constant.constant.as_deref(), constant.distinct), (Some("\"invoice\""), 1));
    let milestone = proposal.paths.iter().find(|report| report.path == "items[].milestone").unwrap();
    assert!((milestone.share - 1.0).abs() < 1e-9 && (milestone.empty - 1.0).abs() < 1e-9);
    assert_eq!((proposal.responses, proposal.truncated), (6, 0));
}

#[test]
fn the_proposed_rules_save_about_as_many_tokens_as_reported() {
    let pages: Vec<Value> = (0..6).map(page).collect();
    let proposal = proposal(&pages);
    let (reported, measured) = savings(&proposal);
    assert!(measured > 300.0 && (reported - measured).abs() < measured * 0.15, "{reported} {measured}");
    let shaping = merge_omit(None, &proposal.omit);
    let shaped = shape(
        &ShapingInput { body: &pages[1].to_string(), media_type: "", reference: None },
        &rules(shaping.as_str()),
        Part::Start,
        None,
    );
    let value: Value = serde_json::from_str(&shaped.unwrap().text).unwrap();
    let expected = json!({"id": 100, "title": "Invoice 100 cannot be opened", "owner": {"login": "kim100"}, "labels": [{"name": "label 2"}]});
    assert_eq!(value["items"][0], expected);
}

#[test]
fn few_or_equal_responses_do_not_show_that_a_member_never_changes() {
    let responses: Vec<Value> = (0..50).map(|_| page(1)).collect();
    let proposal = proposal(&responses);
    assert_eq!(proposal.responses, 1);
    assert_eq!(reason(&proposal, "items[].kind"), None);
    assert_eq!(reason(&proposal, "items[].milestone"), None);
    assert_eq!(reason(&proposal, "items[].url"), Some(OmitReason::Url));
}

#[test]
fn the_only_content_of_an_object_is_not_proposed() {
    let urls: Vec<Value> = (0..9)
        .map(|n| json!({"count": n, "items": [{"url": format!("https://api.example.com/{n}?{}", "x".repeat(50))}]}))
        .collect();
    assert_eq!(proposal(&urls).omit, Vec::<String>::new());
    let nested: Vec<Value> =
        urls.iter().map(|page| json!({"count": page["count"], "items": [{"link": page["items"][0]}]})).collect();
    assert_eq!(proposal(&nested).omit, Vec::<String>::new());
    let mut mixed: Vec<Value> = (0..20).map(|n| json!({"id": n, "status": "done"})).collect();
    mixed.push(json!({"status": "done"}));
    assert_eq!(reason(&proposal(&mixed), "status"), None);
    mixed.pop();
    assert_eq!(reason(&proposal(&mixed), "status"), Some(OmitReason::Constant));
}

#[test]
fn objects_without_remaining_members_are_left_out_as_a_whole() {
    let response = |n: usize| {
        let links = json!({"self": {"href": format!("https://api.example.com/{n}")}, "all": {"href": "https://api.example.com/"}});
        json!({"name": format!("Kim {n} {}", "has a long name ".repeat(20)), "_links": links})
    };
    let proposal = proposal(&(0..4).map(response).collect::<Vec<_>>());
    assert_eq!(proposal.omit, ["_links"]);
    assert_eq!(reason(&proposal, "_links"), Some(OmitReason::Members));
    assert_eq!(proposal.paths.len(), 2);
}

#[test]
fn binary_content_is_proposed_unless_the_rules_shorten_it() {
    let blob = STANDARD.encode((0u32..3000).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>());
    let texts = [json!({"name": "a.bin", "file": {"name": "b", "content": blob}}).to_string()];
    let proposal = propose_texts(&texts, None);
    assert_eq!(proposal.omit, ["file.content"]);
    assert_eq!(propose_texts(&texts, Some(&rules(r#"{"blobs":"link"}"#))).omit, Vec::<String>::new());
}

#[test]
fn members_that_the_current_rules_drop_are_not_proposed_again() {
    let texts: Vec<String> = (0..6).map(|n| page(n).to_string()).collect();
    let current = rules(r#"{"omit":["*_url"],"drop_empty":true,"max_tokens":200}"#);
    let proposal = propose_texts(&texts, Some(&current));
    assert!(!proposal.paths.iter().any(|report| report.path.contains("_url") || report.path.contains("milestone")));
    assert!(proposal.omit.contains(&"node_id".to_owned()) && !proposal.omit.contains(&"*_url".to_owned()));
    assert!(proposal.tokens_after < proposal.tokens_before && proposal.tokens_before > 200);
    let existing = JsonObject::from_stored(r#"{"max_tokens":500,"omit":["*_url"]}"#.to_owned());
    let merged = merge_omit(Some(&existing), &["node_id".to_owned()]);
    assert_eq!(merged.as_str(), r#"{"max_tokens":500,"omit":["*_url","node_id"]}"#);
}

#[test]
fn a_name_that_has_content_elsewhere_is_left_out_by_its_path() {
    let response = |n: usize| {
        let url = format!("https://api.example.com/{n}");
        json!({"url": url, "tag": "x", "docs": {"tag": n, "url": format!("https://docs.example.org/{n}"), "a.b": ""}})
    };
    let proposal = proposal(&(0..12).map(response).collect::<Vec<_>>());
    let mut omit = proposal.omit.clone();
    omit.sort();
    assert_eq!(omit, ["[].tag", "[].url", r"docs.a\.b"]);
}

#[test]
fn truncated_responses_are_read_up_to_their_last_complete_element() {
    let texts: Vec<String> = (0..6).map(|n| page(n).to_string().get(..900).unwrap().to_owned()).collect();
    let proposal = propose_texts(&texts, None);
    assert_eq!((proposal.responses, proposal.truncated), (6, 6));
    assert_eq!(reason(&proposal, "items[].node_id"), Some(OmitReason::DuplicateId));
    let others = ["id,name\n1,2", "<html></html>", "", "[", "Done."].map(str::to_owned);
    let proposal = propose_texts(&others, None);
    assert_eq!(proposal, Proposal::default());
}

#[test]
fn hostile_responses_stay_within_the_limits() {
    let wide: Vec<String> = (0..50_000).map(|n| format!("\"k{n}\":null")).collect();
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    let texts = [
        format!("{{{}}}", wide.join(",")),
        deep("[", "]"),
        deep("{\"a\":", "}"),
        deep("{\"a\":[", ""),
        format!("{{\"{}\":1,\"\":2,\"\\ud800\":3}}", "n".repeat(100_000)),
        format!("[{}1]", "1,".repeat(400_000)),
    ];
    let proposal = propose_texts(&texts, None);
    assert!(proposal.responses >= 5 && proposal.paths.len() <= path_tree::PATHS_MAX);
    assert!(proposal.omit.len() <= RULES_MAX);
    let many: Vec<String> = (0..60)
        .map(|n| {
            let members: Vec<String> = (0..1000).map(|name| format!("\"a{name}\":{{\"b{name}\":null}}")).collect();
            format!("{{\"id\":{n},{}}}", members.join(","))
        })
        .collect();
    let proposal = propose_texts(&many, None);
    assert_eq!((proposal.responses, proposal.omit.len()), (PROPOSAL_RESPONSES_MAX, RULES_MAX));
    let omitted = proposal.paths.iter().filter(|report| report.reason.is_some()).count();
    assert_eq!(omitted, RULES_MAX);
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!("")),
        Just(json!("same")),
        Just(json!(false)),
        any::<u16>().prop_map(Value::from),
        "[a-z ]{1,20}".prop_map(Value::from),
        "[a-z]{1,8}".prop_map(|path| Value::from(format!("https://api.example.com/{path}"))),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 40, 6, |inner| {
        let name = prop_oneof![
            Just("id"),
            Just("node_id"),
            Just("a_url"),
            Just("b_url"),
            Just("url"),
            Just("a.b"),
            Just("x*"),
            Just("state"),
            Just("error")
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..6).prop_map(|members| {
                members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Value>()
            }),
        ]
    })
}

fn has_content(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => items.iter().any(has_content),
        Value::Object(members) => members.values().any(has_content),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn applied_proposals_leave_some_content(documents in prop::collection::vec(document(), 1..12)) {
        let texts: Vec<String> = documents.iter().map(Value::to_string).collect();
        let proposal = propose_texts(&texts, None);
        let shaping = merge_omit(None, &proposal.omit);
        let shaping = rules(shaping.as_str());
        for (document, text) in documents.iter().zip(&texts) {
            let input = ShapingInput { body: text, media_type: "", reference: None };
            let shaped: Value = serde_json::from_str(&shape(&input, &shaping, Part::Start, None).unwrap().text).unwrap();
            prop_assert!(has_content(&shaped) || !has_content(document), "{document} {:?}", proposal.omit);
        }
        let (reported, measured) = savings(&proposal);
        prop_assert!(
            reported < measured * 2.0 + 10.0 && measured < reported * 2.0 + 10.0,
            "{reported} {measured} {:?} {texts:?}", proposal.omit
        );
    }

    #[test]
    fn any_beginning_of_a_document_is_completed_to_valid_json(document in document(), end: prop::sample::Index) {
        let text = document.to_string();
        let end = text.floor_char_boundary(end.index(text.len()));
        if let Some(json) = readable_json(text.get(..end).unwrap()) {
            prop_assert!(serde_json::from_str::<Value>(&json.text).is_ok(), "{}", json.text);
        }
    }
}
