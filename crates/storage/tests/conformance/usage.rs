//! Usage rollups: they equal the totals of the calls, added one by one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolgate_domain::call::CallRecord;
use toolgate_domain::ids::{ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Totals, UsageScope};
use toolgate_domain::user::Visibility;
use toolgate_storage::{
    CallStore as _, ServerUsageQuery, SqlStorage, ToolStore as _, ToolUsage, ToolUsageQuery, UsageByTool, UsageQuery,
    UsageReader as _,
};

use crate::builders::new_tool;
use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;
use crate::traffic::{
    BASE_MILLIS, DAY_MILLIS, HOUR_MILLIS, TestJournal, TestTarget, all_calls, random_call, read_all, targets,
};

/// Ingests calls of four days in batches, mostly in order of time, and returns them.
async fn fill(fixture: &StorageFixture, targets: &[TestTarget]) -> Vec<CallRecord> {
    let mut rng = SeededRng::new(7);
    let mut calls = Vec::new();
    for _ in 0..1200 {
        let at = BASE_MILLIS + i64::try_from(rng.below(usize::try_from(4 * DAY_MILLIS).unwrap())).unwrap();
        calls.push(random_call(&mut rng, targets, at));
    }
    calls.sort_by_key(|call| call.at);
    for _ in 0..30 {
        let (one, other) = (rng.below(calls.len()), rng.below(calls.len()));
        calls.swap(one, other);
    }
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    for batch in calls.chunks(170) {
        journal.ingest(&*fixture.storage, batch).await;
    }
    calls
}

fn is_in_scope(call: &CallRecord, scope: UsageScope) -> bool {
    match scope {
        UsageScope::All => true,
        UsageScope::Owner(id) => call.user_id == id,
        UsageScope::Server(id) => call.server_id == id,
        UsageScope::Tool(id) => call.tool_id == id,
    }
}

/// The totals that a query should return, added call by call.
fn expected_totals(calls: &[CallRecord], query: &UsageQuery) -> Vec<(Timestamp, Totals)> {
    let mut totals: BTreeMap<Timestamp, Totals> = BTreeMap::new();
    for call in calls.iter().filter(|call| is_in_scope(call, query.scope)) {
        let start = query.grain.start_of(call.at);
        let is_selected = query.client_type.as_ref().is_none_or(|client_type| call.client_type == *client_type)
            && query.from.is_none_or(|from| start >= from)
            && query.until.is_none_or(|until| start < until);
        if is_selected {
            totals.entry(start).or_default().add(call);
        }
    }
    totals.into_iter().collect()
}

fn query(scope: UsageScope, grain: Grain) -> UsageQuery {
    UsageQuery { visibility: Visibility::All, scope, client_type: None, grain, from: None, until: None }
}

fn scopes(fixture: &StorageFixture) -> Vec<UsageScope> {
    let mut scopes = vec![
        UsageScope::All,
        UsageScope::Owner(fixture.alice),
        UsageScope::Owner(fixture.bob),
        UsageScope::Tool(ToolId(4711)),
    ];
    scopes.extend([71, 72, 73].map(|id| UsageScope::Server(ServerId(id))));
    scopes.extend([711, 712, 721, 722, 731, 732].map(|id| UsageScope::Tool(ToolId(id))));
    scopes
}

/// A query for all tools and days.
fn tools_query(visibility: Visibility) -> ToolUsageQuery {
    let (from, until) = (Timestamp::from_millis(0), Timestamp::from_millis(BASE_MILLIS + 999 * DAY_MILLIS));
    ToolUsageQuery { visibility, server: None, from, until, tools_max: 100, rollups_max: u64::MAX }
}

async fn usage_of_tools(storage: &SqlStorage, query: ToolUsageQuery) -> Vec<ToolUsage> {
    match storage.usage_by_tool(&query).await.unwrap() {
        UsageByTool::Tools(tools) => tools,
        too_many => panic!("{too_many:?}"),
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn rollups_equal_the_totals_of_the_calls(fixture) {
        let calls = fill(fixture, &targets(fixture)).await;
        let range = |from: i64, until: i64| {
            let start = Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS)).as_millis();
            [from, until].map(|hours| Some(Timestamp::from_millis(start + hours * HOUR_MILLIS)))
        };
        for scope in scopes(fixture) {
            for client_type in [None, Some("zed"), Some("cursor"), Some("other's")] {
                for grain in [Grain::Hour, Grain::Day] {
                    for [from, until] in [[None, None], range(24, 72), range(30, 31), range(500, 900)] {
                        let client_type = client_type.map(str::to_owned);
                        let query = UsageQuery { client_type, from, until, ..query(scope, grain) };
                        assert_eq!(
                            fixture.storage.usage(&query).await.unwrap(),
                            expected_totals(&calls, &query),
                            "{query:?}"
                        );
                    }
                }
            }
        }
        for tool in [711, 732] {
            let all_time = query(UsageScope::Tool(ToolId(tool)), Grain::AllTime);
            assert_eq!(fixture.storage.usage(&all_time).await.unwrap(), expected_totals(&calls, &all_time));
        }
    }

    async fn rollups_of_other_owners_are_empty(fixture) {
        let calls = fill(fixture, &targets(fixture)).await;
        for (visibility, user) in [(fixture.as_alice(), fixture.alice), (fixture.as_bob(), fixture.bob)] {
            for scope in scopes(fixture) {
                let query = UsageQuery { visibility, ..query(scope, Grain::Day) };
                let may_see = scope != UsageScope::All
                    && calls.iter().all(|call| !is_in_scope(call, scope) || call.user_id == user);
                let expected = if may_see { expected_totals(&calls, &query) } else { Vec::new() };
                assert_eq!(fixture.storage.usage(&query).await.unwrap(), expected, "{query:?}");
            }
        }
        let unknown_owner =
            UsageQuery { visibility: Visibility::User(UserId(0)), ..query(UsageScope::All, Grain::Day) };
        assert_eq!(fixture.storage.usage(&unknown_owner).await.unwrap(), []);
    }

    async fn clients_are_totalled_over_whole_days(fixture) {
        let calls = fill(fixture, &targets(fixture)).await;
        let day = |number: i64| Some(Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS + number * DAY_MILLIS)));
        for (visibility, scope) in
            [(Visibility::All, UsageScope::All), (fixture.as_alice(), UsageScope::Owner(fixture.alice))]
        {
            for (from, until) in [(None, None), (day(1), None), (day(1), day(3)), (day(40), None)] {
                let mut by_client = fixture.storage.usage_by_client(visibility, from, until).await.unwrap();
                by_client.sort_by(|one, other| one.0.cmp(&other.0));
                let types: BTreeSet<&String> = calls.iter().map(|call| &call.client_type).collect();
                let expected: Vec<(String, Totals)> = types
                    .into_iter()
                    .filter_map(|client_type| {
                        let query = UsageQuery {
                            client_type: Some(client_type.clone()),
                            from,
                            until,
                            ..query(scope, Grain::Day)
                        };
                        let by_day = expected_totals(&calls, &query);
                        let mut totals = Totals::default();
                        for (_, day_totals) in &by_day {
                            totals.merge(day_totals);
                        }
                        totals.latencies = toolgate_domain::usage::Latencies::default();
                        (!by_day.is_empty()).then(|| (client_type.clone(), totals))
                    })
                    .collect();
                assert_eq!(by_client, expected);
            }
        }
    }

    async fn visible_servers_are_totalled_over_whole_days(fixture) {
        let targets = targets(fixture);
        let calls = fill(fixture, &targets).await;
        let servers: Vec<ServerId> = targets.iter().map(|target| target.server).chain([ServerId(987_654)]).collect();
        let day = |number: i64| Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS + number * DAY_MILLIS));
        for (visibility, user) in [(Visibility::All, None), (fixture.as_alice(), Some(fixture.alice))] {
            for (from, until) in [(day(0), day(9)), (day(1), day(3)), (day(40), day(41))] {
                let mut expected: HashMap<ServerId, Totals> = HashMap::new();
                for call in calls.iter().filter(|call| user.is_none_or(|user| call.user_id == user)) {
                    if (from..until).contains(&Grain::Day.start_of(call.at)) {
                        expected.entry(call.server_id).or_default().add(call);
                    }
                }
                let query = ServerUsageQuery { visibility, servers: servers.clone(), from, until };
                assert_eq!(fixture.storage.usage_by_server(&query).await.unwrap(), expected);
            }
        }
        let no_servers = ServerUsageQuery { visibility: Visibility::All, servers: vec![], from: day(0), until: day(9) };
        assert_eq!(fixture.storage.usage_by_server(&no_servers).await.unwrap(), HashMap::new());
    }

    async fn every_tool_is_listed_with_its_totals_even_without_calls(fixture) {
        let [one, two] = [fixture.server("One").await, fixture.server("Two").await];
        let foreign = fixture.foreign_server().await;
        let mut used = Vec::new();
        for (server, name) in [(&one, "a"), (&two, "b"), (&one, "c")] {
            used.push(TestTarget {
                user: fixture.alice,
                server: server.id,
                tool: fixture.tool(server.id, name).await.id,
            });
        }
        let unused = fixture.tool(two.id, "unused").await.id;
        used.push(TestTarget { user: fixture.bob, server: foreign.id, tool: ToolId(4711) });
        let calls = fill(fixture, &used).await;
        let all = usage_of_tools(&fixture.storage, tools_query(Visibility::All)).await;
        let listed: Vec<_> =
            all.iter().map(|tool| (tool.tool_id, tool.tool_name.as_str(), tool.server_name.as_str())).collect();
        let ids = [used[0].tool, used[1].tool, used[2].tool];
        assert_eq!(
            listed,
            [(ids[0], "a", "One"), (ids[1], "b", "Two"), (ids[2], "c", "One"), (unused, "unused", "Two")]
        );
        for tool in &all {
            let counted = expected_totals(&calls, &query(UsageScope::Tool(tool.tool_id), Grain::AllTime));
            let totals = counted.into_iter().next().map(|(_, totals)| totals).unwrap_or_default();
            assert_eq!((tool.last_at, &tool.totals), (totals.last_at, &totals));
        }
        assert_eq!(usage_of_tools(&fixture.storage, tools_query(fixture.as_alice())).await, all);
        assert_eq!(usage_of_tools(&fixture.storage, tools_query(fixture.as_bob())).await, []);
        let for_server = |server, query| ToolUsageQuery { server: Some(server), ..query };
        assert_eq!(usage_of_tools(&fixture.storage, for_server(one.id, tools_query(fixture.as_bob()))).await, []);
        let of_two: Vec<ToolUsage> = all.iter().filter(|tool| tool.server_id == two.id).cloned().collect();
        assert_eq!(usage_of_tools(&fixture.storage, for_server(two.id, tools_query(fixture.as_alice()))).await, of_two);
    }

    async fn too_many_tools_or_days_are_not_read(fixture) {
        let server = fixture.server("S").await;
        for name in ["a", "b", "c"] {
            fixture.tool(server.id, name).await;
        }
        let (from, until) =
            (Timestamp::from_millis(BASE_MILLIS), Timestamp::from_millis(BASE_MILLIS + 10 * DAY_MILLIS));
        let query = ToolUsageQuery { from, until, tools_max: 3, rollups_max: 30, ..tools_query(fixture.as_alice()) };
        assert_eq!(usage_of_tools(&fixture.storage, query).await.len(), 3);
        let usage_by_tool = async |query: &ToolUsageQuery| fixture.storage.usage_by_tool(query).await.unwrap();
        assert_eq!(usage_by_tool(&ToolUsageQuery { tools_max: 2, ..query }).await, UsageByTool::TooManyTools);
        let longer = Timestamp::from_millis(until.as_millis() + 1);
        for query in [
            ToolUsageQuery { rollups_max: 29, ..query },
            ToolUsageQuery { until: longer, ..query },
            ToolUsageQuery { from: Timestamp::from_millis(i64::MIN), ..query },
        ] {
            assert_eq!(usage_by_tool(&query).await, UsageByTool::TooManyDays { tools: 3 }, "{query:?}");
        }
    }

    async fn tools_with_many_days_are_read_a_few_at_a_time(fixture) {
        let server = fixture.server("S").await;
        let foreign = fixture.foreign_server().await;
        let mut used = Vec::new();
        for number in 0..7 {
            let tool = fixture.tool(server.id, &format!("t{number}")).await.id;
            used.push(TestTarget { user: fixture.alice, server: server.id, tool });
            let foreign_tool = new_tool(&format!("f{number}"));
            fixture.storage.create_tool(&fixture.next_actor(), fixture.as_bob(), foreign.id, foreign_tool).await.unwrap();
        }
        fill(fixture, &used).await;
        let all = usage_of_tools(&fixture.storage, tools_query(fixture.as_alice())).await;
        assert_eq!(
            all.iter().map(|tool| tool.tool_id).collect::<Vec<_>>(),
            used.iter().map(|target| target.tool).collect::<Vec<_>>()
        );
        for years in [20, 60, 2000] {
            let from = Timestamp::from_millis(BASE_MILLIS - years * 365 * DAY_MILLIS);
            let long_query = ToolUsageQuery { from, ..tools_query(fixture.as_alice()) };
            assert_eq!(usage_of_tools(&fixture.storage, long_query).await, all);
        }
    }

    async fn totals_of_tools_cover_the_requested_days(fixture) {
        let server = fixture.server("S").await;
        let mut used = Vec::new();
        for name in ["a", "b"] {
            used.push(TestTarget {
                user: fixture.alice,
                server: server.id,
                tool: fixture.tool(server.id, name).await.id,
            });
        }
        let calls = fill(fixture, &used).await;
        let day = |number: i64| Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS + number * DAY_MILLIS));
        for (from, until) in [(day(1), day(3)), (day(-9), day(1)), (day(3), day(99)), (day(9), day(10))] {
            let days_query = ToolUsageQuery { from, until, ..tools_query(fixture.as_alice()) };
            for tool in usage_of_tools(&fixture.storage, days_query).await {
                let (scope, from, until) = (UsageScope::Tool(tool.tool_id), Some(from), Some(until));
                let mut totals = Totals::default();
                for (_, day_totals) in expected_totals(&calls, &UsageQuery { from, until, ..query(scope, Grain::Day) })
                {
                    totals.merge(&day_totals);
                }
                assert_eq!(tool.totals, totals);
                assert_eq!(tool.last_at, expected_totals(&calls, &query(scope, Grain::AllTime))[0].1.last_at);
            }
        }
    }

    async fn client_types_above_the_limit_count_as_other(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        let call = |number: i64, at: i64| CallRecord { client_type: format!("client-{number}"), ..target.call(at) };
        let calls: Vec<CallRecord> = (0..150).map(|n| call(n, BASE_MILLIS + n)).collect();
        journal.ingest(&*fixture.storage, &calls).await;
        // Another node has no client types in memory and reads the stored ones. A failed batch must not add any to its
        // memory.
        let other = fixture.open_again(&fixture.keys).await.unwrap();
        let unknown = toolgate_storage::JournalId("unknown".to_owned());
        let calls: Vec<CallRecord> = (140..210).map(|n| call(n, BASE_MILLIS + n)).collect();
        let refused = toolgate_storage::CallBatch { journal: &unknown, ..journal.batch(&calls) };
        other.ingest_calls(vec![refused]).await.unwrap_err();
        journal.ingest(&other, &calls).await;
        let calls: Vec<CallRecord> = [5, 199, 205, 300].map(|n| call(n, BASE_MILLIS + 1000 + n)).into();
        journal.ingest(&*fixture.storage, &calls).await;
        let on_other_server =
            CallRecord { server_id: ServerId(72), tool_id: ToolId(721), ..call(300, BASE_MILLIS + 2000) };
        journal.ingest(&*fixture.storage, &[on_other_server, call(300, BASE_MILLIS + DAY_MILLIS)]).await;
        // Common client types are always counted by name: invented names cannot use up the limit for them.
        let common = ["unknown", "zed"]
            .map(|name| CallRecord { client_type: name.to_owned(), ..target.call(BASE_MILLIS + 3000) });
        journal.ingest(&*fixture.storage, &common).await;
        let by_client = fixture.storage.usage_by_client(Visibility::All, None, None).await.unwrap();
        let call_counts: BTreeMap<&str, u64> =
            by_client.iter().map(|(name, totals)| (name.as_str(), totals.calls)).collect();
        // 200 types of one server and day, `client-300` elsewhere, `other`, and the two common types.
        assert_eq!(call_counts.len(), 204);
        let selected = ["other", "client-5", "client-145", "client-199", "client-300", "unknown", "zed"]
            .map(|name| call_counts[name]);
        assert_eq!(selected, [12, 2, 2, 2, 2, 1, 1]);
        let others = toolgate_storage::CallQuery { client_type: Some("other".to_owned()), ..all_calls() };
        assert_eq!(read_all(&*fixture.storage, &others).await.unwrap().len(), 12);
    }
}
