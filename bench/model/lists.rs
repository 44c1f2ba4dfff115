//! The tokens that the tool list of a server costs a model: with all tools, and in search mode with results of
//! searches.

use serde_json::{Value, json};
use toolgate_discovery::search::{SearchDocument, SearchIndex};
use toolgate_domain::tokens::estimate;
use toolgate_testkit::generated_tools::{
    GeneratedTool, generated_tools, held_out_queries, tuned_queries, unseen_queries,
};
use toolgate_testkit::running_service::ServiceBuilder;
use toolgate_testkit::{McpClient, ServiceFixture, Upstream};

use crate::documents::{OPERATIONS, document};

/// How many searches are run for each list.
const SEARCHES: usize = 10;
/// The wanted tool has to be among this many results.
const RANK_MAX: usize = 5;

/// The figures of one list.
pub(crate) struct ListReport {
    pub(crate) operations: usize,
    /// Tokens of the whole list.
    pub(crate) total: usize,
    /// Tokens of a tool: the median, and the 90th percentile.
    pub(crate) median: usize,
    pub(crate) p90: usize,
    /// Tokens of the list in search mode.
    pub(crate) search_list: usize,
    /// How many searches found the wanted tool.
    pub(crate) found: usize,
    pub(crate) searches: usize,
    /// Tokens of the longest result of a search.
    pub(crate) longest_result: usize,
}

/// How often a set of searches finds the wanted tool among the first five of 800.
pub(crate) struct RecallReport {
    pub(crate) name: &'static str,
    pub(crate) found: usize,
    pub(crate) searches: usize,
}

/// Imports the documents and measures their lists.
pub(crate) async fn measure(builder: ServiceBuilder) -> Vec<ListReport> {
    let service = ServiceFixture::start(builder, Upstream::builder().start(), json!({"name": "Lists"})).await;
    let mut reports = Vec::new();
    for operations in OPERATIONS {
        reports.push(measure_list(&service, operations).await);
    }
    reports
}

async fn measure_list(service: &ServiceFixture, operations: usize) -> ListReport {
    let fields = json!({"name": format!("{operations} operations"), "rate_limit_per_min": 0});
    let server = service.api.create_server(fields).await;
    let (document, tools) = document(operations, &service.upstream.url(""));
    let import = json!({"content": document, "commit": true, "selected_temp_ids": ["*"], "imported_status": "active"});
    let path = format!("/servers/{}", server["id"]);
    let imported =
        service.api.post(&format!("{path}/tools/import-openapi")).json(import).send().await.expect(200).json();
    let created = imported["created"].as_array().map_or(0, Vec::len);
    assert_eq!(created, operations, "not every operation became a tool: {}", imported["failed"]);
    let mcp = McpClient::new(server["endpoint_url"].as_str().unwrap_or_default());
    let mut costs = tool_costs(&mcp).await;
    costs.sort_unstable();
    // Imported tools have a token budget, so the list also has `read_more`.
    assert!(costs.len() >= operations, "not every tool is in the list");
    let percentile = |share: usize| costs.get(costs.len() * share / 100).copied().unwrap_or_default();
    service.api.patch(&path).json(json!({"settings": {"discovery": "search"}})).send().await.expect(200);
    let search_list = tool_costs(&mcp).await.into_iter().sum();
    let (found, searches, longest_result) = search(&mcp, &tools).await;
    ListReport {
        operations,
        total: costs.iter().sum(),
        median: percentile(50),
        p90: percentile(90),
        search_list,
        found,
        searches,
        longest_result,
    }
}

/// The tokens of each listed tool: name, description and input schema.
async fn tool_costs(mcp: &McpClient) -> Vec<usize> {
    let (mut costs, mut params) = (Vec::new(), json!({}));
    loop {
        let page = mcp.result("tools/list", params).await;
        for tool in page["tools"].as_array().into_iter().flatten() {
            let text = |member: &str| tool[member].as_str().map(estimate).unwrap_or_default();
            costs.push(text("name") + text("description") + estimate(&tool["inputSchema"].to_string()));
        }
        match page.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => return costs,
        }
    }
}

/// Runs searches. Returns how many found the wanted tool, how many ran, and the tokens of the longest result.
async fn search(mcp: &McpClient, tools: &[GeneratedTool]) -> (usize, usize, usize) {
    let has_tool = |name: &str| tools.iter().any(|tool| tool.name == name);
    let queries: Vec<&(&str, &str)> =
        held_out_queries().iter().chain(unseen_queries()).filter(|(_, wanted)| has_tool(wanted)).collect();
    let step = (queries.len() / SEARCHES).max(1);
    let (mut found, mut searches, mut longest) = (0, 0, 0);
    for (query, wanted) in queries.into_iter().step_by(step).take(SEARCHES) {
        let results = mcp.text("search_tools", json!({"query": query})).await;
        let mut names = results.lines().take(RANK_MAX).filter_map(|line| line.split('(').next());
        found += usize::from(names.any(|name| name == *wanted));
        searches += 1;
        longest = longest.max(estimate(&results));
    }
    (found, searches, longest)
}

/// How many queries of each set find the wanted one of all generated tools.
pub(crate) fn recall() -> Vec<RecallReport> {
    let tools = generated_tools();
    let index = index(&tools);
    let sets = [("tuned", tuned_queries()), ("held out", held_out_queries()), ("unseen", unseen_queries())];
    let is_found = |query: &str, wanted: &str| {
        let hits = index.search(query, RANK_MAX, |_| true, |_| 0);
        hits.iter().any(|hit| tools.get(hit.document).is_some_and(|tool| tool.name == wanted))
    };
    sets.into_iter()
        .map(|(name, queries)| {
            let found = queries.iter().filter(|(query, wanted)| is_found(query, wanted)).count();
            RecallReport { name, found, searches: queries.len() }
        })
        .collect()
}

/// The search index of some tools.
pub(crate) fn index(tools: &[GeneratedTool]) -> SearchIndex {
    SearchIndex::new(tools.iter().map(|tool| SearchDocument {
        name: &tool.name,
        group: tool.group,
        title: "",
        description: &tool.description,
        input_schema: &tool.input_schema,
    }))
}

impl ListReport {
    pub(crate) fn json(&self) -> Value {
        json!({"operations": self.operations, "tokens": self.total, "median": self.median, "p90": self.p90,
            "search_mode": self.search_list, "found": self.found, "searches": self.searches,
            "largest_answer": self.longest_result})
    }
}
