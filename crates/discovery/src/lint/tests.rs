use serde_json::{Value, json};
use toolgate_domain::json::Members;

use super::*;

fn discovery(settings: &str) -> DiscoveryRule {
    let settings: Members = serde_json::from_str(settings).unwrap();
    DiscoveryRule::from_settings(&settings)
}

/// The output schema of samples that have one, as part of a list entry.
const OUTPUT_SCHEMA: &str = r#","outputSchema":{"type":"object","properties":{"orders":{"type":"array"}}}"#;

/// A tool without findings.
struct ToolSample {
    name: String,
    description: String,
    schema: Value,
    has_output_schema: bool,
    is_used: bool,
    group: Option<&'static str>,
    is_pinned: bool,
    budget: Option<usize>,
    evidence: Option<CallEvidence>,
}

impl Default for ToolSample {
    fn default() -> Self {
        Self {
            name: "list_orders".to_owned(),
            description: "Lists the open orders of a customer.".to_owned(),
            schema: json!({"type": "object", "properties": {"customer": {"type": "string"}}}),
            has_output_schema: false,
            is_used: true,
            group: None,
            is_pinned: false,
            budget: None,
            evidence: None,
        }
    }
}

impl ToolSample {
    fn with_argument(name: &str, schema: &Value) -> Self {
        Self { schema: json!({"type": "object", "properties": {name: schema}}), ..Self::default() }
    }

    fn with_schema(schema: Value) -> Self {
        Self { schema, ..Self::default() }
    }

    fn described(name: &str, description: &str) -> Self {
        Self { name: name.to_owned(), description: description.to_owned(), ..Self::default() }
    }
}

fn report(settings: &str, samples: &[ToolSample]) -> LintReport {
    let rule = discovery(settings);
    let tools: Vec<LintedTool<'_>> = (1..)
        .zip(samples)
        .map(|(id, sample)| LintedTool {
            id: ToolId(id),
            name: &sample.name,
            description: &sample.description,
            input_schema: &sample.schema,
            has_output_schema: sample.has_output_schema,
            is_used: sample.is_used,
            group: sample.group,
            is_pinned: sample.is_pinned,
            budget: sample.budget,
            evidence: sample.evidence.as_ref(),
            other_tokens: TokenCount::from_text(if sample.has_output_schema { OUTPUT_SCHEMA } else { "" }),
        })
        .collect();
    let has_safe_names = settings.contains("safe_tool_names");
    lint(&LintedServer { slug: "shop", discovery: &rule, has_safe_names }, &tools)
}

/// The findings of one tool as `code: message`.
fn findings(sample: ToolSample) -> Vec<String> {
    texts(&report("{}", &[sample]))
}

fn texts(report: &LintReport) -> Vec<String> {
    report.findings.iter().map(|finding| format!("{}: {}", finding.code.as_str(), finding.message)).collect()
}

/// Tools that differ in every word.
fn distinct_samples(count: usize) -> Vec<ToolSample> {
    let sample = |index| {
        let name = format!("get_{index}");
        ToolSample {
            description: format!("Returns alpha{index}x beta{index}x gamma{index}x."),
            name,
            ..ToolSample::default()
        }
    };
    (0..count).map(sample).collect()
}

#[test]
fn a_good_tool_has_no_findings() {
    assert_eq!(findings(ToolSample::default()), [] as [String; 0]);
}

#[test]
fn the_cost_of_each_tool_is_split_into_parts_and_adds_up() {
    let report = report("{}", &distinct_samples(40));
    let sum: usize = report.tools.iter().map(|tool| tool.total).sum();
    assert!(report.tokens <= sum && report.tokens + 40 >= sum, "{} and {sum}", report.tokens);
    let tool = report.tools[3];
    assert_eq!(tool.tool_id, ToolId(4));
    assert!(tool.name >= 3 && tool.description >= 8 && tool.schema >= 12, "{tool:?}");
    assert!(tool.total.abs_diff(tool.name + tool.description + tool.schema) <= 2, "{tool:?}");
}

#[test]
fn a_conversation_starts_with_all_tools_or_with_pinned_tools_and_the_search() {
    let mut samples = distinct_samples(200);
    samples[7].is_pinned = true;
    samples[8].group = Some("orders");
    let all = report("{}", &samples);
    let whole = all.tokens;
    assert_eq!(all.conversation, ConversationList { searches: false, tools: 200, tokens: whole });
    let search = report(r#"{"discovery":"search"}"#, &samples);
    assert_eq!((search.tokens, search.conversation.tools, search.conversation.searches), (whole, 4, true));
    let tokens = search.conversation.tokens;
    assert!((200..450).contains(&tokens), "{tokens}");
    samples[8].group = None;
    assert!(report(r#"{"discovery":"search"}"#, &samples).conversation.tokens < tokens, "groups are described");
    samples[0].budget = Some(8_000);
    let reads_on = report("{}", &samples).conversation;
    assert_eq!(reads_on.tools, 201);
    assert!((40..110).contains(&(reads_on.tokens - whole)), "{reads_on:?}");
}

#[test]
fn in_mode_auto_lists_over_the_budget_including_output_schemas_are_searched() {
    let mut samples = distinct_samples(10);
    let searches = |samples: &[ToolSample], budget: usize| {
        report(&format!(r#"{{"discovery":"auto","list_budget":{budget}}}"#), samples).conversation.searches
    };
    let whole = report("{}", &samples).tokens;
    assert!(searches(&samples, whole - 1) && !searches(&samples, whole));
    samples[3].has_output_schema = true;
    assert!(searches(&samples, whole));
    assert_eq!(report("{}", &samples).tokens, whole, "models do not read output schemas");
}

#[test]
fn long_results_are_reported_unless_the_tool_has_a_budget() {
    let findings_for = |result_tokens: Vec<usize>, budget| {
        let evidence = CallEvidence { calls: 40, result_tokens, ..CallEvidence::default() };
        findings(ToolSample { budget, evidence: Some(evidence), ..ToolSample::default() })
    };
    let mostly_short = || (1..=18).map(|number| number * 100).chain([12_345, 20_000]).collect::<Vec<_>>();
    assert_eq!(
        findings_for(mostly_short(), None),
        ["large_answers: Answers cost 1,000 tokens (p95 12,345): Claude Code warns at 10,000. Give the tool a budget."]
    );
    assert_eq!(findings_for(mostly_short(), Some(50_000)).len(), 1);
    assert!(findings_for(mostly_short(), Some(8_000)).is_empty());
    assert!(findings_for(vec![50_000; 4], None).is_empty(), "too few results");
    assert!(findings_for(vec![10_000; 20], None).is_empty());
}

#[test]
fn arguments_on_which_many_calls_fail_are_reported() {
    let failed = |calls, failed| {
        let failures = ArgumentFailures {
            argument: "customer".to_owned(),
            calls: failed,
            message: "\"customer\" is missing.".to_owned(),
        };
        let evidence = CallEvidence { calls, argument_failures: vec![failures], ..CallEvidence::default() };
        report("{}", &[ToolSample { evidence: Some(evidence), ..ToolSample::default() }])
    };
    let report = failed(42, 5);
    assert_eq!(
        texts(&report),
        ["failed_argument: 12 % of the calls of the last 30 days failed on \"customer\". \"customer\" is missing."]
    );
    assert_eq!(report.findings[0].argument.as_deref(), Some("customer"));
    assert!(failed(1000, 5).findings.is_empty() && failed(3, 2).findings.is_empty());
}

#[test]
fn arguments_that_are_never_sent_are_reported_for_tools_with_many() {
    let check = |arguments: usize, calls| {
        let name = |number| format!("argument_{number:02}");
        let properties: serde_json::Map<String, Value> =
            (0..arguments).map(|number| (name(number), json!({"type": "integer"}))).collect();
        let schema = json!({"type": "object", "properties": properties, "required": [name(0)]});
        let sent_arguments = Some(SentArguments { calls, names: (0..6).map(name).collect() });
        let evidence = Some(CallEvidence { calls, sent_arguments, ..CallEvidence::default() });
        findings(ToolSample { schema, evidence, ..ToolSample::default() })
    };
    assert_eq!(
        check(16, 20),
        ["unused_arguments: 16 arguments, 15 optional: hide those that are never sent (argument_06, argument_07, \
          argument_08, argument_09, argument_10, argument_11, argument_12, argument_13, … 2 more)."]
    );
    assert!(check(15, 20).is_empty() && check(16, 19).is_empty());
}

#[test]
fn a_list_over_its_budget_is_reported_with_the_number_of_unused_tools() {
    let mut samples = distinct_samples(10);
    samples[2].is_used = false;
    samples[7].is_used = false;
    let over = report(r#"{"list_budget":100}"#, &samples);
    let tokens = over.tokens;
    assert_eq!(
        texts(&over),
        [format!(
            "list_budget: The list costs {tokens} tokens in every conversation; the list budget warns above 100. \
             Switch discovery to search, or pause tools without calls (2)."
        )]
    );
    assert_eq!(over.findings[0].tool_id, None);
    assert_eq!(over.findings[0].fix, Some(FindingFix::Pause));
    assert_eq!(over.tools.iter().filter(|tool| !tool.is_used).count(), 2);
    let all_used = report(r#"{"list_budget":100}"#, &distinct_samples(10));
    assert_eq!(all_used.findings[0].fix, Some(FindingFix::Search));
    assert!(report("{}", &samples).findings.is_empty());
    assert!(report(r#"{"list_budget":100,"discovery":"search"}"#, &samples).findings.is_empty());
}

#[test]
fn a_list_with_more_tools_than_a_client_shows_is_reported() {
    let at_limit = report(r#"{"list_budget":1000000}"#, &distinct_samples(100));
    assert_eq!(texts(&at_limit), [] as [String; 0]);
    let windsurf = report(r#"{"list_budget":1000000}"#, &distinct_samples(101));
    assert_eq!(texts(&windsurf), ["too_many_tools: 101 tools: Windsurf shows only the first 100."]);
    let all = report(r#"{"list_budget":1000000}"#, &distinct_samples(1001));
    assert_eq!(
        texts(&all),
        [
            "too_many_tools: 1,001 tools: Windsurf shows only the first 100.",
            "too_many_tools: 1,001 tools: VS Code, ChatGPT and Codex, Gemini show only the first 128.",
        ]
    );
}

#[test]
fn a_tool_that_costs_much_more_than_the_others_is_reported() {
    let mut samples = distinct_samples(5);
    samples[1].description = (0..900).map(|index| format!("Returns word{index}.")).collect::<Vec<_>>().join(" ");
    let expensive = report(r#"{"list_budget":1000000}"#, &samples);
    let (tokens, mut totals) = (expensive.tools[1].total, expensive.tools.iter().map(|t| t.total).collect::<Vec<_>>());
    totals.sort_unstable();
    let expected = format!(
        "expensive_tool: \"get_1\" costs {} tokens, {} times the median. Shorten the description or hide optional \
         arguments.",
        prose::with_separators(tokens),
        tokens / totals[2]
    );
    assert_eq!(texts(&expensive), [expected]);
    let alone = report(r#"{"list_budget":1000000}"#, &samples[1..2]);
    assert!(alone.findings.is_empty(), "a single tool is its own median: {:?}", texts(&alone));
}

#[test]
fn names_that_clients_drop_or_refuse_are_reported() {
    let long = ToolSample { name: "a".repeat(54), ..ToolSample::default() };
    assert_eq!(
        findings(long),
        [format!(
            "long_name: The name \"{}\" has 54 characters; Claude drops tools over 64 with the server's name.",
            "a".repeat(54)
        )]
    );
    let fits = ToolSample { name: "a".repeat(53), ..ToolSample::default() };
    assert!(findings(fits).is_empty());
    let copy = || ToolSample { name: "list orders".to_owned(), ..ToolSample::default() };
    assert!(report(r#"{"safe_tool_names":true}"#, &[copy()]).findings.is_empty());
    let dotted = ToolSample { name: "orders.list".to_owned(), ..ToolSample::default() };
    assert_eq!(report(r#"{"safe_tool_names":true}"#, &[dotted]).findings[0].code, FindingCode::NameCharacters);
    assert_eq!(
        findings(copy()),
        ["name_characters: The name \"list orders\" has characters that Claude, ChatGPT and Gemini refuse. Use \
             letters, digits, _ and -."]
    );
}

#[test]
fn findings_about_names_suggest_a_name_that_clients_accept() {
    let suggested = |name: &str, other: &str| {
        let named = |name: &str| ToolSample { name: name.to_owned(), ..ToolSample::default() };
        let report = report("{}", &[named(name), named(other)]);
        let finding = report.findings.into_iter().find(|finding| finding.tool_id == Some(ToolId(1))).unwrap();
        assert_eq!(finding.fix.is_some(), finding.suggested_name.is_some());
        finding.suggested_name
    };
    assert_eq!(suggested("orders.list (copy)", "x").as_deref(), Some("orders_list_copy"));
    assert_eq!(suggested("list orders", "list_orders").as_deref(), Some("list_orders_2"));
    let long = format!("list_orders_of_{}_customers", "a".repeat(35));
    assert_eq!(suggested(&long, "x").as_deref(), Some(format!("list_orders_of_{}", "a".repeat(35)).as_str()));
    assert_eq!(suggested(&"a".repeat(80), "x"), Some("a".repeat(50)));
    assert_eq!(suggested("список", "x"), None);
}

#[test]
fn schemas_with_variants_can_be_folded_unless_lists_are_adapted() {
    let variants = || ToolSample::with_schema(json!({"type": "object", "anyOf": [{}]}));
    let fix = |settings: &str| report(settings, &[variants()]).findings[0].fix;
    assert_eq!(fix(r#"{"adapt_schemas":false}"#), Some(FindingFix::Fold));
    assert_eq!(fix("{}"), None);
}

#[test]
fn descriptions_without_information_are_reported() {
    let described =
        |description: &str| findings(ToolSample { description: description.to_owned(), ..ToolSample::default() });
    assert_eq!(described("  "), ["no_description: No description: a model sees only the name."]);
    assert_eq!(described("List the orders."), ["description_repeats_name: The description only repeats the name."]);
    assert_eq!(
        described("Cancels an order of a customer."),
        ["result_not_described: The description does not say what comes back."]
    );
    assert_eq!(described("Cancels an order and returns its new state."), [] as [String; 0]);
    let typed = ToolSample {
        description: "Cancels an order of a customer.".to_owned(),
        has_output_schema: true,
        ..ToolSample::default()
    };
    assert!(findings(typed).is_empty());
}

#[test]
fn tools_with_similar_descriptions_are_reported_once() {
    let samples = [
        ToolSample::described("find_a", "Returns all customers whose name starts with the given text."),
        ToolSample::described("find_b", "Returns all customers whose name contains the given text."),
        ToolSample::described("read", "Returns one order with its lines."),
    ];
    let similar = report("{}", &samples);
    assert_eq!(
        texts(&similar),
        ["similar_tools: \"find_a\" and \"find_b\" read alike to a model (83 % the same words): say in each when \
             to use the other."]
    );
    assert_eq!(similar.findings[0].tool_id, Some(ToolId(2)));
}

#[test]
fn arguments_with_unclear_names_and_no_description_are_reported() {
    for name in ["q", "id", "ids", "data", "Type", "value"] {
        let unclear = findings(ToolSample::with_argument(name, &json!({"type": "string"})));
        let expected =
            format!("unclear_argument: Argument \"{name}\" has no description and its name does not explain it.");
        assert_eq!(unclear, [expected]);
    }
    for (name, schema) in [
        ("q", json!({"type": "string", "description": "Words to search."})),
        ("type", json!({"enum": ["a", "b"]})),
        ("state", json!({"type": "string"})),
    ] {
        assert_eq!(findings(ToolSample::with_argument(name, &schema)), [] as [String; 0], "{name}");
    }
}

#[test]
fn values_that_only_the_description_lists_are_reported() {
    let described = |description: &str| {
        findings(ToolSample::with_argument("state", &json!({"type": "string", "description": description})))
    };
    for (description, values) in [
        ("State of the order. One of: open, closed or all.", "open, closed, all"),
        ("Can be `asc` or `desc`", "asc, desc"),
        ("Possible values are \"new\", \"paid\" and \"sent\".", "new, paid, sent"),
        ("Either up|down", "up, down"),
        ("One of issue, pull", "issue, pull"),
    ] {
        let expected = format!("missing_enum: Argument \"state\" looks like a closed set ({values}) but has no enum.");
        assert_eq!(described(description), [expected], "{description}");
    }
    for description in ["Can be empty.", "One of the states that the account knows.", "State of the order"] {
        assert_eq!(described(description), [] as [String; 0], "{description}");
    }
    let with_enum = json!({"enum": ["asc", "desc"], "description": "Can be asc or desc."});
    assert!(findings(ToolSample::with_argument("state", &with_enum)).is_empty());
}

#[test]
fn formats_that_only_the_description_mentions_are_reported() {
    let described = |description: &str| {
        findings(ToolSample::with_argument("since", &json!({"type": "string", "description": description})))
    };
    for (description, example) in [
        ("Start, as an ISO 8601 time.", "2026-01-31T09:30:00Z"),
        ("Day in the format YYYY-MM-DD", "2026-01-31"),
        ("Comma-separated names of labels", "first,second"),
        ("Country in ISO 3166 format", "DE"),
    ] {
        let expected = format!(
            "format_in_prose: Argument \"since\" has a format only in prose: add an example, such as \"{example}\"."
        );
        assert_eq!(described(description), [expected], "{description}");
    }
    for harmless in ["Isolated or not", "Information about the date", "Time of the event"] {
        assert!(described(harmless).is_empty(), "{harmless}");
    }
    let typed = json!({"type": "string", "format": "date", "description": "Day in the format YYYY-MM-DD"});
    assert!(findings(ToolSample::with_argument("since", &typed)).is_empty());
}

#[test]
fn variants_in_the_root_schema_are_reported() {
    let schema = json!({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let text = "top_level_variants: The schema uses oneOf at the top: Anthropic's API refuses the whole conversation.";
    assert_eq!(findings(ToolSample::with_schema(schema.clone())), [format!("{text} It is folded for such clients.")]);
    let unadapted = report(r#"{"adapt_schemas":false}"#, &[ToolSample::with_schema(schema)]);
    assert_eq!(texts(&unadapted), [text]);
    let inside = json!({"type": "object", "properties": {"contact": {"anyOf": [{"type": "string"}]}}});
    assert!(findings(ToolSample::with_schema(inside)).is_empty());
}

#[test]
fn references_to_other_documents_are_reported() {
    for reference in ["https://example.com/pet.json", "#/components/schemas/Pet", "other.json#/a"] {
        let schema = json!({"properties": {"animal": {"items": {"$ref": reference}}}});
        assert_eq!(
            findings(ToolSample::with_schema(schema)),
            [format!(
                "foreign_reference: The schema has a $ref that leads out of it ({reference}): clients cannot follow \
                 it."
            )]
        );
    }
    let schema = json!({"properties": {"animal": {"$ref": "#/$defs/pet"}}, "$defs": {"pet": {"type": "string"}}});
    assert!(findings(ToolSample::with_schema(schema)).is_empty());
}

#[test]
fn deeply_nested_arguments_are_reported() {
    let nested =
        |levels: usize| (0..levels).fold(json!({"type": "string"}), |inner, _| json!({"properties": {"inner": inner}}));
    assert!(findings(ToolSample::with_schema(nested(4))).is_empty());
    let text = "levels deep: models fill in deep objects badly. Flatten the arguments models need.";
    assert_eq!(findings(ToolSample::with_schema(nested(5))), [format!("deep_nesting: Nested 5 {text}")]);
    let endless = json!({"properties": {"child": {"$ref": "#"}}});
    assert_eq!(findings(ToolSample::with_schema(endless)), [format!("deep_nesting: Nested 12 {text}")]);
}

#[test]
fn defaults_that_look_like_secrets_are_reported() {
    for secret in
        ["sk_live_4eC39HqLyjWDarjtT1zdp7dc", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "9f8Ad7Kx02LmQz81TyVbN3"]
    {
        let schema = json!({"type": "string", "default": secret});
        assert_eq!(
            findings(ToolSample::with_argument("token", &schema)),
            ["secret_default: A secret-looking default in \"token\": move it to the credentials."]
        );
    }
    for harmless in
        ["application/json", "2026-01-31T09:30:00Z", "created_at_descending_order", "sk_de", "00000000000000000000000"]
    {
        let schema = json!({"type": "string", "default": harmless});
        assert_eq!(findings(ToolSample::with_argument("token", &schema)), [] as [String; 0], "{harmless}");
    }
}

#[test]
fn every_code_has_a_name_and_a_level() {
    assert_eq!(FindingCode::NAMES.len(), 19);
    for name in FindingCode::NAMES {
        let code = FindingCode::parse(name).unwrap();
        assert!(FindingLevel::NAMES.contains(&code.level().as_str()));
    }
}

#[test]
fn a_list_of_a_thousand_similar_tools_is_checked() {
    let samples: Vec<ToolSample> = (0..1000).map(|_| ToolSample::default()).collect();
    let report = report("{}", &samples);
    let similar = report.findings.iter().filter(|finding| finding.code == FindingCode::SimilarTools).count();
    assert_eq!(similar, 999);
}
