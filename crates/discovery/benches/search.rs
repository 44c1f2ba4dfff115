//! Speed of the search and of building its index, with 1,000 tools.

use divan::{Bencher, black_box};
use toolgate_discovery::search::{SearchDocument, SearchIndex};
use toolgate_testkit::generated_tools::{GeneratedTool, generated_tools};

/// A plain query, one with a typing error in every word, and a long one.
const QUERIES: [(&str, &str); 3] = [
    ("plain", "show unpaid invoices"),
    ("typos", "exprot invoizes sprdsheet custmers"),
    (
        "long",
        "I would like to find out which customers have opened a support ticket about a damaged parcel in the last month and give it to another agent",
    ),
];

fn main() {
    divan::main();
}

fn thousand_tools() -> Vec<GeneratedTool> {
    let mut tools = generated_tools();
    let more: Vec<GeneratedTool> = tools.iter().take(200).cloned().collect();
    tools.extend(more);
    tools
}

fn index(tools: &[GeneratedTool]) -> SearchIndex {
    SearchIndex::new(tools.iter().map(|tool| SearchDocument {
        name: &tool.name,
        group: tool.group,
        title: "",
        description: &tool.description,
        input_schema: &tool.input_schema,
    }))
}

#[divan::bench(args = ["plain", "typos", "long"])]
fn search(bencher: Bencher<'_, '_>, name: &str) {
    let query = QUERIES.into_iter().find_map(|(other, query)| (other == name).then_some(query)).unwrap_or_default();
    let index = index(&thousand_tools());
    bencher.bench(|| index.search(black_box(query), 8, |_| true, |_| 0));
}

#[divan::bench]
fn build(bencher: Bencher<'_, '_>) {
    let tools = thousand_tools();
    bencher.bench(|| index(black_box(&tools)));
}
