//! Counters of refused requests.

use toolgate_domain::ids::ServerId;
use toolgate_domain::refusal::RefusalReason;
use toolgate_domain::time::{HOUR_MS, Timestamp};
use toolgate_domain::user::Visibility;
use toolgate_storage::{AccessStore as _, RefusalCount, RefusalQuery, ServerStore as _};

use crate::builders::page;

fn hour(number: i64) -> Timestamp {
    Timestamp::from_millis(number * HOUR_MS)
}

fn count(server: Option<ServerId>, reason: RefusalReason, requests: u64) -> RefusalCount {
    RefusalCount { server, reason, requests }
}

fn all(visibility: Visibility) -> RefusalQuery {
    RefusalQuery { visibility, server: None, from: hour(0), until: hour(100), page: None }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn refusals_are_added_up_by_server_and_reason(fixture) {
        let (storage, server) = (&fixture.storage, fixture.server("S").await.id);
        let unknown_key = count(Some(server), RefusalReason::UnknownKey, 2);
        for (number, requests) in [(1, 1), (1, 2), (5, 3)] {
            let counts = [unknown_key, count(None, RefusalReason::ForbiddenHost, requests)];
            storage.add_refusals(hour(number), &counts).await.unwrap();
        }
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM refusals").await, 4, "one row for server, hour and reason");
        let listing = storage.refusals(&all(Visibility::All)).await.unwrap();
        let rows: Vec<_> = listing.items.iter().map(|row| (row.server, row.reason, row.requests, row.last_hour)).collect();
        let expected = [
            (None, RefusalReason::ForbiddenHost, 6, hour(5)),
            (Some(server), RefusalReason::UnknownKey, 6, hour(5)),
        ];
        assert_eq!((rows.as_slice(), listing.total), (&expected[..], 2));
        assert_eq!(listing.items[1].server_name.as_deref(), Some("S"));
        let first_hours = RefusalQuery { until: hour(5), ..all(Visibility::All) };
        assert_eq!(storage.refusals(&first_hours).await.unwrap().items[0].requests, 4);
        let second = RefusalQuery { page: Some(page(2, 1)), ..all(Visibility::All) };
        let second = storage.refusals(&second).await.unwrap();
        assert_eq!((second.items[0].server, second.total), (Some(server), 2));
    }

    async fn an_owner_sees_the_refusals_of_existing_servers_only(fixture) {
        let (storage, server) = (&fixture.storage, fixture.server("S").await.id);
        let counts = [count(Some(server), RefusalReason::RateLimit, 1), count(None, RefusalReason::ForbiddenHost, 1)];
        storage.add_refusals(hour(1), &counts).await.unwrap();
        let total = async |visibility| storage.refusals(&all(visibility)).await.unwrap().total;
        assert_eq!((total(fixture.as_alice()).await, total(fixture.as_bob()).await), (1, 0));
        storage.delete_server(&fixture.next_actor(), fixture.as_alice(), server).await.unwrap();
        assert_eq!((total(fixture.as_alice()).await, total(Visibility::All).await), (0, 2));
        let deleted = storage.refusals(&RefusalQuery { server: Some(server), ..all(Visibility::All) }).await.unwrap();
        assert_eq!(deleted.items[0].server_name.as_deref(), Some("S"), "a deleted server is named");
    }

    async fn old_refusals_are_deleted(fixture) {
        for number in [1, 2, 3] {
            let counts = [count(None, RefusalReason::ForbiddenHost, 1)];
            fixture.storage.add_refusals(hour(number), &counts).await.unwrap();
        }
        fixture.storage.delete_refusals_before(hour(3)).await.unwrap();
        let listing = fixture.storage.refusals(&all(Visibility::All)).await.unwrap();
        assert_eq!((listing.items[0].requests, listing.items[0].last_hour), (1, hour(3)));
    }
}
