//! The log of calls: what is asked for, newest first, page by page, and nothing of others.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::{CallId, CallRecord, Captured, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{CallOutcome, CallQuery, Calls as _, LoggedCall, Servers as _, Tools as _};

use crate::bench::Bench;
use crate::random::Random;
use crate::traffic::{HOUR, Journal, NOON, Target, all_calls, random_call, read_all, targets};

/// Whether a call is among those that were asked for.
fn is_wanted(call: &CallRecord, query: &CallQuery) -> bool {
    let outcome = match query.outcome {
        None => true,
        Some(CallOutcome::Success) => call.failure.is_none(),
        Some(CallOutcome::Failure) => call.failure.is_some(),
        Some(CallOutcome::Because(reason)) => call.failure == Some(reason),
    };
    let is_visible = match query.visibility {
        Visibility::All => true,
        Visibility::OwnedBy(user) => call.user_id == user,
    };
    outcome
        && is_visible
        && query.server.is_none_or(|server| call.server_id == server)
        && query.tool.is_none_or(|tool| call.tool_id == tool)
        && query.client_type.as_ref().is_none_or(|client_type| call.client_type == *client_type)
        && query.from.is_none_or(|from| call.at >= from)
        && query.until.is_none_or(|until| call.at < until)
}

/// Calls of three days with gaps of hours between them, in the order of time.
async fn fill(bench: &Bench) -> Vec<CallRecord> {
    let mut random = Random::new(5);
    let targets = targets(bench);
    let mut at = NOON;
    let mut calls = Vec::new();
    for _ in 0..900 {
        let gap = if random.below(20) == 0 { 4 * HOUR } else { 400 };
        at += 1 + i64::try_from(random.below(usize::try_from(gap).unwrap())).unwrap();
        calls.push(random_call(&mut random, &targets, at));
    }
    let mut journal = Journal::open(&*bench.storage, "j").await;
    for batch in calls.chunks(333) {
        journal.moves(&*bench.storage, batch).await;
    }
    calls
}

/// Every combination of what can be asked for, of what there is and of what there is not.
fn queries(bench: &Bench) -> Vec<CallQuery> {
    let mut queries = vec![CallQuery { limit: 50, ..all_calls() }];
    let mut vary = |each: &dyn Fn(&CallQuery) -> Vec<CallQuery>| {
        queries = queries.iter().flat_map(each).collect();
    };
    let people = [Visibility::All, bench.mine(), bench.theirs()];
    vary(&|query| people.map(|visibility| CallQuery { visibility, ..query.clone() }).into());
    vary(&|query| [None, Some(72), Some(73)].map(|id| CallQuery { server: id.map(ServerId), ..query.clone() }).into());
    vary(&|query| [None, Some(721), Some(1)].map(|id| CallQuery { tool: id.map(ToolId), ..query.clone() }).into());
    let types = [None, Some("zed"), Some("nobody's")];
    vary(&|query| types.map(|name| CallQuery { client_type: name.map(str::to_owned), ..query.clone() }).into());
    let because = |reason| Some(CallOutcome::Because(reason));
    let outcomes = [
        None,
        Some(CallOutcome::Success),
        Some(CallOutcome::Failure),
        because(FailureReason::Timeout),
        because(FailureReason::Tls),
    ];
    vary(&|query| outcomes.map(|outcome| CallQuery { outcome, ..query.clone() }).into());
    let moment = |hours: i64| Some(Timestamp::from_millis(NOON + hours * HOUR));
    let times = [(None, None), (moment(20), moment(60)), (None, moment(-1))];
    vary(&|query| times.map(|(from, until)| CallQuery { from, until, ..query.clone() }).into());
    queries
}

fn records(calls: &[LoggedCall]) -> Vec<&CallRecord> {
    calls.iter().map(|call| &call.record).collect()
}

on_both_databases! {
    async fn every_filter_finds_what_it_should_page_by_page(bench) {
        let calls = fill(bench).await;
        let mut found = 0;
        for query in queries(bench) {
            let wanted: Vec<&CallRecord> = calls.iter().rev().filter(|call| is_wanted(call, &query)).collect();
            let read = read_all(&*bench.storage, &query).await.unwrap();
            assert_eq!(records(&read), wanted, "{query:?}");
            found += wanted.len();
        }
        assert!(found > 10_000, "{found}");
    }

    async fn a_page_is_full_and_the_next_one_goes_on_where_it_ended(bench) {
        let calls = fill(bench).await;
        let mut query = CallQuery { limit: 7, ..all_calls() };
        let first = bench.storage.calls(&query).await.unwrap();
        assert_eq!(records(&first.calls), calls.iter().rev().take(7).collect::<Vec<_>>());
        assert_eq!(first.next, first.calls.last().map(|call| call.id));
        query.before = first.next;
        let second = bench.storage.calls(&query).await.unwrap();
        assert_eq!(records(&second.calls), calls.iter().rev().skip(7).take(7).collect::<Vec<_>>());
        query.limit = 900;
        query.before = None;
        let all = bench.storage.calls(&query).await.unwrap();
        assert_eq!((all.calls.len(), all.next), (900, None), "the end is known where a page ends with it");
    }

    async fn rare_calls_are_found_at_once(bench) {
        let target = targets(bench)[0];
        let mut journal = Journal::open(&*bench.storage, "j").await;
        let mut calls: Vec<CallRecord> = (0..45_000).map(|n| target.call(NOON + n / 8)).collect();
        for rare in [0, 21_000] {
            calls[rare].client_type = "rare".to_owned();
            calls[rare].failure = Some(FailureReason::Dns);
        }
        for batch in calls.chunks(4000) {
            journal.moves(&*bench.storage, batch).await;
        }
        // Many hours of others lie before and behind.
        for hours in [-50, 50] {
            journal.moves(&*bench.storage, &[target.call(NOON + hours * HOUR)]).await;
        }
        let rare = CallQuery { client_type: Some("rare".to_owned()), ..all_calls() };
        let dns = CallQuery { outcome: Some(CallOutcome::Because(FailureReason::Dns)), ..all_calls() };
        for query in [rare, dns] {
            let page = bench.storage.calls(&query).await.unwrap();
            assert_eq!((page.calls.len(), page.next), (2, None));
        }
    }

    async fn looking_takes_a_bounded_time_and_goes_on_where_it_ended(bench) {
        let target = targets(bench)[0];
        let mut journal = Journal::open(&*bench.storage, "j").await;
        // One that is asked for in each hour, beside another client's.
        let mut calls = Vec::new();
        for hour in 0..110 {
            let [mut failed, mut good, mut both] = [0, 1, 2].map(|n| target.call(NOON + hour * HOUR + n));
            failed.failure = Some(FailureReason::Dns);
            good.client_type = "other one".to_owned();
            (both.client_type, both.failure) = ("other one".to_owned(), Some(FailureReason::Tls));
            calls.extend([failed, good, both]);
        }
        journal.moves(&*bench.storage, &calls).await;
        let wanted = CallQuery { client_type: Some("cursor".to_owned()), outcome: Some(CallOutcome::Failure), ..all_calls() };
        let page = bench.storage.calls(&wanted).await.unwrap();
        assert_eq!((page.calls.len(), page.next.is_some()), (100, true), "an hour at a time, a hundred hours");
        assert_eq!(read_all(&*bench.storage, &wanted).await.unwrap().len(), 110);
        // Blocks, too, are looked into up to a number.
        let busy: Vec<CallRecord> = (0..450).map(|n| target.call(NOON - HOUR + n)).collect();
        for call in &busy {
            journal.moves(&*bench.storage, std::slice::from_ref(call)).await;
        }
        let until = Some(Timestamp::from_millis(NOON));
        let page = bench.storage.calls(&CallQuery { until, ..all_calls() }).await.unwrap();
        assert!(page.next.is_some() && page.calls.len() >= 400 && page.calls.len() < 450, "{}", page.calls.len());
        let all = read_all(&*bench.storage, &CallQuery { until, ..all_calls() }).await.unwrap();
        assert_eq!(records(&all), busy.iter().rev().collect::<Vec<_>>());
    }

    async fn pages_are_in_order_although_journals_overlap(bench) {
        let target = targets(bench)[0];
        let mut calls = Vec::new();
        for (name, shift) in [("a", 0), ("b", 1), ("c", 2)] {
            let mut journal = Journal::open(&*bench.storage, name).await;
            let its: Vec<CallRecord> = (0..2000).map(|n| target.call(NOON + n * 9 + shift * 3)).collect();
            for some in its.chunks(170) {
                journal.moves(&*bench.storage, some).await;
            }
            calls.extend(its);
        }
        calls.sort_by_key(|call| call.at);
        for limit in [7, 100, 5000] {
            let read = read_all(&*bench.storage, &CallQuery { limit, ..all_calls() }).await.unwrap();
            assert_eq!(records(&read), calls.iter().rev().collect::<Vec<_>>(), "pages of {limit}");
        }
    }

    async fn a_block_that_cannot_be_read_hides_itself_only(bench) {
        let mut journal = Journal::open(&*bench.storage, "j").await;
        let target = targets(bench)[0];
        for at in [NOON, NOON + 5, NOON + 9] {
            journal.moves(&*bench.storage, &[target.call(at), target.call(at + 1)]).await;
        }
        let damaged = CallId::first_at(Timestamp::from_millis(NOON + 6)).0;
        let harm = if bench.raw.is_sqlite() { "x'00'" } else { "'\\x00'" };
        bench.raw.execute(&format!("UPDATE call_blocks SET packed = {harm} WHERE newest = {damaged}")).await;
        let read = |query: CallQuery| async move {
            let calls = read_all(&*bench.storage, &query).await.unwrap();
            calls.iter().map(|call| call.record.at.as_millis() - NOON).collect::<Vec<_>>()
        };
        assert_eq!(read(all_calls()).await, [10, 9, 1, 0]);
        let mine = CallQuery { visibility: bench.mine(), tool: Some(target.tool), ..all_calls() };
        assert_eq!(read(mine).await, [10, 9, 1, 0]);
        // What comes late for the same moments has ids of its own all the same, and the damage goes with its time.
        journal.moves(&*bench.storage, &[target.call(NOON + 5), target.call(NOON + 6)]).await;
        assert_eq!(read(all_calls()).await, [10, 9, 7, 7, 1, 0]);
        while bench.storage.forget_calls_before(Timestamp::from_millis(NOON + 2 * 24 * HOUR)).await.unwrap() {}
        assert_eq!(bench.raw.int("SELECT COUNT(*) FROM call_index").await, 0);
    }

    async fn what_was_deleted_keeps_its_calls_and_its_names(bench) {
        let [gone, stays] = [bench.server("Gone").await, bench.server("Stays").await];
        let mut journal = Journal::open(&*bench.storage, "j").await;
        let mut calls = Vec::new();
        let mut tools = Vec::new();
        for (number, (server, name)) in (0..).zip([(&gone, "of gone"), (&stays, "deleted"), (&stays, "there")]) {
            let tool = bench.tool(server.id, name).await.id;
            calls.push(Target { user: bench.alice, server: server.id, tool }.call(NOON + number));
            tools.push(tool);
        }
        calls.push(Target::of(bench.alice, 4711, 4712).call(NOON + 9));
        journal.moves(&*bench.storage, &calls).await;
        bench.storage.delete_tool(&bench.actor(), bench.mine(), tools[1]).await.unwrap();
        bench.storage.delete_server(&bench.actor(), bench.mine(), gone.id).await.unwrap();
        let read = read_all(&*bench.storage, &CallQuery { visibility: bench.mine(), ..all_calls() }).await.unwrap();
        let names: Vec<_> = read.iter().map(|c| (c.server_name.as_deref(), c.tool_name.as_deref())).collect();
        let both = |server, tool| (Some(server), Some(tool));
        let expected = [(None, None), both("Stays", "there"), both("Stays", "deleted"), both("Gone", "of gone")];
        assert_eq!(names, expected);
        let of_gone = CallQuery { server: Some(gone.id), ..all_calls() };
        assert_eq!(read_all(&*bench.storage, &of_gone).await.unwrap().len(), 1);
    }

    async fn a_single_call_has_what_was_captured_and_is_nobody_elses(bench) {
        let mut journal = Journal::open(&*bench.storage, "j").await;
        let mut calls = [targets(bench)[0].call(NOON), targets(bench)[0].call(NOON + 1)];
        let captured = Captured { arguments: r#"{"q":1}"#.to_owned(), response: "found".to_owned() };
        calls[0].captured = Some(captured);
        journal.moves(&*bench.storage, &calls).await;
        let listed = read_all(&*bench.storage, &all_calls()).await.unwrap();
        let told: Vec<_> = listed.iter().map(|call| (call.is_captured, call.record.captured.is_some())).collect();
        assert_eq!(told, [(false, false), (true, false)]);
        let id = listed[1].id;
        for visibility in [Visibility::All, bench.mine()] {
            assert_eq!(bench.storage.call(visibility, id).await.unwrap().record, calls[0]);
        }
        assert_fails!(bench.storage.call(bench.theirs(), id).await, NotFound(ObjectKind::Call));
        assert_fails!(bench.storage.call(bench.mine(), CallId(id.0 + 77)).await, NotFound(ObjectKind::Call));
    }
}
