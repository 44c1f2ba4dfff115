//! Sums over calls: equal to what counting the calls one by one comes to.

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
use crate::traffic::{DAY, HOUR, NOON, TestJournal, TestTarget, all_calls, random_call, read_all, targets};

/// Calls of four days, in batches as they come: mostly in order.
async fn fill(fixture: &StorageFixture, targets: &[TestTarget]) -> Vec<CallRecord> {
    let mut rng = SeededRng::new(7);
    let mut calls = Vec::new();
    for _ in 0..1200 {
        let at = NOON + i64::try_from(rng.below(usize::try_from(4 * DAY).unwrap())).unwrap();
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

fn is_in(call: &CallRecord, scope: UsageScope) -> bool {
    match scope {
        UsageScope::All => true,
        UsageScope::Owner(id) => call.user_id == id,
        UsageScope::Server(id) => call.server_id == id,
        UsageScope::Tool(id) => call.tool_id == id,
    }
}

/// The sums, counted one by one.
fn count(calls: &[CallRecord], query: &UsageQuery) -> Vec<(Timestamp, Totals)> {
    let mut sums: BTreeMap<Timestamp, Totals> = BTreeMap::new();
    for call in calls.iter().filter(|call| is_in(call, query.scope)) {
        let start = query.grain.start_of(call.at);
        let is_wanted = query.client_type.as_ref().is_none_or(|client_type| call.client_type == *client_type)
            && query.from.is_none_or(|from| start >= from)
            && query.until.is_none_or(|until| start < until);
        if is_wanted {
            sums.entry(start).or_default().add(call);
        }
    }
    sums.into_iter().collect()
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

/// All tools and days.
fn tools_query(visibility: Visibility) -> ToolUsageQuery {
    let (from, until) = (Timestamp::from_millis(0), Timestamp::from_millis(NOON + 999 * DAY));
    ToolUsageQuery { visibility, server: None, from, until, tools_max: 100, rollups_max: u64::MAX }
}

async fn tools(storage: &SqlStorage, query: ToolUsageQuery) -> Vec<ToolUsage> {
    match storage.usage_by_tool(&query).await.unwrap() {
        UsageByTool::Tools(tools) => tools,
        too_many => panic!("{too_many:?}"),
    }
}

on_both_databases! {
    async fn sums_equal_what_counting_comes_to(fixture) {
        let calls = fill(fixture, &targets(fixture)).await;
        let range = |from: i64, until: i64| {
            let start = Grain::Day.start_of(Timestamp::from_millis(NOON)).as_millis();
            [from, until].map(|hours| Some(Timestamp::from_millis(start + hours * HOUR)))
        };
        for scope in scopes(fixture) {
            for client_type in [None, Some("zed"), Some("cursor"), Some("nobody's")] {
                for grain in [Grain::Hour, Grain::Day] {
                    for [from, until] in [[None, None], range(24, 72), range(30, 31), range(500, 900)] {
                        let client_type = client_type.map(str::to_owned);
                        let query = UsageQuery { client_type, from, until, ..query(scope, grain) };
                        assert_eq!(fixture.storage.usage(&query).await.unwrap(), count(&calls, &query), "{query:?}");
                    }
                }
            }
        }
        for tool in [711, 732] {
            let ever = query(UsageScope::Tool(ToolId(tool)), Grain::AllTime);
            assert_eq!(fixture.storage.usage(&ever).await.unwrap(), count(&calls, &ever));
        }
    }

    async fn sums_over_what_is_somebody_elses_are_as_if_there_were_no_calls(fixture) {
        let calls = fill(fixture, &targets(fixture)).await;
        for (visibility, user) in [(fixture.as_alice(), fixture.alice), (fixture.as_bob(), fixture.bob)] {
            for scope in scopes(fixture) {
                let query = UsageQuery { visibility, ..query(scope, Grain::Day) };
                let may_see = scope != UsageScope::All && calls.iter().all(|call| !is_in(call, scope) || call.user_id == user);
                let expected = if may_see { count(&calls, &query) } else { Vec::new() };
                assert_eq!(fixture.storage.usage(&query).await.unwrap(), expected, "{query:?}");
            }
        }
        let stranger = UsageQuery { visibility: Visibility::OwnedBy(UserId(0)), ..query(UsageScope::All, Grain::Day) };
        assert_eq!(fixture.storage.usage(&stranger).await.unwrap(), []);
    }

    async fn clients_are_counted_over_whole_days(fixture) {
        let calls = fill(fixture, &targets(fixture)).await;
        let day = |number: i64| Some(Grain::Day.start_of(Timestamp::from_millis(NOON + number * DAY)));
        for (visibility, scope) in [(Visibility::All, UsageScope::All), (fixture.as_alice(), UsageScope::Owner(fixture.alice))] {
            for (from, until) in [(None, None), (day(1), None), (day(1), day(3)), (day(40), None)] {
                let mut read = fixture.storage.usage_by_client(visibility, from, until).await.unwrap();
                read.sort_by(|one, other| one.0.cmp(&other.0));
                let types: BTreeSet<&String> = calls.iter().map(|call| &call.client_type).collect();
                let expected: Vec<(String, Totals)> = types.into_iter().filter_map(|client_type| {
                    let query =
                        UsageQuery { client_type: Some(client_type.clone()), from, until, ..query(scope, Grain::Day) };
                    let sums = count(&calls, &query);
                    let mut totals = Totals::default();
                    for (_, sum) in &sums {
                        totals.merge(sum);
                    }
                    totals.latencies = toolgate_domain::usage::Latencies::default();
                    (!sums.is_empty()).then(|| (client_type.clone(), totals))
                }).collect();
                assert_eq!(read, expected);
            }
        }
    }

    async fn servers_are_summed_over_whole_days_for_those_who_may_see_them(fixture) {
        let targets = targets(fixture);
        let calls = fill(fixture, &targets).await;
        let servers: Vec<ServerId> = targets.iter().map(|target| target.server).chain([ServerId(987_654)]).collect();
        let day = |number: i64| Grain::Day.start_of(Timestamp::from_millis(NOON + number * DAY));
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
        let none = ServerUsageQuery { visibility: Visibility::All, servers: vec![], from: day(0), until: day(9) };
        assert_eq!(fixture.storage.usage_by_server(&none).await.unwrap(), HashMap::new());
    }

    async fn every_tool_is_told_with_its_sums_used_or_not(fixture) {
        let [one, two] = [fixture.server("One").await, fixture.server("Two").await];
        let foreign = fixture.foreign_server().await;
        let mut used = Vec::new();
        for (server, name) in [(&one, "a"), (&two, "b"), (&one, "c")] {
            used.push(TestTarget { user: fixture.alice, server: server.id, tool: fixture.tool(server.id, name).await.id });
        }
        let unused = fixture.tool(two.id, "unused").await.id;
        used.push(TestTarget { user: fixture.bob, server: foreign.id, tool: ToolId(4711) });
        let calls = fill(fixture, &used).await;
        let all = tools(&fixture.storage, tools_query(Visibility::All)).await;
        let told: Vec<_> = all.iter().map(|tool| (tool.tool_id, tool.tool_name.as_str(), tool.server_name.as_str())).collect();
        let ids = [used[0].tool, used[1].tool, used[2].tool];
        assert_eq!(told, [(ids[0], "a", "One"), (ids[1], "b", "Two"), (ids[2], "c", "One"), (unused, "unused", "Two")]);
        for tool in &all {
            let sums = count(&calls, &query(UsageScope::Tool(tool.tool_id), Grain::AllTime));
            let totals = sums.into_iter().next().map(|(_, totals)| totals).unwrap_or_default();
            assert_eq!((tool.last_at, &tool.totals), (totals.last_at, &totals));
        }
        assert_eq!(tools(&fixture.storage, tools_query(fixture.as_alice())).await, all);
        assert_eq!(tools(&fixture.storage, tools_query(fixture.as_bob())).await, []);
        let of = |server, query| ToolUsageQuery { server: Some(server), ..query };
        assert_eq!(tools(&fixture.storage, of(one.id, tools_query(fixture.as_bob()))).await, []);
        let of_two: Vec<ToolUsage> = all.iter().filter(|tool| tool.server_id == two.id).cloned().collect();
        assert_eq!(tools(&fixture.storage, of(two.id, tools_query(fixture.as_alice()))).await, of_two);
    }

    async fn too_many_tools_or_days_are_not_read_at_all(fixture) {
        let server = fixture.server("S").await;
        for name in ["a", "b", "c"] {
            fixture.tool(server.id, name).await;
        }
        let (from, until) = (Timestamp::from_millis(NOON), Timestamp::from_millis(NOON + 10 * DAY));
        let query = ToolUsageQuery { from, until, tools_max: 3, rollups_max: 30, ..tools_query(fixture.as_alice()) };
        assert_eq!(tools(&fixture.storage, query).await.len(), 3);
        let asked = async |query: &ToolUsageQuery| fixture.storage.usage_by_tool(query).await.unwrap();
        assert_eq!(asked(&ToolUsageQuery { tools_max: 2, ..query }).await, UsageByTool::TooManyTools);
        let longer = Timestamp::from_millis(until.as_millis() + 1);
        for query in [
            ToolUsageQuery { rollups_max: 29, ..query },
            ToolUsageQuery { until: longer, ..query },
            ToolUsageQuery { from: Timestamp::from_millis(i64::MIN), ..query },
        ] {
            assert_eq!(asked(&query).await, UsageByTool::TooManyDays { tools: 3 }, "{query:?}");
        }
    }

    async fn tools_with_many_days_are_read_a_few_at_a_time(fixture) {
        let server = fixture.server("S").await;
        let foreign = fixture.foreign_server().await;
        let mut used = Vec::new();
        for number in 0..7 {
            let tool = fixture.tool(server.id, &format!("t{number}")).await.id;
            used.push(TestTarget { user: fixture.alice, server: server.id, tool });
            let between = new_tool(&format!("f{number}"));
            fixture.storage.create_tool(&fixture.actor(), fixture.as_bob(), foreign.id, between).await.unwrap();
        }
        fill(fixture, &used).await;
        let all = tools(&fixture.storage, tools_query(fixture.as_alice())).await;
        assert_eq!(all.iter().map(|tool| tool.tool_id).collect::<Vec<_>>(), used.iter().map(|target| target.tool).collect::<Vec<_>>());
        for years in [20, 60, 2000] {
            let from = Timestamp::from_millis(NOON - years * 365 * DAY);
            let few = ToolUsageQuery { from, ..tools_query(fixture.as_alice()) };
            assert_eq!(tools(&fixture.storage, few).await, all);
        }
    }

    async fn sums_of_tools_are_those_of_the_days_asked_for(fixture) {
        let server = fixture.server("S").await;
        let mut used = Vec::new();
        for name in ["a", "b"] {
            used.push(TestTarget { user: fixture.alice, server: server.id, tool: fixture.tool(server.id, name).await.id });
        }
        let calls = fill(fixture, &used).await;
        let day = |number: i64| Grain::Day.start_of(Timestamp::from_millis(NOON + number * DAY));
        for (from, until) in [(day(1), day(3)), (day(-9), day(1)), (day(3), day(99)), (day(9), day(10))] {
            let query_of_days = ToolUsageQuery { from, until, ..tools_query(fixture.as_alice()) };
            for tool in tools(&fixture.storage, query_of_days).await {
                let (scope, from, until) = (UsageScope::Tool(tool.tool_id), Some(from), Some(until));
                let mut totals = Totals::default();
                for (_, sum) in count(&calls, &UsageQuery { from, until, ..query(scope, Grain::Day) }) {
                    totals.merge(&sum);
                }
                assert_eq!(tool.totals, totals);
                assert_eq!(tool.last_at, count(&calls, &query(scope, Grain::AllTime))[0].1.last_at);
            }
        }
    }

    async fn of_too_many_types_of_clients_the_last_are_others(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        let call = |number: i64, at: i64| {
            CallRecord { client_type: format!("client-{number}"), ..target.call(at) }
        };
        let calls: Vec<CallRecord> = (0..150).map(|n| call(n, NOON + n)).collect();
        journal.ingest(&*fixture.storage, &calls).await;
        // Another node knows nothing of these but what is stored; a batch that fails leaves no trace in memory either.
        let other = fixture.open_again(&fixture.keys).await.unwrap();
        let unknown = toolgate_storage::JournalId("unknown".to_owned());
        let calls: Vec<CallRecord> = (140..210).map(|n| call(n, NOON + n)).collect();
        let refused = toolgate_storage::CallBatch { journal: &unknown, ..journal.batch(&calls) };
        other.ingest_calls(refused).await.unwrap_err();
        journal.ingest(&other, &calls).await;
        let calls: Vec<CallRecord> = [5, 199, 205, 300].map(|n| call(n, NOON + 1000 + n)).into();
        journal.ingest(&*fixture.storage, &calls).await;
        let elsewhere = CallRecord { server_id: ServerId(72), tool_id: ToolId(721), ..call(300, NOON + 2000) };
        journal.ingest(&*fixture.storage, &[elsewhere, call(300, NOON + DAY)]).await;
        // Nobody takes the place of those that everybody knows by making up names.
        let common = ["unknown", "zed"].map(|name| CallRecord { client_type: name.to_owned(), ..target.call(NOON + 3000) });
        journal.ingest(&*fixture.storage, &common).await;
        let by_client = fixture.storage.usage_by_client(Visibility::All, None, None).await.unwrap();
        let sums: BTreeMap<&str, u64> = by_client.iter().map(|(name, sum)| (name.as_str(), sum.calls)).collect();
        assert_eq!(sums.len(), 204);
        let told = ["other", "client-5", "client-145", "client-199", "client-300", "unknown", "zed"].map(|name| sums[name]);
        assert_eq!(told, [12, 2, 2, 2, 2, 1, 1]);
        let others = toolgate_storage::CallQuery { client_type: Some("other".to_owned()), ..all_calls() };
        assert_eq!(read_all(&*fixture.storage, &others).await.unwrap().len(), 12);
    }
}
