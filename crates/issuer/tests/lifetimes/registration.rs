//! Registration while too many clients wait for a first consent.

use toolgate_domain::time::Clock as _;
use toolgate_testkit::database_fixture::on_sqlite;

use crate::fixture::{IssuerFixture, new_client};

/// The most clients that were never allowed access.
const UNUSED_CLIENTS_MAX: u32 = 10_000;
const MINUTE_MS: i64 = 60_000;

/// On one database only: the tests of `storage` check the limit on both.
#[tokio::test]
async fn registration_waits_while_10000_clients_are_unused() {
    on_sqlite::<IssuerFixture>(None, async |fixture| {
        // The fixture has one client already.
        for number in 1..UNUSED_CLIENTS_MAX - 1 {
            let client = new_client(&format!("tgx_unused_{number}"));
            fixture.storage.register_client(client, UNUSED_CLIENTS_MAX, fixture.clock.now()).await.unwrap().unwrap();
        }
        assert_eq!(fixture.register().await.status, 201, "the last one that has room");
        let refused = fixture.register().await;
        assert_eq!((refused.status.as_u16(), refused.retry_after.as_deref()), (503, Some("600")));
        assert_eq!(refused.body["error"], "temporarily_unavailable", "{}", refused.body);
        // A client younger than ten minutes is not replaced: a person may be about to allow it access.
        fixture.clock.advance(10 * MINUTE_MS);
        assert_eq!(fixture.register().await.status, 503);
        fixture.clock.advance(1);
        assert_eq!(fixture.register().await.status, 201);
    })
    .await;
}
