//! Searches over generated tools and over small lists.

use serde_json::{Value, json};
use toolgate_domain::tokens::estimate;
use toolgate_testkit::generated_tools::{
    GeneratedTool, generated_tools, held_out_queries, tuned_queries, unseen_queries,
};

use super::{SearchDocument, SearchHit, SearchIndex};
use crate::signature::{SIGNATURE_TOKENS_MAX, signature};

fn index_generated(tools: &[GeneratedTool]) -> SearchIndex {
    SearchIndex::new(tools.iter().map(|tool| SearchDocument {
        name: &tool.name,
        group: tool.group,
        title: "",
        description: &tool.description,
        input_schema: &tool.input_schema,
    }))
}

fn index(tools: &[(&str, &str)]) -> SearchIndex {
    let schema = json!({"type": "object"});
    let document =
        |(name, description)| SearchDocument { name, group: "", title: "", description, input_schema: &schema };
    SearchIndex::new(tools.iter().copied().map(document))
}

fn search(index: &SearchIndex, query: &str) -> Vec<SearchHit> {
    index.search(query, 5, |_| true, |_| 0)
}

fn found<'a>(index: &SearchIndex, tools: &[(&'a str, &str)], query: &str) -> Vec<&'a str> {
    search(index, query).iter().map(|hit| tools[hit.document].0).collect()
}

/// Describes the searches that do not find the wanted tool among the first five, with the tools that they find.
fn missed(queries: &[(&str, &str)]) -> Vec<String> {
    let tools = generated_tools();
    let index = index_generated(&tools);
    queries
        .iter()
        .filter_map(|(query, wanted)| {
            assert!(tools.iter().any(|tool| tool.name == *wanted), "there is no tool {wanted}");
            let names: Vec<&str> = search(&index, query).iter().map(|hit| tools[hit.document].name.as_str()).collect();
            (!names.contains(wanted)).then(|| format!("{query:?} does not find {wanted} but {names:?}"))
        })
        .collect()
}

#[test]
fn the_wanted_tool_is_among_the_first_five_for_95_of_100_queries() {
    assert_eq!(tuned_queries().len(), 100);
    let missed = missed(tuned_queries());
    assert!(missed.len() <= 5, "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn the_wanted_tool_is_among_the_first_five_for_95_of_100_held_out_queries() {
    for queries in [held_out_queries(), unseen_queries()] {
        let missed = missed(queries);
        assert!(missed.len() * 20 <= queries.len(), "{} missed:\n{}", missed.len(), missed.join("\n"));
    }
}

#[test]
fn eight_hits_take_at_most_500_tokens() {
    let tools = generated_tools();
    let index = index_generated(&tools);
    for (query, _) in tuned_queries() {
        let hits = index.search(query, 8, |_| true, |_| 0);
        let lines: Vec<String> = hits
            .iter()
            .map(|hit| &tools[hit.document])
            .map(|tool| signature(&tool.name, &tool.description, &tool.input_schema))
            .collect();
        assert!(lines.iter().all(|line| estimate(line) <= SIGNATURE_TOKENS_MAX), "{lines:?}");
        assert!(estimate(&lines.join("\n")) <= 500, "{lines:?}");
    }
}

#[test]
fn an_index_of_1000_tools_takes_at_most_2_mib() {
    let mut tools = generated_tools();
    let more: Vec<GeneratedTool> = tools.iter().take(200).cloned().collect();
    tools.extend(more);
    let size = index_generated(&tools).size_bytes();
    assert!(size <= 2 << 20, "{size}");
}

#[test]
fn an_index_of_hostile_tools_takes_at_most_2_mib() {
    let texts: Vec<String> = (0..1100)
        .map(|tool| (0..300).map(|word| format!("w{}x{word}", tool * 300 + word)).collect::<Vec<_>>().join(" "))
        .collect();
    let properties: serde_json::Map<String, Value> = (0..300).map(|n| (format!("argument{n}"), json!({}))).collect();
    let schema = json!({"properties": properties});
    let document =
        |description| SearchDocument { name: "t", group: "g", title: "", description, input_schema: &schema };
    let index = SearchIndex::new(texts.iter().map(|text| document(text)));
    assert!(index.size_bytes() <= 2 << 20, "{}", index.size_bytes());
}

#[test]
fn prefixes_plurals_and_single_typing_errors_match() {
    let tools = [
        ("list_issues", "Issues of a repository"),
        ("createOAuth2Token", "Makes a token"),
        ("get_weather", "Forecast of a city"),
    ];
    let index = index(&tools);
    for (query, expected) in [
        ("issue", "list_issues"),
        ("iss", "list_issues"),
        ("isues", "list_issues"),
        ("repositry", "list_issues"),
        ("OAUTH", "createOAuth2Token"),
        ("oauth2", "createOAuth2Token"),
        ("forecasts for cities", "get_weather"),
        ("wether", "get_weather"),
        ("get_weather", "get_weather"),
    ] {
        assert_eq!(found(&index, &tools, query).first(), Some(&expected), "{query}");
    }
    for query in ["", "  ", "zzz", "the", "…"] {
        assert_eq!(found(&index, &tools, query), [""; 0], "{query}");
    }
}

#[test]
fn arguments_and_enum_values_match() {
    let schema = json!({"properties": {"a": {"properties": {"currency": {"enum": ["swiss_francs"]}}}}});
    let document = |name, input_schema| SearchDocument { name, group: "g", title: "", description: "", input_schema };
    let index = SearchIndex::new([document("x", &Value::Null), document("y", &schema)]);
    for query in ["currency", "swiss francs"] {
        assert_eq!(search(&index, query).first().map(|hit| hit.document), Some(1), "{query}");
    }
}

#[test]
fn equal_matches_are_ordered_by_calls() {
    let index = index(&[("a_x", "same"), ("b_x", "same"), ("c_x", "same")]);
    let calls = [1, 9, 9];
    let hits = index.search("same", 5, |_| true, |document| calls[document]);
    assert_eq!(hits.iter().map(|hit| hit.document).collect::<Vec<_>>(), [1, 2, 0]);
}

#[test]
fn only_accepted_documents_are_found() {
    let index = index(&[("a_x", "same"), ("b_x", "same")]);
    let hits = index.search("same", 5, |document| document == 1, |_| 0);
    assert_eq!(hits.iter().map(|hit| hit.document).collect::<Vec<_>>(), [1]);
}

proptest::proptest! {
    #[test]
    fn any_query_over_any_text_returns(query in "\\PC{0,80}", name in "\\PC{0,20}", description in "\\PC{0,200}") {
        let schema = json!({"properties": {&name: {"enum": [&description]}}});
        let document = SearchDocument { name: &name, group: &query, title: &name, description: &description, input_schema: &schema };
        let index = SearchIndex::new([document, document]);
        proptest::prop_assert!(search(&index, &query).len() <= 2);
        let line = signature(&name, &description, &schema);
        proptest::prop_assert!(line.starts_with(&name));
    }
}
