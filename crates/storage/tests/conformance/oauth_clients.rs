//! OAuth clients: registration, metadata documents, administrators' changes.

use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::ids::OAuthClientId;
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, ClientStatus, NewOAuthClient};
use toolgate_domain::time::Timestamp;
use toolgate_storage::StorageError::{Exists, NotFound};
use toolgate_storage::{GrantStore as _, OAuthClientStore as _};

use crate::builders::page;
use crate::grants::{hash, new_client, new_grant, oauth};

const MINUTE_MS: i64 = 60_000;

fn registered(client_id: &str) -> NewOAuthClient {
    new_client(client_id, ClientKind::Registered)
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_client_is_read_as_it_was_stored(fixture) {
        let (actor, secret) = (fixture.next_actor(), hash());
        let new = NewOAuthClient {
            auth_method: ClientAuthMethod::SecretBasic,
            secret_hash: Some(secret),
            ..new_client("tgx_a", ClientKind::Preregistered)
        };
        let created = fixture.storage.create_client(&actor, new.clone()).await.unwrap();
        for client in [fixture.storage.client(created.id).await.unwrap(), fixture.storage.client_by_identifier("tgx_a").await.unwrap().unwrap()] {
            assert_eq!((client.id, client.client_id, client.kind), (created.id, new.client_id.clone(), new.kind));
            assert_eq!((client.name, client.redirect_uris), (new.name.clone(), new.redirect_uris.clone()));
            assert_eq!((client.status, client.auth_method), (ClientStatus::Allowed, new.auth_method));
            assert!(client.secret_hash.is_some_and(|stored| stored.0 == secret.0));
            assert_eq!((client.created_at, client.updated_at, client.last_consent_at), (actor.at, actor.at, None));
        }
        assert!(fixture.storage.client_by_identifier("tgx_A").await.unwrap().is_none());
        assert_fails!(fixture.storage.create_client(&actor, new).await, Exists { kind: ObjectKind::OAuthClient, field: "client_id" });
        let audit = fixture.audit_of(ObjectKind::OAuthClient).await;
        assert_eq!(audit, [(Action::Create, created.id.0, String::new())]);
    }

    async fn the_newest_client_is_listed_first(fixture) {
        let now = fixture.next_actor().at;
        for id in ["a", "b", "c"] {
            fixture.storage.register_client(registered(id), 10, now).await.unwrap().unwrap();
        }
        let listing = fixture.storage.list_clients(Some(page(1, 2))).await.unwrap();
        assert_eq!((listing.total, listing.items[0].client_id.as_str(), listing.items[1].client_id.as_str()), (3, "c", "b"));
    }

    async fn the_number_of_unused_registered_clients_is_limited(fixture) {
        let now = fixture.next_actor().at;
        let register = async |id: &str, now: Timestamp| fixture.storage.register_client(registered(id), 2, now).await.unwrap();
        assert!(register("a", now).await.is_some() && register("b", now.plus_millis(1)).await.is_some());
        assert!(register("c", now.plus_millis(10 * MINUTE_MS)).await.is_none(), "a is not older than ten minutes");
        assert!(register("c", now.plus_millis(10 * MINUTE_MS + 1)).await.is_some());
        assert!(fixture.storage.client_by_identifier("a").await.unwrap().is_none(), "the oldest makes room");
        assert!(fixture.storage.client_by_identifier("b").await.unwrap().is_some());
        // Other kinds and clients that were allowed access do not count.
        fixture.raw.execute("UPDATE oauth_clients SET last_consent_at = 1").await;
        fixture.storage.save_client_document(new_client("https://a.example/c", ClientKind::MetadataDocument), now).await.unwrap();
        assert!(register("d", now).await.is_some() && register("e", now).await.is_some());
        assert!(register("f", now).await.is_none());
    }

    async fn unused_registered_clients_are_deleted_after_a_while(fixture) {
        let now = fixture.next_actor().at;
        for (id, kind) in [("old", ClientKind::Registered), ("used", ClientKind::Registered), ("https://a.example/c", ClientKind::MetadataDocument)] {
            if kind == ClientKind::Registered {
                fixture.storage.register_client(registered(id), 10, now).await.unwrap().unwrap();
            } else {
                fixture.storage.save_client_document(new_client(id, kind), now).await.unwrap();
            }
        }
        fixture.raw.execute("UPDATE oauth_clients SET last_consent_at = 1 WHERE client_id = 'used'").await;
        fixture.storage.register_client(registered("new"), 10, now.plus_millis(1)).await.unwrap().unwrap();
        fixture.storage.delete_unused_clients(now.plus_millis(1)).await.unwrap();
        let left = fixture.raw.texts("SELECT client_id FROM oauth_clients ORDER BY client_id").await;
        assert_eq!(left, ["https://a.example/c", "new", "used"]);
    }

    async fn documents_without_grants_are_deleted_after_a_while(fixture) {
        let now = fixture.next_actor().at;
        let url = |name: &str| format!("https://a.example/{name}");
        let save = async |name: &str, at: Timestamp| {
            fixture.storage.save_client_document(new_client(&url(name), ClientKind::MetadataDocument), at).await.unwrap()
        };
        for name in ["blocked", "ended", "never", "renewed"] {
            save(name, now).await;
        }
        save("renewed", now.plus_millis(1)).await;
        fixture.storage.register_client(registered("tgx_a"), 10, now).await.unwrap().unwrap();
        fixture.storage.create_client(&fixture.next_actor(), new_client("tgx_b", ClientKind::Preregistered)).await.unwrap();
        let (server, granted) = (fixture.server_with("Signed", oauth("owner")).await, save("granted", now).await);
        let grant = new_grant(server.id, server.user_id, granted.id, now);
        fixture.storage.create_grant(&fixture.next_actor(), grant).await.unwrap();
        let consent = format!("UPDATE oauth_clients SET last_consent_at = {} WHERE client_id", now.as_millis());
        fixture.raw.execute(&format!("{consent} IN ('{}', '{}')", url("ended"), url("granted"))).await;
        fixture.raw.execute("UPDATE oauth_clients SET status = 'blocked' WHERE client_id LIKE '%/blocked'").await;
        let left_after = async |unused_cutoff: i64, stale_cutoff: i64| {
            let (unused_cutoff, stale_cutoff) = (now.plus_millis(unused_cutoff), now.plus_millis(stale_cutoff));
            fixture.storage.delete_unused_documents(unused_cutoff, stale_cutoff).await.unwrap();
            let left = fixture.raw.texts("SELECT client_id FROM oauth_clients ORDER BY client_id").await;
            left.iter().map(|id| id.replace("https://a.example/", "")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(left_after(0, 0).await, "blocked ended granted never renewed tgx_a tgx_b");
        assert_eq!(left_after(1, 0).await, "blocked ended granted renewed tgx_a tgx_b");
        assert_eq!(left_after(2, 1).await, "blocked granted tgx_a tgx_b");
    }

    async fn a_metadata_document_replaces_name_and_redirect_uris_but_not_the_status(fixture) {
        let (actor, url) = (fixture.next_actor(), "https://a.example/client");
        let first = fixture.storage.save_client_document(new_client(url, ClientKind::MetadataDocument), actor.at).await.unwrap();
        fixture.storage.set_client_status(&actor, first.id, ClientStatus::Blocked).await.unwrap();
        let changed = NewOAuthClient {
            name: "Other".to_owned(),
            redirect_uris: vec!["https://b.example/".to_owned()],
            ..new_client(url, ClientKind::MetadataDocument)
        };
        let later = fixture.next_actor().at;
        let second = fixture.storage.save_client_document(changed, later).await.unwrap();
        assert_eq!((second.id, second.name.as_str(), second.redirect_uris), (first.id, "Other", vec!["https://b.example/".to_owned()]));
        assert_eq!((second.status, second.created_at, second.updated_at), (ClientStatus::Blocked, actor.at, later));
    }

    async fn a_client_that_does_not_exist_is_not_found(fixture) {
        let (actor, id) = (fixture.next_actor(), OAuthClientId(4711));
        assert_fails!(fixture.storage.client(id).await, NotFound(ObjectKind::OAuthClient));
        assert_fails!(fixture.storage.set_client_status(&actor, id, ClientStatus::Blocked).await, NotFound(ObjectKind::OAuthClient));
        assert_fails!(fixture.storage.delete_client(&actor, id).await, NotFound(ObjectKind::OAuthClient));
    }
}
