//! Sends the generated responses through a service and checks the results over MCP: the budget, the counts in the note,
//! the planted facts, and that reading on returns all the rest exactly once.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use toolgate_domain::json::JsonObject;
use toolgate_domain::shaping::{NEW_TOOL_SHAPING, Shaping};
use toolgate_domain::tokens::estimate;
use toolgate_shaping::{Part, ShapingInput, shape};
use toolgate_testkit::objects::with_defaults;
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, MockResponse, ServiceFixture, Upstream};

use super::recount::note_problem;
use super::responses::{GeneratedResponse, generated_responses};

/// By how much a part may exceed its budget, in percent.
const EXCESS_PERCENT_MAX: usize = 15;
/// More parts than this mean that reading on never ends.
const PARTS_MAX: usize = 2_000;

/// The figures and failed checks of one response.
pub(crate) struct ResponseReport {
    /// The kind of the response.
    pub(crate) name: &'static str,
    /// Tokens of the response without shaping.
    pub(crate) before: usize,
    /// Tokens of the first part and its note.
    pub(crate) after: usize,
    /// How many parts there are.
    pub(crate) parts: usize,
    /// How many planted facts there are.
    pub(crate) facts: usize,
    /// How many planted facts are in the first part.
    pub(crate) facts_in_first_part: usize,
    /// Descriptions of the failed checks.
    pub(crate) problems: Vec<String>,
}

/// Runs all responses through a service.
pub(crate) async fn check_responses(builder: ServiceBuilder) -> Vec<ResponseReport> {
    let responses = generated_responses();
    let bodies: Vec<(String, String)> =
        responses.iter().map(|generated| (generated.media_type.to_owned(), generated.body.clone())).collect();
    let upstream = Upstream::with_handler(move |request| {
        let index: usize = request.path().trim_start_matches('/').parse().unwrap_or_default();
        let (media_type, body) = bodies.get(index).cloned().unwrap_or_default();
        MockResponse::bytes(&media_type, body)
    });
    let service = ServiceFixture::start(builder, upstream, json!({"name": "Answers"})).await;
    let caller = service.caller().legacy("2025-06-18").await;
    let mut reports = Vec::new();
    for (index, generated) in responses.iter().enumerate() {
        let path = format!("/{index}");
        service.create_tool(json!({"name": format!("plain_{index}"), "endpoint_url": path})).await;
        let rules = rules(generated);
        service.create_tool(json!({"name": format!("shaped_{index}"), "endpoint_url": path, "shaping": rules})).await;
        reports.push(check_response(&caller, index, generated, &rules).await);
    }
    reports
}

/// The rules of a new tool, changed as its owner would.
fn rules(generated: &GeneratedResponse) -> Value {
    let parse = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    with_defaults(parse(generated.shaping), &parse(NEW_TOOL_SHAPING))
}

async fn check_response(
    caller: &McpClient,
    index: usize,
    generated: &GeneratedResponse,
    rules: &Value,
) -> ResponseReport {
    let plain = caller.call(&format!("plain_{index}"), json!({})).await;
    let first = caller.call(&format!("shaped_{index}"), json!({})).await;
    let first_texts = texts(&first);
    let note = first_texts.get(1).cloned();
    let parts = read_on(caller, first_texts.clone()).await;
    let whole = whole_text(generated, rules);
    let mut problems = Vec::new();
    let max_tokens = usize::try_from(rules["max_tokens"].as_u64().unwrap_or_default()).unwrap_or_default();
    for part in parts.iter().filter(|part| estimate(part) * 100 > max_tokens * (100 + EXCESS_PERCENT_MAX)) {
        problems.push(format!("a part has {} tokens of {max_tokens}", estimate(part)));
    }
    let first_part = parts.first().map(String::as_str).unwrap_or_default();
    problems.extend(note_problem(note.as_deref(), &whole, first_part));
    let is_in = |part: &String, fact: &str| part.contains(fact);
    for fact in generated.facts.iter().filter(|fact| !parts.iter().any(|part| is_in(part, fact))) {
        problems.push(format!("the fact {fact:?} is lost"));
    }
    problems.extend(repetition_problem(generated, &whole, &parts));
    ResponseReport {
        name: generated.name,
        before: texts(&plain).iter().map(|text| estimate(text)).sum(),
        after: first_texts.iter().map(|text| estimate(text)).sum(),
        parts: parts.len(),
        facts: generated.facts.len(),
        facts_in_first_part: generated.facts.iter().filter(|fact| first_part.contains(fact.as_str())).count(),
        problems,
    }
}

fn texts(result: &Value) -> Vec<String> {
    let blocks = result["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).map(str::to_owned).collect()
}

/// The texts of all parts, without the notes.
async fn read_on(caller: &McpClient, first: Vec<String>) -> Vec<String> {
    let mut parts = Vec::new();
    let mut current = first;
    while parts.len() < PARTS_MAX {
        let reference = current.get(1).and_then(|note| reference(note)).map(str::to_owned);
        parts.extend(current.into_iter().next());
        let Some(reference) = reference else { break };
        let result = caller.call("read_more", json!({"ref": reference})).await;
        current = texts(&result);
        if result["isError"] == true {
            break;
        }
    }
    parts
}

/// The reference that a note names.
fn reference(note: &str) -> Option<&str> {
    note.split_once("{\"ref\":\"")?.1.split_once('"').map(|(reference, _)| reference)
}

/// The response shaped by the same rules without a budget.
fn whole_text(generated: &GeneratedResponse, rules: &Value) -> String {
    let mut shaping = Shaping::parse(&JsonObject::from_stored(rules.to_string())).unwrap_or_default();
    shaping.max_tokens = None;
    let response = ShapingInput { body: &generated.body, media_type: generated.media_type, reference: None };
    shape(&response, &shaping, Part::Start, None).map(|shaped| shaped.text).unwrap_or_default()
}

/// Describes a word that occurs more or less often in all parts together than in the whole text. Member names are not
/// counted: parts also use them to say where they continue.
fn repetition_problem(generated: &GeneratedResponse, whole: &str, parts: &[String]) -> Option<String> {
    let names = member_names(&generated.body);
    let mut wanted = HashMap::new();
    count_words(whole, &mut wanted);
    let mut found = HashMap::new();
    for part in parts {
        count_words(part, &mut found);
    }
    let is_reference = |word: &str| word.starts_with("r_");
    let mut words: Vec<(&String, &usize)> = wanted.iter().filter(|(word, _)| !names.contains(*word)).collect();
    words.sort_unstable();
    let wrong = words.into_iter().find(|(word, count)| !is_reference(word) && found.get(*word) != Some(*count));
    wrong.map(|(word, count)| {
        format!(
            "{word:?} is {} times in {} parts, {count} times in the whole",
            found.get(word).unwrap_or(&0),
            parts.len()
        )
    })
}

/// The words in the names of members and columns.
fn member_names(body: &str) -> HashSet<String> {
    let first_line = body.lines().next().unwrap_or_default();
    let quoted = body.split('"').collect::<Vec<_>>();
    let keys = quoted.windows(2).filter(|pair| pair[1].trim_start().starts_with(':')).map(|pair| pair[0]);
    let header = (!body.starts_with(['{', '[', '<', '\u{feff}'])).then_some(first_line);
    keys.chain(header).flat_map(words).map(str::to_owned).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.chars().count() >= 2)
}

/// Counts the words of the values of a JSON text, or of any other text.
fn count_words(text: &str, counts: &mut HashMap<String, usize>) {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => count_value(&value, counts),
        Err(_) => words(text).for_each(|word| *counts.entry(word.to_owned()).or_default() += 1),
    }
}

fn count_value(value: &Value, counts: &mut HashMap<String, usize>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| count_value(item, counts)),
        Value::Object(members) => members.values().for_each(|member| count_value(member, counts)),
        Value::String(text) if text.starts_with("{… ") || text.starts_with("[… ") => {}
        Value::String(text) => {
            let shown = text.rfind("… (+").and_then(|end| text.get(..end)).unwrap_or(text);
            words(shown).for_each(|word| *counts.entry(word.to_owned()).or_default() += 1);
        }
        scalar => *counts.entry(scalar.to_string()).or_default() += 1,
    }
}
