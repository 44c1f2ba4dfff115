//! Usage by server and credential, and the names of credentials.

use std::collections::BTreeMap;

use toolgate_domain::call::{CallCredential, CallOrigin, CallRecord};
use toolgate_domain::ids::{EndpointKeyId, ServerId, SubjectId, ToolId, UserId};
use toolgate_domain::oauth::subject::SeenSubject;
use toolgate_domain::time::Timestamp;
use toolgate_domain::usage::{Grain, Totals};
use toolgate_domain::user::Visibility;
use toolgate_storage::{
    AccessStore as _, CallQuery, EndpointKeyStore as _, KeyUsage, KeyUsageQuery, NewEndpointKey, ServerStore as _,
    SqlStorage, UsageByKey, UsageReader as _,
};

use crate::builders::digest;
use crate::fixture::StorageFixture;
use crate::seeded_rng::SeededRng;
use crate::traffic::{BASE_MILLIS, DAY_MILLIS, TestJournal, TestTarget, all_calls, random_call, read_all};

type TotalsByKey = BTreeMap<(ServerId, CallCredential), Totals>;

fn day(number: i64) -> Timestamp {
    Grain::Day.start_of(Timestamp::from_millis(BASE_MILLIS + number * DAY_MILLIS))
}

/// A query for all keys of the first ten days.
fn keys_query(visibility: Visibility) -> KeyUsageQuery {
    KeyUsageQuery { visibility, server: None, from: day(0), until: day(10), rollups_max: 1000 }
}

async fn usage_of_keys(storage: &SqlStorage, query: KeyUsageQuery) -> Vec<KeyUsage> {
    match storage.usage_by_key(&query).await.unwrap() {
        UsageByKey::Keys(keys) => keys,
        UsageByKey::TooManyRollups => panic!("too many rollups"),
    }
}

/// The totals that a query should return, added call by call.
fn expected_totals(calls: &[CallRecord], query: &KeyUsageQuery) -> TotalsByKey {
    let mut totals = TotalsByKey::new();
    for call in calls {
        let is_visible = match query.visibility {
            Visibility::All => true,
            Visibility::User(user) => call.user_id == user,
        };
        let is_in_range = (query.from..query.until).contains(&Grain::Day.start_of(call.at));
        if is_visible && is_in_range && query.server.is_none_or(|server| call.server_id == server) {
            totals.entry((call.server_id, call.origin.credential)).or_default().add(call);
        }
    }
    totals
}

/// Ingests calls of four days to two servers of Alice and one of Bob, in several batches.
async fn fill(fixture: &StorageFixture) -> (Vec<CallRecord>, ServerId) {
    let [one, two] = [fixture.server("One").await.id, fixture.server("Two").await.id];
    let foreign = fixture.foreign_server().await.id;
    let targets = [(fixture.alice, one), (fixture.alice, two), (fixture.bob, foreign)]
        .map(|(user, server)| TestTarget { user, server, tool: ToolId(7) });
    let mut rng = SeededRng::new(11);
    let calls: Vec<CallRecord> =
        (0..400).map(|number| random_call(&mut rng, &targets, BASE_MILLIS + number * 800_000)).collect();
    let mut journal = TestJournal::open(&*fixture.storage, "j").await;
    for batch in calls.chunks(77) {
        journal.ingest(&*fixture.storage, batch).await;
    }
    (calls, one)
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn calls_are_totalled_by_server_and_credential_over_whole_days(fixture) {
        let (calls, one) = fill(fixture).await;
        for visibility in [Visibility::All, fixture.as_alice(), fixture.as_bob()] {
            for server in [None, Some(one)] {
                for (from, until) in [(day(0), day(10)), (day(1), day(3)), (day(40), day(41))] {
                    let query = KeyUsageQuery { server, from, until, ..keys_query(visibility) };
                    let usage = usage_of_keys(&fixture.storage, query).await;
                    let totals: TotalsByKey =
                        usage.into_iter().map(|key| ((key.server_id, key.credential), key.totals)).collect();
                    assert_eq!(totals, expected_totals(&calls, &query), "{query:?}");
                }
            }
        }
    }

    async fn calls_of_deleted_servers_are_not_reported_by_key(fixture) {
        let (_, one) = fill(fixture).await;
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), one).await.unwrap();
        let usage = usage_of_keys(&fixture.storage, keys_query(fixture.as_alice())).await;
        assert!(!usage.is_empty() && usage.iter().all(|key| key.server_name == "Two"), "{usage:?}");
    }

    async fn too_many_key_rollups_are_not_reported(fixture) {
        fill(fixture).await;
        let query = keys_query(Visibility::All);
        let count = u32::try_from(fixture.raw.int("SELECT COUNT(*) FROM key_usage").await).unwrap();
        assert!(!usage_of_keys(&fixture.storage, KeyUsageQuery { rollups_max: count, ..query }).await.is_empty());
        let too_many = fixture.storage.usage_by_key(&KeyUsageQuery { rollups_max: count - 1, ..query }).await.unwrap();
        assert_eq!(too_many, UsageByKey::TooManyRollups);
    }

    async fn a_credential_has_the_name_of_its_key_or_user_even_if_the_key_is_deleted(fixture) {
        let server = fixture.server("S").await.id;
        let (name, digest) = ("laptop".to_owned(), digest());
        let new = NewEndpointKey { name, digest, expires_at: None, rate_limit_per_min: None };
        let key = fixture.storage.create_endpoint_key(&fixture.next_actor(), fixture.as_alice(), server, new).await.unwrap();
        let target = TestTarget { user: fixture.alice, server, tool: ToolId(1) };
        let credentials = [
            CallCredential::EndpointKey(key.id),
            CallCredential::User(fixture.alice),
            CallCredential::None,
            CallCredential::EndpointKey(EndpointKeyId(4711)),
            CallCredential::User(UserId(4711)),
            CallCredential::Subject(SubjectId(5)),
            CallCredential::Subject(SubjectId(4711)),
        ];
        let subject = SeenSubject {
            id: SubjectId(5),
            issuer: "https://login.example".to_owned(),
            subject: "ada".to_owned(),
            name: None,
            seen_at: Timestamp::from_millis(BASE_MILLIS),
        };
        fixture.storage.store_subjects(&[subject]).await.unwrap();
        let call = |(credential, at)| CallRecord {
            origin: CallOrigin { credential, client_address: None },
            ..target.call(at)
        };
        let calls: Vec<CallRecord> = credentials.into_iter().zip(BASE_MILLIS..).map(call).collect();
        TestJournal::open(&*fixture.storage, "j").await.ingest(&*fixture.storage, &calls).await;
        let alice = fixture.raw.texts(&format!("SELECT name FROM users WHERE id = {}", fixture.alice.0)).await;
        let expected = [Some("laptop"), Some(alice[0].as_str()), None, None, None, Some("ada"), None];
        for is_deleted in [false, true] {
            if is_deleted {
                let actor = fixture.next_actor();
                fixture.storage.delete_endpoint_key(&actor, fixture.as_alice(), server, key.id).await.unwrap();
            }
            let logged = read_all(&*fixture.storage, &CallQuery { server: Some(server), ..all_calls() }).await.unwrap();
            let names: Vec<_> = logged.iter().rev().map(|call| call.credential_name.as_deref()).collect();
            assert_eq!(names, expected, "deleted: {is_deleted}");
            let usage = usage_of_keys(&fixture.storage, keys_query(fixture.as_alice())).await;
            for (credential, name) in credentials.into_iter().zip(expected) {
                let reported = usage.iter().find(|key| key.credential == credential).unwrap();
                assert_eq!((reported.credential_name.as_deref(), reported.totals.calls), (name, 1));
            }
        }
    }
}
