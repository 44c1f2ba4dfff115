//! Test calls, and a journal that ingests them.

use std::borrow::Cow;
use std::slice;

use toolgate_domain::call::{CallCredential, CallId, CallOrigin, CallRecord, FailureReason, ResultTokens};
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::{CallBatch, CallPage, CallQuery, CallStore, JournalId, LoggedCall, Result};

use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;

/// The time of most test calls. It is not at the start of an hour, so that tests detect missing rounding.
pub(crate) const BASE_MILLIS: i64 = 1_792_000_000_123;
pub(crate) const HOUR_MILLIS: i64 = 3_600_000;
pub(crate) const DAY_MILLIS: i64 = 24 * HOUR_MILLIS;

/// A journal that numbers its records as they are ingested.
pub(crate) struct TestJournal {
    pub(crate) id: JournalId,
    /// Number of the next record.
    pub(crate) next_number: u64,
}

impl TestJournal {
    pub(crate) async fn open(storage: &impl CallStore, name: &str) -> Self {
        let id = JournalId(name.to_owned());
        storage.open_journals(slice::from_ref(&id)).await.unwrap();
        Self { id, next_number: 1 }
    }

    /// Ingests these calls as one batch.
    pub(crate) async fn ingest(&mut self, storage: &impl CallStore, calls: &[CallRecord]) {
        let batch = self.batch(calls);
        storage.ingest_calls(vec![batch]).await.unwrap();
        self.next_number += u64::try_from(calls.len()).unwrap();
    }

    /// The next batch, with these calls.
    pub(crate) fn batch<'a>(&'a self, calls: &'a [CallRecord]) -> CallBatch<'a> {
        let through = self.next_number + u64::try_from(calls.len()).unwrap() - 1;
        CallBatch { journal: &self.id, first: self.next_number, calls: boxed(calls), through, lost: 0 }
    }
}

/// The calls as the iterator that a batch takes.
pub(crate) fn boxed(calls: &[CallRecord]) -> Box<dyn ExactSizeIterator<Item = CallRecord> + Send + '_> {
    Box::new(calls.iter().cloned())
}

/// A tool with its server and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TestTarget {
    pub(crate) user: UserId,
    pub(crate) server: ServerId,
    pub(crate) tool: ToolId,
}

impl TestTarget {
    /// The server and the tool need not exist, like those of calls to a deleted tool.
    pub(crate) fn new(user: UserId, server: i64, tool: i64) -> Self {
        Self { user, server: ServerId(server), tool: ToolId(tool) }
    }

    /// A successful call that ended at this time.
    pub(crate) fn call(self, at_ms: i64) -> CallRecord {
        CallRecord {
            at: Timestamp::from_millis(at_ms),
            client_name: Some("cursor-vscode".to_owned()),
            protocol_version: Some(Cow::Borrowed("2025-06-18")),
            failure: None,
            upstream_status: Some(200),
            duration_us: 12_345,
            upstream_us: 11_000,
            request_bytes: 40,
            response_bytes: 900,
            request_id: format!("req-{at_ms}"),
            ..CallRecord::new(self.user, self.server, self.tool, "cursor".to_owned())
        }
    }
}

/// Two servers of Alice and one of Bob, with two tools each. None of them exists in the database.
pub(crate) fn targets(fixture: &StorageFixture) -> Vec<TestTarget> {
    let alices =
        [(71, 711), (71, 712), (72, 721), (72, 722)].map(|(server, tool)| TestTarget::new(fixture.alice, server, tool));
    let bobs = [(73, 731), (73, 732)].map(|(server, tool)| TestTarget::new(fixture.bob, server, tool));
    [alices.as_slice(), bobs.as_slice()].concat()
}

/// A call with a random value in every field that reports and filters use.
pub(crate) fn random_call(rng: &mut SeededRng, targets: &[TestTarget], at_ms: i64) -> CallRecord {
    let number = |rng: &mut SeededRng, end: usize| u64::try_from(rng.below(end)).unwrap();
    let mut call = rng.pick(targets).call(at_ms);
    call.client_type = (*rng.pick(&["cursor", "claude-desktop", "unknown", "zed"])).to_owned();
    if rng.below(4) == 0 {
        let reasons = [FailureReason::Timeout, FailureReason::Upstream5xx, FailureReason::BadArguments];
        call.failure = Some(*rng.pick(&reasons));
        call.upstream_status = None;
    }
    call.client_name = (rng.below(3) > 0).then(|| format!("client {}", rng.below(5)));
    call.protocol_version = (rng.below(2) > 0).then_some(Cow::Borrowed("2026-07-28"));
    let bits = 8 + rng.below(16);
    call.duration_us = number(rng, 1 << bits);
    call.upstream_us = number(rng, 100_000);
    call.request_bytes = number(rng, 10_000);
    call.response_bytes = number(rng, 1_000_000);
    call.cache_hit = rng.below(10) == 0;
    call.tokens = (rng.below(2) == 0).then(|| ResultTokens { out: number(rng, 8_000), saved: number(rng, 1_000_000) });
    call.origin = random_origin(rng);
    call
}

/// No credential, one of two endpoint keys or a user, from one of two addresses or none.
fn random_origin(rng: &mut SeededRng) -> CallOrigin {
    let key = |id| CallCredential::EndpointKey(EndpointKeyId(id));
    let credentials = [CallCredential::None, key(91), key(92), CallCredential::User(UserId(91))];
    let addresses = [None, Some("203.0.113.9"), Some("2001:db8::1")];
    let client_address = rng.pick(&addresses).map(|address| address.parse().unwrap());
    CallOrigin { credential: *rng.pick(&credentials), client_address }
}

/// A query for all calls, in pages of ten thousand.
pub(crate) fn all_calls() -> CallQuery {
    CallQuery::all(Visibility::All, 10_000)
}

/// Reads all pages of a query.
pub(crate) async fn read_all(storage: &impl CallStore, query: &CallQuery) -> Result<Vec<LoggedCall>> {
    let mut query = query.clone();
    let mut calls = Vec::new();
    loop {
        let CallPage { calls: page, next } = storage.calls(&query).await?;
        assert!(page.len() <= usize::try_from(query.limit).unwrap());
        assert!(
            next.is_none_or(|next| query.before.is_none_or(|before| next < before)),
            "each page continues after the previous one"
        );
        calls.extend(page);
        query.before = next;
        if next.is_none() {
            return Ok(calls);
        }
    }
}

/// The ids of all calls, newest first.
pub(crate) async fn all_ids(storage: &impl CallStore) -> Vec<CallId> {
    read_all(storage, &all_calls()).await.unwrap().iter().map(|call| call.id).collect()
}
