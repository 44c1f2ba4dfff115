//! Keys for one server's endpoint.

use toolgate_domain::api_key::EndpointKeyPatch;
use toolgate_domain::audit::ObjectKind;
use toolgate_domain::change::Change;
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{AccessStore as _, EndpointKeyStore as _, KeyUse, NewEndpointKey, ServerStore as _};

use crate::builders::{digest, page};

fn new_key(name: &str) -> NewEndpointKey {
    NewEndpointKey::new(name.to_owned(), digest())
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_key_is_stored_listed_and_revoked(fixture) {
        let server = fixture.server("S").await;
        let actor = fixture.next_actor();
        let key = fixture
            .storage
            .create_endpoint_key(&actor, fixture.as_alice(), server.id, new_key("laptop"))
            .await
            .unwrap();
        assert_eq!((key.server_id, key.name.as_str(), key.hint.as_str()), (server.id, "laptop", "tg_abc"));
        assert_eq!(key.created_at, actor.at);
        assert_eq!(fixture.storage.endpoint_key(fixture.as_alice(), server.id, key.id).await.unwrap().name, "laptop");
        let foreign = fixture.storage.endpoint_key(fixture.as_bob(), server.id, key.id).await;
        assert_fails!(foreign, NotFound(ObjectKind::Server));
        let deleted = fixture.storage.delete_endpoint_key(&actor, fixture.as_alice(), server.id, key.id).await.unwrap();
        assert_eq!((deleted.id, deleted.name.as_str()), (key.id, "laptop"));
        let remaining = fixture.storage.list_endpoint_keys(fixture.as_alice(), server.id, None).await.unwrap();
        assert_eq!((remaining.items.len(), remaining.total), (0, 0));
    }

    async fn keys_are_listed_by_id_in_pages(fixture) {
        let server = fixture.server("S").await;
        for name in ["c", "a", "b"] {
            fixture
                .storage
                .create_endpoint_key(&fixture.next_actor(), fixture.as_alice(), server.id, new_key(name))
                .await
                .unwrap();
        }
        let names = async |page| {
            let listing = fixture.storage.list_endpoint_keys(Visibility::All, server.id, page).await.unwrap();
            (listing.items.into_iter().map(|key| key.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None).await, ("c a b".to_owned(), 3));
        assert_eq!(names(Some(page(2, 2))).await, ("b".to_owned(), 3));
        assert_eq!(names(Some(page(3, 2))).await, (String::new(), 3));
    }

    async fn keys_of_a_foreign_or_missing_server_are_not_found(fixture) {
        let server = fixture.server("S").await;
        let key = fixture
            .storage
            .create_endpoint_key(&fixture.next_actor(), fixture.as_alice(), server.id, new_key("k"))
            .await
            .unwrap();
        let actor = fixture.next_actor();
        for (visibility, id) in [(fixture.as_bob(), server.id), (fixture.as_alice(), ServerId(4711))] {
            assert_fails!(fixture.storage.list_endpoint_keys(visibility, id, None).await, NotFound(ObjectKind::Server));
            let created = fixture.storage.create_endpoint_key(&actor, visibility, id, new_key("x")).await;
            assert_fails!(created, NotFound(ObjectKind::Server));
            let deleted = fixture.storage.delete_endpoint_key(&actor, visibility, id, key.id).await;
            assert_fails!(deleted, NotFound(ObjectKind::Server));
        }
    }

    async fn a_key_under_another_server_is_not_found(fixture) {
        let (server, other) = (fixture.server("S").await, fixture.server("T").await);
        let actor = fixture.next_actor();
        let key =
            fixture.storage.create_endpoint_key(&actor, fixture.as_alice(), server.id, new_key("k")).await.unwrap();
        for (server_id, id) in [(other.id, key.id), (server.id, EndpointKeyId(4711))] {
            let deleted = fixture.storage.delete_endpoint_key(&actor, fixture.as_alice(), server_id, id).await;
            assert_fails!(deleted, NotFound(ObjectKind::EndpointKey));
        }
        assert_eq!(fixture.storage.list_endpoint_keys(fixture.as_alice(), server.id, None).await.unwrap().total, 1);
    }

    async fn deleting_a_server_deletes_its_keys(fixture) {
        let server = fixture.server("S").await;
        fixture
            .storage
            .create_endpoint_key(&fixture.next_actor(), fixture.as_alice(), server.id, new_key("k"))
            .await
            .unwrap();
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM endpoint_keys").await, 0);
    }

    async fn expiry_limit_and_name_of_a_key_can_be_changed_and_cleared(fixture) {
        let (server, as_alice, storage) = (fixture.server("S").await.id, fixture.as_alice(), &fixture.storage);
        let time = Timestamp::from_millis(1_900_000_000_000);
        let new = NewEndpointKey { expires_at: Some(time), rate_limit_per_min: Some(30), ..new_key("k") };
        let key = storage.create_endpoint_key(&fixture.next_actor(), as_alice, server, new).await.unwrap();
        assert_eq!((key.expires_at, key.rate_limit_per_min, key.last_used_at), (Some(time), Some(30), None));
        let patch = EndpointKeyPatch { name: Some("laptop".to_owned()), ..EndpointKeyPatch::default() };
        let update = |patch| async move {
            storage.update_endpoint_key(&fixture.next_actor(), as_alice, server, key.id, patch).await.unwrap()
        };
        let renamed = update(patch).await;
        assert_eq!((renamed.name.as_str(), renamed.expires_at, renamed.rate_limit_per_min), ("laptop", Some(time), Some(30)));
        let patch = EndpointKeyPatch { expires_at: Change::Clear, rate_limit_per_min: Change::Clear, name: None };
        let cleared = update(patch).await;
        assert_eq!((cleared.name.as_str(), cleared.expires_at, cleared.rate_limit_per_min), ("laptop", None, None));
        let foreign = EndpointKeyPatch::default();
        let foreign = storage.update_endpoint_key(&fixture.next_actor(), fixture.as_bob(), server, key.id, foreign).await;
        assert_fails!(foreign, NotFound(ObjectKind::Server));
        let audited = "SELECT action || object_name FROM audit WHERE object_kind = 'endpoint_key' ORDER BY id";
        assert_eq!(fixture.raw.texts(audited).await, ["createk", "updatelaptop", "updatelaptop"]);
    }

    async fn the_last_use_of_a_key_only_moves_forward_and_is_not_a_change(fixture) {
        let (server, as_alice, storage) = (fixture.server("S").await.id, fixture.as_alice(), &fixture.storage);
        let key = storage.create_endpoint_key(&fixture.next_actor(), as_alice, server, new_key("k")).await.unwrap().id;
        let audit_rows = fixture.raw.int("SELECT COUNT(*) FROM audit").await;
        let used_at = |millis| KeyUse { key, at: Timestamp::from_millis(millis) };
        for millis in [5_000, 9_000, 7_000] {
            assert_eq!(storage.record_key_uses(&[used_at(millis)]).await.unwrap(), []);
        }
        let stored = storage.endpoint_key(as_alice, server, key).await.unwrap();
        assert_eq!(stored.last_used_at, Some(Timestamp::from_millis(9_000)));
        let absent = KeyUse { key: EndpointKeyId(4711), at: Timestamp::from_millis(1) };
        assert_eq!(storage.record_key_uses(&[absent, used_at(10_000)]).await.unwrap(), [absent]);
        let stored = storage.endpoint_key(as_alice, server, key).await.unwrap();
        assert_eq!(stored.last_used_at, Some(Timestamp::from_millis(10_000)));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM audit").await, audit_rows);
    }
}
