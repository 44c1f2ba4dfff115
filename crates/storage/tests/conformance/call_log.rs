//! The call log: a query returns the matching calls, newest first, in pages, and no calls of other owners.

use std::collections::HashMap;

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::call::{CallId, CallRecord, CapturedPayload, FailureReason};
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{CallOutcome, CallQuery, CallStore as _, LoggedCall, ServerStore as _, ToolStore as _};

use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;
use crate::traffic::{BASE_MILLIS, HOUR_MILLIS, TestJournal, TestTarget, all_calls, random_call, read_all, targets};

/// Whether a query selects a call.
fn is_selected(call: &CallRecord, query: &CallQuery) -> bool {
    let has_outcome = match query.outcome {
        None => true,
        Some(CallOutcome::Success) => call.failure.is_none(),
        Some(CallOutcome::Failure) => call.failure.is_some(),
        Some(CallOutcome::FailedWith(reason)) => call.failure == Some(reason),
    };
    let is_visible = match query.visibility {
        Visibility::All => true,
        Visibility::User(user) => call.user_id == user,
    };
    has_outcome
        && is_visible
        && query.server.is_none_or(|server| call.server_id == server)
        && query.tool.is_none_or(|tool| call.tool_id == tool)
        && query.client_type.as_ref().is_none_or(|client_type| call.client_type == *client_type)
        && query.endpoint_key.is_none_or(|key| call.origin.credential.endpoint_key() == Some(key))
        && query.client_address.is_none_or(|address| call.origin.client_address == Some(address))
        && query.from.is_none_or(|from| call.at >= from)
        && query.until.is_none_or(|until| call.at < until)
}

/// Ingests calls of several days with gaps of up to four hours, and returns them in order of time.
async fn fill(fixture: &StorageFixture) -> Vec<CallRecord> {
    let mut rng = SeededRng::new(5);
    let targets = targets(fixture);
    let mut at = BASE_MILLIS;
    let mut calls = Vec::new();
    for _ in 0..900 {
        let gap = if rng.below(20) == 0 { 4 * HOUR_MILLIS } else { 400 };
        at += 1 + i64::try_from(rng.below(usize::try_from(gap).unwrap())).unwrap();
        calls.push(random_call(&mut rng, &targets, at));
    }
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    for batch in calls.chunks(333) {
        journal.ingest(&*fixture.storage, batch).await;
    }
    calls
}

/// Every combination of filters, with values that match calls and values that match none.
fn queries(fixture: &StorageFixture) -> Vec<CallQuery> {
    let mut queries = vec![CallQuery { limit: 50, ..all_calls() }];
    let mut vary = |each: &dyn Fn(&CallQuery) -> Vec<CallQuery>| {
        queries = queries.iter().flat_map(each).collect();
    };
    let visibilities = [Visibility::All, fixture.as_alice(), fixture.as_bob()];
    vary(&|query| visibilities.map(|visibility| CallQuery { visibility, ..query.clone() }).into());
    vary(&|query| [None, Some(72), Some(73)].map(|id| CallQuery { server: id.map(ServerId), ..query.clone() }).into());
    vary(&|query| [None, Some(721), Some(1)].map(|id| CallQuery { tool: id.map(ToolId), ..query.clone() }).into());
    let types = [None, Some("zed"), Some("other's")];
    vary(&|query| types.map(|name| CallQuery { client_type: name.map(str::to_owned), ..query.clone() }).into());
    let failed_with = |reason| Some(CallOutcome::FailedWith(reason));
    let outcomes = [
        None,
        Some(CallOutcome::Success),
        Some(CallOutcome::Failure),
        failed_with(FailureReason::Timeout),
        failed_with(FailureReason::Tls),
    ];
    vary(&|query| outcomes.map(|outcome| CallQuery { outcome, ..query.clone() }).into());
    let origins = [
        (None, None),
        (Some(91), None),
        (Some(93), None),
        (None, Some("203.0.113.9")),
        (Some(92), Some("2001:db8::1")),
    ];
    vary(&|query| {
        let with_origin = |(key, address): (Option<i64>, Option<&str>)| CallQuery {
            endpoint_key: key.map(EndpointKeyId),
            client_address: address.map(|address| address.parse().unwrap()),
            ..query.clone()
        };
        // All origins with the other filters would take too long.
        let is_plain = query.tool.is_none() && query.client_type.is_none();
        origins.into_iter().take(if is_plain { origins.len() } else { 1 }).map(with_origin).collect()
    });
    let after_hours = |hours: i64| Some(Timestamp::from_millis(BASE_MILLIS + hours * HOUR_MILLIS));
    let times = [(None, None), (after_hours(20), after_hours(60)), (None, after_hours(-1))];
    vary(&|query| times.map(|(from, until)| CallQuery { from, until, ..query.clone() }).into());
    queries
}

fn records(calls: &[LoggedCall]) -> Vec<&CallRecord> {
    calls.iter().map(|call| &call.record).collect()
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn every_filter_returns_the_matching_calls_in_pages(fixture) {
        let calls = fill(fixture).await;
        let mut found = 0;
        for query in queries(fixture) {
            let expected: Vec<&CallRecord> = calls.iter().rev().filter(|call| is_selected(call, &query)).collect();
            let logged = read_all(&*fixture.storage, &query).await.unwrap();
            assert_eq!(records(&logged), expected, "{query:?}");
            found += expected.len();
        }
        assert!(found > 10_000, "only {found} calls matched");
    }

    async fn a_page_is_full_and_the_next_one_continues_after_it(fixture) {
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
        assert_eq!((all.calls.len(), all.next), (900, None), "a page that ends with the last call has no next page");
    }

    async fn rare_calls_are_found_in_one_page(fixture) {
        let target = targets(fixture)[0];
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls: Vec<CallRecord> = (0..45_000).map(|n| target.call(BASE_MILLIS + n / 8)).collect();
        for index in [0, 21_000] {
            calls[index].client_type = "rare".to_owned();
            calls[index].failure = Some(FailureReason::Dns);
        }
        for batch in calls.chunks(4000) {
            journal.ingest(&*fixture.storage, batch).await;
        }
        // Other calls are many hours before and after.
        for hours in [-50, 50] {
            journal.ingest(&*fixture.storage, &[target.call(BASE_MILLIS + hours * HOUR_MILLIS)]).await;
        }
        let rare = CallQuery { client_type: Some("rare".to_owned()), ..all_calls() };
        let dns = CallQuery { outcome: Some(CallOutcome::FailedWith(FailureReason::Dns)), ..all_calls() };
        for query in [rare, dns] {
            let page = fixture.storage.calls(&query).await.unwrap();
            assert_eq!((page.calls.len(), page.next), (2, None));
        }
    }

    async fn a_page_reads_a_bounded_number_of_hours_and_blocks(fixture) {
        let target = targets(fixture)[0];
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        // Each hour has one matching call and two calls of another client.
        let mut calls = Vec::new();
        for hour in 0..110 {
            let [mut matching, mut succeeded, mut failed] =
                [0, 1, 2].map(|n| target.call(BASE_MILLIS + hour * HOUR_MILLIS + n));
            matching.failure = Some(FailureReason::Dns);
            succeeded.client_type = "other one".to_owned();
            (failed.client_type, failed.failure) = ("other one".to_owned(), Some(FailureReason::Tls));
            calls.extend([matching, succeeded, failed]);
        }
        journal.ingest(&*fixture.storage, &calls).await;
        let query =
            CallQuery { client_type: Some("cursor".to_owned()), outcome: Some(CallOutcome::Failure), ..all_calls() };
        let page = fixture.storage.calls(&query).await.unwrap();
        assert_eq!((page.calls.len(), page.next.is_some()), (100, true), "a page scans a hundred hours");
        assert_eq!(read_all(&*fixture.storage, &query).await.unwrap().len(), 110);
        // A page also reads a bounded number of blocks.
        let busy: Vec<CallRecord> = (0..450).map(|n| target.call(BASE_MILLIS - HOUR_MILLIS + n)).collect();
        for call in &busy {
            journal.ingest(&*fixture.storage, std::slice::from_ref(call)).await;
        }
        let until = Some(Timestamp::from_millis(BASE_MILLIS));
        let page = fixture.storage.calls(&CallQuery { until, ..all_calls() }).await.unwrap();
        assert!(page.next.is_some());
        assert!((400..450).contains(&page.calls.len()), "the page has {} calls", page.calls.len());
        let all = read_all(&*fixture.storage, &CallQuery { until, ..all_calls() }).await.unwrap();
        assert_eq!(records(&all), busy.iter().rev().collect::<Vec<_>>());
    }

    async fn pages_are_in_order_although_journals_overlap(fixture) {
        let target = targets(fixture)[0];
        let mut calls = Vec::new();
        for (name, shift) in [("a", 0), ("b", 1), ("c", 2)] {
            let mut journal = TestJournal::open(&*fixture.storage, name).await;
            let journal_calls: Vec<CallRecord> =
                (0..2000).map(|n| target.call(BASE_MILLIS + n * 9 + shift * 3)).collect();
            for batch in journal_calls.chunks(170) {
                journal.ingest(&*fixture.storage, batch).await;
            }
            calls.extend(journal_calls);
        }
        calls.sort_by_key(|call| call.at);
        for limit in [7, 100, 5000] {
            let logged = read_all(&*fixture.storage, &CallQuery { limit, ..all_calls() }).await.unwrap();
            assert_eq!(records(&logged), calls.iter().rev().collect::<Vec<_>>(), "pages of {limit}");
        }
    }

    async fn an_unreadable_block_hides_only_its_own_calls(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let target = targets(fixture)[0];
        for at in [BASE_MILLIS, BASE_MILLIS + 5, BASE_MILLIS + 9] {
            journal.ingest(&*fixture.storage, &[target.call(at), target.call(at + 1)]).await;
        }
        let damaged = CallId::first_at(Timestamp::from_millis(BASE_MILLIS + 6)).0;
        let garbage = if fixture.raw.is_sqlite() { "x'00'" } else { "'\\x00'" };
        fixture.raw.execute(&format!("UPDATE call_blocks SET packed = {garbage} WHERE newest = {damaged}")).await;
        // The times of the calls, in milliseconds after `BASE_MILLIS`.
        let read_times = |query: CallQuery| async move {
            let calls = read_all(&*fixture.storage, &query).await.unwrap();
            calls.iter().map(|call| call.record.at.as_millis() - BASE_MILLIS).collect::<Vec<_>>()
        };
        assert_eq!(read_times(all_calls()).await, [10, 9, 1, 0]);
        let calls_of_tool = CallQuery { visibility: fixture.as_alice(), tool: Some(target.tool), ..all_calls() };
        assert_eq!(read_times(calls_of_tool).await, [10, 9, 1, 0]);
        // Late calls in the time range of the damaged block still get unique ids, and retention deletes that block.
        journal.ingest(&*fixture.storage, &[target.call(BASE_MILLIS + 5), target.call(BASE_MILLIS + 6)]).await;
        assert_eq!(read_times(all_calls()).await, [10, 9, 7, 7, 1, 0]);
        while fixture
            .storage
            .delete_calls_before(Timestamp::from_millis(BASE_MILLIS + 2 * 24 * HOUR_MILLIS))
            .await
            .unwrap()
        {}
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM call_index").await, 0);
    }

    async fn calls_of_deleted_tools_and_servers_are_listed_with_their_names(fixture) {
        let [deleted, kept] = [fixture.server("Deleted").await, fixture.server("Kept").await];
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls = Vec::new();
        let mut tools = Vec::new();
        for (number, (server, name)) in (0..).zip([(&deleted, "a"), (&kept, "b"), (&kept, "c")]) {
            let tool = fixture.tool(server.id, name).await.id;
            calls.push(TestTarget { user: fixture.alice, server: server.id, tool }.call(BASE_MILLIS + number));
            tools.push(tool);
        }
        calls.push(TestTarget::new(fixture.alice, 4711, 4712).call(BASE_MILLIS + 9));
        journal.ingest(&*fixture.storage, &calls).await;
        fixture.storage.delete_tool(&fixture.next_actor(), fixture.as_alice(), tools[1]).await.unwrap();
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), deleted.id).await.unwrap();
        let logged =
            read_all(&*fixture.storage, &CallQuery { visibility: fixture.as_alice(), ..all_calls() }).await.unwrap();
        let names: Vec<_> =
            logged.iter().map(|call| (call.server_name.as_deref(), call.tool_name.as_deref())).collect();
        let names_of = |server, tool| (Some(server), Some(tool));
        let expected = [(None, None), names_of("Kept", "c"), names_of("Kept", "b"), names_of("Deleted", "a")];
        assert_eq!(names, expected);
        let calls_of_deleted = CallQuery { server: Some(deleted.id), ..all_calls() };
        assert_eq!(read_all(&*fixture.storage, &calls_of_deleted).await.unwrap().len(), 1);
    }

    async fn a_single_call_has_its_captured_payload_and_is_hidden_from_other_owners(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls = [targets(fixture)[0].call(BASE_MILLIS), targets(fixture)[0].call(BASE_MILLIS + 1)];
        let captured = CapturedPayload { arguments: r#"{"q":1}"#.to_owned(), response: "found".to_owned() };
        calls[0].captured = Some(captured);
        journal.ingest(&*fixture.storage, &calls).await;
        let listed = read_all(&*fixture.storage, &all_calls()).await.unwrap();
        let payload_flags: Vec<_> =
            listed.iter().map(|call| (call.is_captured, call.record.captured.is_some())).collect();
        assert_eq!(payload_flags, [(false, false), (true, false)]);
        let id = listed[1].id;
        for visibility in [Visibility::All, fixture.as_alice()] {
            assert_eq!(fixture.storage.call(visibility, id).await.unwrap().record, calls[0]);
        }
        assert_fails!(fixture.storage.call(fixture.as_bob(), id).await, NotFound(ObjectKind::Call));
        assert_fails!(fixture.storage.call(fixture.as_alice(), CallId(id.0 + 77)).await, NotFound(ObjectKind::Call));
    }

    async fn the_captured_payloads_of_many_calls_are_read_at_once_and_hidden_from_other_owners(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let payload = |number: i64| CapturedPayload { arguments: format!("{{\"q\":{number}}}"), response: "found".to_owned() };
        let calls: Vec<_> = (0..9)
            .map(|number| CallRecord {
                captured: (number % 3 > 0).then(|| payload(number)),
                ..targets(fixture)[0].call(BASE_MILLIS + 20_000 * number)
            })
            .collect();
        journal.ingest(&*fixture.storage, &calls).await;
        let mut listed = read_all(&*fixture.storage, &all_calls()).await.unwrap();
        listed.reverse();
        let refs: Vec<_> = listed.iter().collect();
        let expected: HashMap<_, _> =
            listed.iter().zip(&calls).filter_map(|(listed, call)| Some((listed.id, call.captured.clone()?))).collect();
        assert_eq!(expected.len(), 6);
        for visibility in [Visibility::All, fixture.as_alice()] {
            assert_eq!(fixture.storage.captured_payloads(visibility, &refs).await.unwrap(), expected);
        }
        assert!(fixture.storage.captured_payloads(fixture.as_bob(), &refs).await.unwrap().is_empty());
        assert!(fixture.storage.captured_payloads(Visibility::All, &[]).await.unwrap().is_empty());
    }
}
