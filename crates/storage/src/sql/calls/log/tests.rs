//! Compares pages with a plain list of the same calls, for random batches and scan limits, and checks SQLite's query
//! plan of the statement that a page runs.

use std::net::IpAddr;
use std::slice;
use std::sync::Arc;

use sqlx::AssertSqlSafe;
use toolgate_domain::call::{CallCredential, CallOrigin, CallRecord, FailureReason};
use toolgate_domain::ids::{EndpointKeyId, ServerId, ToolId, UserId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;

use super::scan::BLOCK_KEYS_SQL;
use super::*;
use crate::calls::{CallBatch, CallOutcome, CallStore as _, JournalId};
use crate::sealing::{EncryptionKey, KeySource, Keyring, KeyringError};
use crate::sql::database::SqlDatabase;
use crate::sql::pools::IfMissing;

/// Ten seconds before an hour begins.
const START_MS: i64 = 1_792_000_800_000 - 10_000;

/// Generates calls and queries from a seed, with a linear congruential generator.
struct CallGenerator(u64);

impl CallGenerator {
    /// A number from 0 to `end`, exclusive.
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % end
    }

    /// A value in one of three cases, else `None`.
    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) == 0).then(|| value(self))
    }

    /// A call of one of two owners, three servers and six tools, within three spans.
    fn call(&mut self) -> CallRecord {
        let tool = self.below(6);
        let server = tool / 2;
        let client = ["cursor", "zed", "made up"][usize::try_from(self.below(3)).unwrap()];
        CallRecord {
            at: Timestamp::from_millis(START_MS + self.below(25_000)),
            failure: self
                .maybe(|generator| if generator.below(2) == 0 { FailureReason::Dns } else { FailureReason::Timeout }),
            origin: self.origin(),
            ..CallRecord::new(UserId(server / 2), ServerId(server), ToolId(tool), client.to_owned())
        }
    }

    /// A credential, and one of three addresses or none.
    fn origin(&mut self) -> CallOrigin {
        CallOrigin { credential: self.credential(), client_address: self.maybe(Self::address) }
    }

    /// One of three keys, one of two users, or none.
    fn credential(&mut self) -> CallCredential {
        match self.below(3) {
            0 => CallCredential::EndpointKey(EndpointKeyId(self.below(3))),
            1 => CallCredential::User(UserId(self.below(2))),
            _ => CallCredential::None,
        }
    }

    fn address(&mut self) -> IpAddr {
        [10, 0, 0, u8::try_from(self.below(3)).unwrap()].into()
    }

    fn query(&mut self) -> CallQuery {
        let time = |generator: &mut Self| Timestamp::from_millis(START_MS + generator.below(25_000));
        let call_id = |generator: &mut Self| CallId(CallId::first_at(time(generator)).0 + generator.below(3));
        let outcomes = [CallOutcome::Success, CallOutcome::Failure, CallOutcome::FailedWith(FailureReason::Dns)];
        CallQuery {
            visibility: self.maybe(|generator| UserId(generator.below(2))).map_or(Visibility::All, Visibility::User),
            server: self.maybe(|generator| ServerId(generator.below(3))),
            tool: self.maybe(|generator| ToolId(generator.below(6))),
            client_type: self.maybe(|_| "zed".to_owned()),
            endpoint_key: self.maybe(|generator| EndpointKeyId(generator.below(3))),
            caller: self.maybe(Self::credential),
            client_address: self.maybe(Self::address),
            outcome: self.maybe(|generator| outcomes[usize::try_from(generator.below(3)).unwrap()]),
            from: self.maybe(time),
            until: self.maybe(time),
            before: self.maybe(call_id),
            after: self.maybe(call_id),
            limit: u32::try_from(if self.below(2) == 0 { 1 + self.below(5) } else { 1 + self.below(60) }).unwrap(),
        }
    }
}

fn matches_query(call: &LoggedCall, query: &CallQuery) -> bool {
    let record = &call.record;
    let has_outcome = match query.outcome {
        None => true,
        Some(CallOutcome::Success) => record.failure.is_none(),
        Some(CallOutcome::Failure) => record.failure.is_some(),
        Some(CallOutcome::FailedWith(reason)) => record.failure == Some(reason),
    };
    let is_visible =
        matches!(query.visibility, Visibility::All) || query.visibility == Visibility::User(record.user_id);
    has_outcome
        && is_visible
        && query.server.is_none_or(|server| record.server_id == server)
        && query.tool.is_none_or(|tool| record.tool_id == tool)
        && query.client_type.as_ref().is_none_or(|client_type| record.client_type == *client_type)
        && query.endpoint_key.is_none_or(|key| record.origin.credential.endpoint_key() == Some(key))
        && query.caller.is_none_or(|caller| record.origin.credential == caller)
        && query.client_address.is_none_or(|address| record.origin.client_address == Some(address))
        && query.from.is_none_or(|from| record.at >= from)
        && query.until.is_none_or(|until| record.at < until)
        && query.before.is_none_or(|before| call.id < before)
        && query.after.is_none_or(|after| call.id > after)
}

#[derive(Debug)]
struct TestKeySource;

impl KeySource for TestKeySource {
    fn load(&self) -> std::result::Result<Keyring, KeyringError> {
        Keyring::parse(&EncryptionKey::new([7; 32]).to_text())
    }
}

async fn storage(folder: &tempfile::TempDir) -> SqlStorage {
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    SqlStorage::open(&url, Arc::new(TestKeySource), Timestamp::from_millis(START_MS)).await.unwrap()
}

/// Ingests calls from several journals, in batches of random size.
async fn fill(storage: &SqlStorage, generator: &mut CallGenerator) {
    for journal in 0..=generator.below(4) {
        let id = JournalId(format!("journal {journal}"));
        storage.open_journals(slice::from_ref(&id)).await.unwrap();
        let mut first = 1;
        for _ in 0..generator.below(12) {
            let calls: Vec<CallRecord> = (0..=generator.below(40)).map(|_| generator.call()).collect();
            let through = first + u64::try_from(calls.len()).unwrap() - 1;
            let batch = CallBatch { journal: &id, first, calls: Box::new(calls.into_iter()), through, lost: 0 };
            storage.ingest_calls(vec![batch]).await.unwrap();
            first = through + 1;
        }
    }
}

async fn read_all(storage: &SqlStorage, mut query: CallQuery, limits: ScanLimits) -> Vec<LoggedCall> {
    let mut calls = Vec::new();
    loop {
        let page = storage.read_page_within(&query, limits).await.unwrap();
        assert!(page.calls.len() <= usize::try_from(query.limit).unwrap());
        calls.extend(page.calls);
        let Some(next) = page.next else { return calls };
        assert!(query.before.is_none_or(|before| next < before), "the cursor moves on with each page: {query:?}");
        query.before = Some(next);
    }
}

#[tokio::test]
async fn pages_match_a_plain_list_for_any_batches_and_scan_limits() {
    let mut matches = 0;
    for seed in 0..25 {
        let folder = tempfile::tempdir().unwrap();
        let (storage, mut generator) = (storage(&folder).await, CallGenerator(seed));
        fill(&storage, &mut generator).await;
        let all = read_all(&storage, CallQuery::all(Visibility::All, 100_000), SCAN_LIMITS).await;
        assert!(all.is_sorted_by(|newer, older| newer.id > older.id));
        for _ in 0..40 {
            let (query, limits) = (generator.query(), ScanLimits { blocks: 3, hours: 1 });
            let limits = if generator.below(2) == 0 { limits } else { SCAN_LIMITS };
            let expected: Vec<_> = all.iter().filter(|call| matches_query(call, &query)).cloned().collect();
            assert_eq!(read_all(&storage, query.clone(), limits).await, expected, "seed {seed}: {query:?}");
            matches += expected.len();
        }
    }
    assert!(matches > 10_000, "only {matches} calls matched");
}

#[tokio::test]
async fn the_blocks_of_a_page_are_found_with_the_primary_key_of_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("toolgate.db").display());
    let db = SqlDatabase::open(&url, IfMissing::Create).await.unwrap();
    db.migrate().await.unwrap();
    let params = vec![1.into(); 10];
    let rows = db.fetch_all(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {BLOCK_KEYS_SQL}")), params).await.unwrap();
    let steps: Vec<String> = rows.iter().map(|row| row.text("detail").unwrap()).collect();
    let scan = "SEARCH call_index USING PRIMARY KEY (scope=? AND scope_id=? AND block>? AND block<?)";
    assert_eq!(steps, [scan]);
}
