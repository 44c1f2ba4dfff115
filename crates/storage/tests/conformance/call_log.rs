//! The log of calls: what is asked for, newest first, page by page, and nothing of others.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::{CallId, CallRecord, CapturedPayload, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{CallOutcome, CallQuery, CallStore as _, LoggedCall, ServerStore as _, ToolStore as _};

use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;
use crate::traffic::{HOUR, NOON, TestJournal, TestTarget, all_calls, random_call, read_all, targets};

/// Whether a call is among those that were asked for.
fn is_wanted(call: &CallRecord, query: &CallQuery) -> bool {
    let outcome = match query.outcome {
        None => true,
        Some(CallOutcome::Success) => call.failure.is_none(),
        Some(CallOutcome::Failure) => call.failure.is_some(),
        Some(CallOutcome::FailedWith(reason)) => call.failure == Some(reason),
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
async fn fill(fixture: &StorageFixture) -> Vec<CallRecord> {
    let mut rng = SeededRng::new(5);
    let targets = targets(fixture);
    let mut at = NOON;
    let mut calls = Vec::new();
    for _ in 0..900 {
        let gap = if rng.below(20) == 0 { 4 * HOUR } else { 400 };
        at += 1 + i64::try_from(rng.below(usize::try_from(gap).unwrap())).unwrap();
        calls.push(random_call(&mut rng, &targets, at));
    }
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    for batch in calls.chunks(333) {
        journal.ingest(&*fixture.storage, batch).await;
    }
    calls
}

/// Every combination of what can be asked for, of what there is and of what there is not.
fn queries(fixture: &StorageFixture) -> Vec<CallQuery> {
    let mut queries = vec![CallQuery { limit: 50, ..all_calls() }];
    let mut vary = |each: &dyn Fn(&CallQuery) -> Vec<CallQuery>| {
        queries = queries.iter().flat_map(each).collect();
    };
    let people = [Visibility::All, fixture.as_alice(), fixture.as_bob()];
    vary(&|query| people.map(|visibility| CallQuery { visibility, ..query.clone() }).into());
    vary(&|query| [None, Some(72), Some(73)].map(|id| CallQuery { server: id.map(ServerId), ..query.clone() }).into());
    vary(&|query| [None, Some(721), Some(1)].map(|id| CallQuery { tool: id.map(ToolId), ..query.clone() }).into());
    let types = [None, Some("zed"), Some("nobody's")];
    vary(&|query| types.map(|name| CallQuery { client_type: name.map(str::to_owned), ..query.clone() }).into());
    let because = |reason| Some(CallOutcome::FailedWith(reason));
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
    async fn every_filter_finds_what_it_should_page_by_page(fixture) {
        let calls = fill(fixture).await;
        let mut found = 0;
        for query in queries(fixture) {
            let wanted: Vec<&CallRecord> = calls.iter().rev().filter(|call| is_wanted(call, &query)).collect();
            let read = read_all(&*fixture.storage, &query).await.unwrap();
            assert_eq!(records(&read), wanted, "{query:?}");
            found += wanted.len();
        }
        assert!(found > 10_000, "{found}");
    }

    async fn a_page_is_full_and_the_next_one_goes_on_where_it_ended(fixture) {
        let calls = fill(fixture).await;
        let mut query = CallQuery { limit: 7, ..all_calls() };
        let first = fixture.storage.calls(&query).await.unwrap();
        assert_eq!(records(&first.calls), calls.iter().rev().take(7).collect::<Vec<_>>());
        assert_eq!(first.next, first.calls.last().map(|call| call.id));
        query.before = first.next;
        let second = fixture.storage.calls(&query).await.unwrap();
        assert_eq!(records(&second.calls), calls.iter().rev().skip(7).take(7).collect::<Vec<_>>());
        query.limit = 900;
        query.before = None;
        let all = fixture.storage.calls(&query).await.unwrap();
        assert_eq!((all.calls.len(), all.next), (900, None), "the end is known where a page ends with it");
    }

    async fn rare_calls_are_found_at_once(fixture) {
        let target = targets(fixture)[0];
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls: Vec<CallRecord> = (0..45_000).map(|n| target.call(NOON + n / 8)).collect();
        for rare in [0, 21_000] {
            calls[rare].client_type = "rare".to_owned();
            calls[rare].failure = Some(FailureReason::Dns);
        }
        for batch in calls.chunks(4000) {
            journal.ingest(&*fixture.storage, batch).await;
        }
        // Many hours of others lie before and behind.
        for hours in [-50, 50] {
            journal.ingest(&*fixture.storage, &[target.call(NOON + hours * HOUR)]).await;
        }
        let rare = CallQuery { client_type: Some("rare".to_owned()), ..all_calls() };
        let dns = CallQuery { outcome: Some(CallOutcome::FailedWith(FailureReason::Dns)), ..all_calls() };
        for query in [rare, dns] {
            let page = fixture.storage.calls(&query).await.unwrap();
            assert_eq!((page.calls.len(), page.next), (2, None));
        }
    }

    async fn looking_takes_a_bounded_time_and_goes_on_where_it_ended(fixture) {
        let target = targets(fixture)[0];
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        // One that is asked for in each hour, beside another client's.
        let mut calls = Vec::new();
        for hour in 0..110 {
            let [mut failed, mut good, mut both] = [0, 1, 2].map(|n| target.call(NOON + hour * HOUR + n));
            failed.failure = Some(FailureReason::Dns);
            good.client_type = "other one".to_owned();
            (both.client_type, both.failure) = ("other one".to_owned(), Some(FailureReason::Tls));
            calls.extend([failed, good, both]);
        }
        journal.ingest(&*fixture.storage, &calls).await;
        let wanted = CallQuery { client_type: Some("cursor".to_owned()), outcome: Some(CallOutcome::Failure), ..all_calls() };
        let page = fixture.storage.calls(&wanted).await.unwrap();
        assert_eq!((page.calls.len(), page.next.is_some()), (100, true), "an hour at a time, a hundred hours");
        assert_eq!(read_all(&*fixture.storage, &wanted).await.unwrap().len(), 110);
        // Blocks, too, are looked into up to a number.
        let busy: Vec<CallRecord> = (0..450).map(|n| target.call(NOON - HOUR + n)).collect();
        for call in &busy {
            journal.ingest(&*fixture.storage, std::slice::from_ref(call)).await;
        }
        let until = Some(Timestamp::from_millis(NOON));
        let page = fixture.storage.calls(&CallQuery { until, ..all_calls() }).await.unwrap();
        assert!(page.next.is_some() && page.calls.len() >= 400 && page.calls.len() < 450, "{}", page.calls.len());
        let all = read_all(&*fixture.storage, &CallQuery { until, ..all_calls() }).await.unwrap();
        assert_eq!(records(&all), busy.iter().rev().collect::<Vec<_>>());
    }

    async fn pages_are_in_order_although_journals_overlap(fixture) {
        let target = targets(fixture)[0];
        let mut calls = Vec::new();
        for (name, shift) in [("a", 0), ("b", 1), ("c", 2)] {
            let mut journal = TestJournal::open(&*fixture.storage, name).await;
            let its: Vec<CallRecord> = (0..2000).map(|n| target.call(NOON + n * 9 + shift * 3)).collect();
            for some in its.chunks(170) {
                journal.ingest(&*fixture.storage, some).await;
            }
            calls.extend(its);
        }
        calls.sort_by_key(|call| call.at);
        for limit in [7, 100, 5000] {
            let read = read_all(&*fixture.storage, &CallQuery { limit, ..all_calls() }).await.unwrap();
            assert_eq!(records(&read), calls.iter().rev().collect::<Vec<_>>(), "pages of {limit}");
        }
    }

    async fn a_block_that_cannot_be_read_hides_itself_only(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        for at in [NOON, NOON + 5, NOON + 9] {
            journal.ingest(&*fixture.storage, &[target.call(at), target.call(at + 1)]).await;
        }
        let damaged = CallId::first_at(Timestamp::from_millis(NOON + 6)).0;
        let harm = if fixture.raw.is_sqlite() { "x'00'" } else { "'\\x00'" };
        fixture.raw.execute(&format!("UPDATE call_blocks SET packed = {harm} WHERE newest = {damaged}")).await;
        let read = |query: CallQuery| async move {
            let calls = read_all(&*fixture.storage, &query).await.unwrap();
            calls.iter().map(|call| call.record.at.as_millis() - NOON).collect::<Vec<_>>()
        };
        assert_eq!(read(all_calls()).await, [10, 9, 1, 0]);
        let mine = CallQuery { visibility: fixture.as_alice(), tool: Some(target.tool), ..all_calls() };
        assert_eq!(read(mine).await, [10, 9, 1, 0]);
        // What comes late for the same moments has ids of its own all the same, and the damage goes with its time.
        journal.ingest(&*fixture.storage, &[target.call(NOON + 5), target.call(NOON + 6)]).await;
        assert_eq!(read(all_calls()).await, [10, 9, 7, 7, 1, 0]);
        while fixture.storage.delete_calls_before(Timestamp::from_millis(NOON + 2 * 24 * HOUR)).await.unwrap() {}
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM call_index").await, 0);
    }

    async fn what_was_deleted_keeps_its_calls_and_its_names(fixture) {
        let [gone, stays] = [fixture.server("Gone").await, fixture.server("Stays").await];
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls = Vec::new();
        let mut tools = Vec::new();
        for (number, (server, name)) in (0..).zip([(&gone, "of gone"), (&stays, "deleted"), (&stays, "there")]) {
            let tool = fixture.tool(server.id, name).await.id;
            calls.push(TestTarget { user: fixture.alice, server: server.id, tool }.call(NOON + number));
            tools.push(tool);
        }
        calls.push(TestTarget::new(fixture.alice, 4711, 4712).call(NOON + 9));
        journal.ingest(&*fixture.storage, &calls).await;
        fixture.storage.delete_tool(&fixture.actor(), fixture.as_alice(), tools[1]).await.unwrap();
        fixture.storage.delete_server(&fixture.actor(), fixture.as_alice(), gone.id).await.unwrap();
        let read = read_all(&*fixture.storage, &CallQuery { visibility: fixture.as_alice(), ..all_calls() }).await.unwrap();
        let names: Vec<_> = read.iter().map(|c| (c.server_name.as_deref(), c.tool_name.as_deref())).collect();
        let both = |server, tool| (Some(server), Some(tool));
        let expected = [(None, None), both("Stays", "there"), both("Stays", "deleted"), both("Gone", "of gone")];
        assert_eq!(names, expected);
        let of_gone = CallQuery { server: Some(gone.id), ..all_calls() };
        assert_eq!(read_all(&*fixture.storage, &of_gone).await.unwrap().len(), 1);
    }

    async fn a_single_call_has_what_was_captured_and_is_nobody_elses(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls = [targets(fixture)[0].call(NOON), targets(fixture)[0].call(NOON + 1)];
        let captured = CapturedPayload { arguments: r#"{"q":1}"#.to_owned(), response: "found".to_owned() };
        calls[0].captured = Some(captured);
        journal.ingest(&*fixture.storage, &calls).await;
        let listed = read_all(&*fixture.storage, &all_calls()).await.unwrap();
        let told: Vec<_> = listed.iter().map(|call| (call.is_captured, call.record.captured.is_some())).collect();
        assert_eq!(told, [(false, false), (true, false)]);
        let id = listed[1].id;
        for visibility in [Visibility::All, fixture.as_alice()] {
            assert_eq!(fixture.storage.call(visibility, id).await.unwrap().record, calls[0]);
        }
        assert_fails!(fixture.storage.call(fixture.as_bob(), id).await, NotFound(ObjectKind::Call));
        assert_fails!(fixture.storage.call(fixture.as_alice(), CallId(id.0 + 77)).await, NotFound(ObjectKind::Call));
    }
}
