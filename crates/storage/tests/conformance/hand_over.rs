//! Hand-over of servers: objects, counters, reports and the call log follow the new owner.

use toolgate_domain::audit::{Actor, ObjectKind};
use toolgate_domain::call::{CallCredential, CallOrigin, CallRecord};
use toolgate_domain::ids::{EndpointKeyId, ServerId, UserId};
use toolgate_domain::member::{MemberRole, MemberUser};
use toolgate_domain::server::{Server, ServerPatch};
use toolgate_domain::usage::{Grain, UsageScope};
use toolgate_domain::user::{UserPatch, Visibility};
use toolgate_storage::StorageError::{Exists, NotFound, Rejected};
use toolgate_storage::{
    CallQuery, CallStore as _, MemberStore as _, Result, ServerStore as _, Storage as _, UsageQuery, UsageReader as _,
    UserStore as _,
};

use crate::builders::{new_server, slug};
use crate::fixture::StorageFixture;
use crate::traffic::{BASE_MILLIS, HOUR_MILLIS, TestJournal, TestTarget};

impl StorageFixture {
    async fn hand_over(&self, server: ServerId, to: UserId) -> Result<Server> {
        let patch = ServerPatch { user_id: Some(to), ..ServerPatch::default() };
        let actor = Actor { fields: "user_id".to_owned(), ..self.next_actor() };
        self.storage.update_server(&actor, Visibility::All, server, patch).await
    }

    /// The number of calls that a user sees in the log, in the hourly report over all servers, in the report by client,
    /// and in the report of one server.
    async fn visible_calls(&self, user: UserId, server: ServerId) -> [usize; 4] {
        let visibility = Visibility::User(user);
        let hours = async |scope| {
            let query =
                UsageQuery { visibility, scope, client_type: None, grain: Grain::Hour, from: None, until: None };
            let totals = self.storage.usage(&query).await.unwrap();
            let percentiles = totals.iter().all(|(_, totals)| totals.latencies.percentile(0.5).is_some());
            assert!(percentiles, "every hour has calls");
            totals.iter().map(|(_, totals)| usize::try_from(totals.calls).unwrap()).sum()
        };
        let by_client = self.storage.usage_by_client(visibility, None, None).await.unwrap();
        assert!(by_client.iter().all(|(_, totals)| totals.calls > 0), "{by_client:?}");
        let log = self.storage.calls(&CallQuery::all(visibility, 1000)).await.unwrap().calls.len();
        let by_client = by_client.iter().map(|(_, totals)| usize::try_from(totals.calls).unwrap()).sum();
        [log, hours(UsageScope::Owner(user)).await, by_client, hours(UsageScope::Server(server)).await]
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_server_moves_with_its_objects_and_counters(fixture) {
        let server = fixture.server("S").await;
        fixture.tool(server.id, "t").await;
        let moved = fixture.hand_over(server.id, fixture.bob).await.unwrap();
        assert_eq!((moved.user_id, &moved.slug, &moved.public_id), (fixture.bob, &server.slug, &server.public_id));
        assert_fails!(fixture.storage.server(fixture.as_alice(), server.id).await, NotFound(ObjectKind::Server));
        assert_eq!(fixture.storage.server(fixture.as_bob(), server.id).await.unwrap().tool_count, 1);
        assert_eq!(fixture.storage.check().await.unwrap(), Vec::<String>::new());
        let sql = "SELECT fields FROM audit WHERE object_kind = 'server' AND action = 'update'";
        assert_eq!(fixture.raw.texts(sql).await, [format!("user_id={}", fixture.bob)]);
    }

    async fn a_hand_over_fails_if_the_new_owner_has_a_server_with_the_same_slug(fixture) {
        let server = fixture.server("Same").await.id;
        let existing = new_server(fixture.bob, "Same");
        fixture.storage.create_server(&fixture.next_actor(), existing).await.unwrap();
        assert_fails!(fixture.hand_over(server, fixture.bob).await, Exists { kind: ObjectKind::Server, field: "slug" });
        let patch = ServerPatch { user_id: Some(fixture.bob), slug: Some(slug("other")), ..ServerPatch::default() };
        fixture.storage.update_server(&fixture.next_actor(), Visibility::All, server, patch).await.unwrap();
        assert_eq!(fixture.storage.check().await.unwrap(), Vec::<String>::new());
    }

    async fn the_new_owner_must_exist_and_be_enabled(fixture) {
        let server = fixture.server("S").await.id;
        assert_fails!(fixture.hand_over(server, UserId(4711)).await, Rejected(_));
        let patch = UserPatch { is_disabled: Some(true), ..UserPatch::default() };
        fixture.storage.update_user(&fixture.next_actor(), fixture.bob, patch).await.unwrap();
        assert_fails!(fixture.hand_over(server, fixture.bob).await, Rejected(_));
        assert_eq!(fixture.storage.server(fixture.as_alice(), server).await.unwrap().user_id, fixture.alice);
    }

    async fn a_new_owner_is_no_longer_a_member(fixture) {
        let server = fixture.server("S").await.id;
        let (actor, user) = (fixture.next_actor(), MemberUser::Id(fixture.bob));
        fixture.storage.add_member(&actor, fixture.as_alice(), server, user, MemberRole::Viewer).await.unwrap();
        fixture.hand_over(server, fixture.bob).await.unwrap();
        assert_eq!(fixture.storage.memberships(fixture.bob).await.unwrap().len(), 0);
    }

    async fn recorded_calls_go_with_the_server(fixture) {
        let (moved, kept) = (fixture.server("Moved").await.id, fixture.server("Kept").await.id);
        let target = |user, server: ServerId| TestTarget::new(user, server.0, server.0 * 10);
        let call = |user, server, hour: i64| target(user, server).call(BASE_MILLIS + hour * HOUR_MILLIS);
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let (alice, bob) = (fixture.alice, fixture.bob);
        let before = [call(alice, moved, 0), call(alice, moved, 1), call(alice, kept, 1), call(alice, moved, 50)];
        journal.ingest(&*fixture.storage, &before).await;
        assert_eq!(fixture.visible_calls(alice, moved).await, [4, 4, 4, 3]);
        assert_eq!(fixture.visible_calls(bob, moved).await, [0; 4]);

        fixture.hand_over(moved, bob).await.unwrap();
        assert_eq!(fixture.visible_calls(alice, moved).await, [1, 1, 1, 0]);
        assert_eq!(fixture.visible_calls(bob, moved).await, [3, 3, 3, 3]);

        // A journal can still have a call that names the former owner.
        journal.ingest(&*fixture.storage, &[call(alice, moved, 50), call(bob, moved, 51)]).await;
        assert_eq!(fixture.visible_calls(alice, moved).await, [1, 1, 1, 0]);
        assert_eq!(fixture.visible_calls(bob, moved).await, [5, 5, 5, 5]);

        // The former owner as a member sees each call once.
        let user = MemberUser::Id(alice);
        fixture.storage.add_member(&fixture.next_actor(), fixture.as_bob(), moved, user, MemberRole::Viewer).await.unwrap();
        assert_eq!(fixture.visible_calls(alice, moved).await, [6, 6, 6, 5]);
        fixture.storage.remove_member(&fixture.next_actor(), fixture.as_bob(), moved, alice).await.unwrap();
        assert_eq!(fixture.visible_calls(alice, moved).await, [1, 1, 1, 0]);

        // Handed back, and deleted: the calls stay with the last owner.
        fixture.hand_over(moved, alice).await.unwrap();
        assert_eq!(fixture.visible_calls(alice, moved).await, [6, 6, 6, 5]);
        assert_eq!(fixture.visible_calls(bob, moved).await, [0; 4]);
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), moved).await.unwrap();
        assert_eq!(fixture.visible_calls(alice, moved).await, [6, 6, 6, 5]);
        assert_eq!(fixture.visible_calls(bob, moved).await, [0; 4]);
    }

    async fn calls_of_a_received_server_are_found_by_key_and_address(fixture) {
        let (moved, own) = (fixture.server("Moved").await.id, fixture.foreign_server().await.id);
        let call = |user, server: ServerId, number: u8| CallRecord {
            origin: CallOrigin {
                credential: CallCredential::EndpointKey(EndpointKeyId(number.into())),
                client_address: Some([10, 0, 0, number].into()),
            },
            ..TestTarget::new(user, server.0, server.0).call(BASE_MILLIS)
        };
        // Both calls are in one block, so the new owner already has an entry in its index.
        let calls = [call(fixture.alice, moved, 1), call(fixture.bob, own, 2)];
        TestJournal::open(&*fixture.storage, "j").await.ingest(&*fixture.storage, &calls).await;
        fixture.hand_over(moved, fixture.bob).await.unwrap();
        for origin in calls.map(|call| call.origin) {
            let all = CallQuery::all(fixture.as_bob(), 10);
            let with_key = CallQuery { endpoint_key: origin.credential.endpoint_key(), ..all.clone() };
            let from_address = CallQuery { client_address: origin.client_address, ..all };
            for query in [with_key, from_address] {
                assert_eq!(fixture.storage.calls(&query).await.unwrap().calls.len(), 1, "{query:?}");
            }
        }
    }

    async fn a_member_of_many_servers_sees_their_calls(fixture) {
        let mut journal = TestJournal::open(&*fixture.storage, "j").await;
        let mut calls = Vec::new();
        for number in 0..40 {
            let server = fixture.server(&format!("S{number}")).await.id;
            calls.push(TestTarget::new(fixture.alice, server.0, server.0).call(BASE_MILLIS + number * 7_000_000));
            if number % 20 != 0 {
                let (actor, user) = (fixture.next_actor(), MemberUser::Id(fixture.bob));
                let added = fixture.storage.add_member(&actor, fixture.as_alice(), server, user, MemberRole::Viewer).await;
                added.unwrap();
            }
        }
        journal.ingest(&*fixture.storage, &calls).await;
        let seen = fixture.visible_calls(fixture.bob, ServerId(4711)).await;
        assert_eq!(seen, [38, 38, 38, 0]);
    }
}
