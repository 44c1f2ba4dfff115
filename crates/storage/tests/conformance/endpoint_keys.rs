//! Keys for one server's endpoint.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::{EndpointKeyId, ServerId};
use toolgate_domain::user::Visibility;
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{EndpointKeys as _, NewEndpointKey, Servers as _};

use crate::make::{digest, page};

fn new_key(name: &str) -> NewEndpointKey {
    NewEndpointKey { name: name.to_owned(), secret: digest() }
}

on_both_databases! {
    async fn a_key_is_stored_listed_and_revoked(bench) {
        let server = bench.server("S").await;
        let actor = bench.actor();
        let key = bench.storage.create_endpoint_key(&actor, bench.mine(), server.id, new_key("laptop")).await.unwrap();
        assert_eq!((key.server_id, key.name.as_str(), key.hint.as_str()), (server.id, "laptop", "tg_abc"));
        assert_eq!(key.created_at, actor.at);
        assert_eq!(bench.storage.endpoint_key(bench.mine(), server.id, key.id).await.unwrap().name, "laptop");
        let foreign = bench.storage.endpoint_key(bench.theirs(), server.id, key.id).await;
        assert_fails!(foreign, NotFound(ObjectKind::Server));
        let deleted = bench.storage.delete_endpoint_key(&actor, bench.mine(), server.id, key.id).await.unwrap();
        assert_eq!((deleted.id, deleted.name.as_str()), (key.id, "laptop"));
        let left = bench.storage.list_endpoint_keys(bench.mine(), server.id, None).await.unwrap();
        assert_eq!((left.items.len(), left.total), (0, 0));
    }

    async fn keys_are_listed_by_id_in_pages(bench) {
        let server = bench.server("S").await;
        for name in ["c", "a", "b"] {
            bench.storage.create_endpoint_key(&bench.actor(), bench.mine(), server.id, new_key(name)).await.unwrap();
        }
        let names = async |page| {
            let listing = bench.storage.list_endpoint_keys(Visibility::All, server.id, page).await.unwrap();
            (listing.items.into_iter().map(|key| key.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None).await, ("c a b".to_owned(), 3));
        assert_eq!(names(Some(page(2, 2))).await, ("b".to_owned(), 3));
        assert_eq!(names(Some(page(3, 2))).await, (String::new(), 3));
    }

    async fn keys_of_a_foreign_or_missing_server_are_not_found(bench) {
        let server = bench.server("S").await;
        let key =
            bench.storage.create_endpoint_key(&bench.actor(), bench.mine(), server.id, new_key("k")).await.unwrap();
        let actor = bench.actor();
        for (visibility, id) in [(bench.theirs(), server.id), (bench.mine(), ServerId(4711))] {
            assert_fails!(bench.storage.list_endpoint_keys(visibility, id, None).await, NotFound(ObjectKind::Server));
            let made = bench.storage.create_endpoint_key(&actor, visibility, id, new_key("x")).await;
            assert_fails!(made, NotFound(ObjectKind::Server));
            let deleted = bench.storage.delete_endpoint_key(&actor, visibility, id, key.id).await;
            assert_fails!(deleted, NotFound(ObjectKind::Server));
        }
    }

    async fn a_key_under_another_server_is_not_found(bench) {
        let (server, other) = (bench.server("S").await, bench.server("T").await);
        let actor = bench.actor();
        let key = bench.storage.create_endpoint_key(&actor, bench.mine(), server.id, new_key("k")).await.unwrap();
        for (server_id, id) in [(other.id, key.id), (server.id, EndpointKeyId(4711))] {
            let deleted = bench.storage.delete_endpoint_key(&actor, bench.mine(), server_id, id).await;
            assert_fails!(deleted, NotFound(ObjectKind::EndpointKey));
        }
        assert_eq!(bench.storage.list_endpoint_keys(bench.mine(), server.id, None).await.unwrap().total, 1);
    }

    async fn keys_go_with_their_server(bench) {
        let server = bench.server("S").await;
        bench.storage.create_endpoint_key(&bench.actor(), bench.mine(), server.id, new_key("k")).await.unwrap();
        bench.storage.delete_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
        assert_eq!(bench.raw.int("SELECT COUNT(*) FROM endpoint_keys").await, 0);
    }
}
