//! Creating, reading, listing and deleting users.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::UserId;
use toolgate_domain::user::{NewUser, Role, UserPatch};
use toolgate_storage::StorageError::{Exists, InUse, NotFound};
use toolgate_storage::{ApiKeyStore as _, ServerStore as _, UserStore as _};

use crate::builders::{digest, new_server, page};

fn new_user(name: &str, role: Role) -> NewUser {
    NewUser { name: name.to_owned(), role }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_user_is_read_as_it_was_created(fixture) {
        let actor = fixture.next_actor();
        let created = fixture.storage.create_user(&actor, new_user("Zoë", Role::Viewer)).await.unwrap();
        let stored = fixture.storage.user(created.id).await.unwrap();
        assert_eq!((stored.id, stored.name.as_str(), stored.role), (created.id, "Zoë", Role::Viewer));
        assert_eq!((stored.created_at, stored.updated_at), (actor.at, actor.at));
    }

    async fn users_are_listed_by_id_in_pages(fixture) {
        fixture.storage.create_user(&fixture.next_actor(), new_user("carol", Role::Admin)).await.unwrap();
        let names = async |page| {
            let listing = fixture.storage.list_users(page).await.unwrap();
            (listing.items.into_iter().map(|user| user.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None).await, ("alice bob carol".to_owned(), 3));
        assert_eq!(names(Some(page(2, 2))).await, ("carol".to_owned(), 3));
    }

    async fn names_are_unique_and_case_sensitive(fixture) {
        let actor = fixture.next_actor();
        let duplicate = fixture.storage.create_user(&actor, new_user("alice", Role::Owner)).await;
        assert_fails!(duplicate, Exists { kind: ObjectKind::User, field: "name" });
        fixture.storage.create_user(&actor, new_user("Alice", Role::Owner)).await.unwrap();
    }

    async fn a_missing_user_is_not_found(fixture) {
        assert_fails!(fixture.storage.user(UserId(4711)).await, NotFound(ObjectKind::User));
        assert_fails!(fixture.storage.delete_user(&fixture.next_actor(), UserId(4711)).await, NotFound(ObjectKind::User));
    }

    async fn deleting_a_user_deletes_its_keys_and_counters(fixture) {
        let key_digest = digest();
        let scopes = [toolgate_domain::api_key::Scope::Read].into_iter().collect();
        let new = toolgate_domain::api_key::NewApiKey {
            user_id: fixture.bob,
            name: "k".to_owned(),
            scopes,
            expires_at: None,
            digest: key_digest.clone(),
        };
        fixture.storage.create_api_key(&fixture.next_actor(), new).await.unwrap();
        let deleted = fixture.storage.delete_user(&fixture.next_actor(), fixture.bob).await.unwrap();
        assert_eq!(deleted.name, "bob");
        assert!(fixture.storage.find_api_key(key_digest.hash).await.unwrap().is_none());
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM owner_counts").await, 1);
        assert_fails!(fixture.storage.user(fixture.bob).await, NotFound(ObjectKind::User));
    }

    async fn a_user_who_owns_servers_cannot_be_deleted(fixture) {
        let server = fixture.server("S").await;
        assert_fails!(fixture.storage.delete_user(&fixture.next_actor(), fixture.alice).await, InUse(_));
        fixture.storage.user(fixture.alice).await.unwrap();
        fixture.storage.delete_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        fixture.storage.delete_user(&fixture.next_actor(), fixture.alice).await.unwrap();
    }

    async fn an_update_changes_only_the_sent_fields(fixture) {
        let user = fixture.storage.create_user(&fixture.next_actor(), new_user("carol", Role::Viewer)).await.unwrap().id;
        let actor = fixture.next_actor();
        let renamed = UserPatch { name: Some("Carol".to_owned()), ..UserPatch::default() };
        let updated = fixture.storage.update_user(&actor, user, renamed).await.unwrap();
        assert_eq!((updated.name.as_str(), updated.role, updated.is_disabled), ("Carol", Role::Viewer, false));
        assert_eq!(updated.updated_at, actor.at);
        let changed = UserPatch { role: Some(Role::Owner), is_disabled: Some(true), ..UserPatch::default() };
        fixture.storage.update_user(&fixture.next_actor(), user, changed).await.unwrap();
        let stored = fixture.storage.user(user).await.unwrap();
        assert_eq!((stored.name.as_str(), stored.role, stored.is_disabled), ("Carol", Role::Owner, true));
        let taken = UserPatch { name: Some("bob".to_owned()), ..UserPatch::default() };
        let taken = fixture.storage.update_user(&fixture.next_actor(), user, taken).await;
        assert_fails!(taken, Exists { kind: ObjectKind::User, field: "name" });
        let absent = fixture.storage.update_user(&fixture.next_actor(), UserId(4711), UserPatch::default()).await;
        assert_fails!(absent, NotFound(ObjectKind::User));
    }

    async fn the_last_enabled_administrator_cannot_be_disabled_demoted_or_deleted(fixture) {
        let (storage, disabled) = (&fixture.storage, UserPatch { is_disabled: Some(true), ..UserPatch::default() });
        let first = storage.create_user(&fixture.next_actor(), new_user("root", Role::Admin)).await.unwrap().id;
        assert_fails!(storage.update_user(&fixture.next_actor(), first, disabled.clone()).await, InUse(_));
        let second = storage.create_user(&fixture.next_actor(), new_user("second", Role::Admin)).await.unwrap().id;
        storage.update_user(&fixture.next_actor(), first, disabled.clone()).await.unwrap();
        let demoted = UserPatch { role: Some(Role::Owner), ..UserPatch::default() };
        for patch in [disabled, demoted] {
            assert_fails!(storage.update_user(&fixture.next_actor(), second, patch).await, InUse(_));
        }
        assert_fails!(storage.delete_user(&fixture.next_actor(), second).await, InUse(_));
        storage.delete_user(&fixture.next_actor(), first).await.unwrap();
    }

    async fn the_last_administrator_cannot_be_deleted(fixture) {
        let first = fixture.storage.create_user(&fixture.next_actor(), new_user("root", Role::Admin)).await.unwrap();
        assert_fails!(fixture.storage.delete_user(&fixture.next_actor(), first.id).await, InUse(_));
        let second = fixture.storage.create_user(&fixture.next_actor(), new_user("second", Role::Admin)).await.unwrap();
        fixture.storage.delete_user(&fixture.next_actor(), first.id).await.unwrap();
        assert_fails!(fixture.storage.delete_user(&fixture.next_actor(), second.id).await, InUse(_));
    }

    async fn a_server_of_a_missing_user_is_not_created(fixture) {
        let created = fixture.storage.create_server(&fixture.next_actor(), new_server(UserId(4711), "S")).await;
        assert_fails!(created, NotFound(ObjectKind::User));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM servers").await, 0);
    }
}
