//! Users.

use toolgate_domain::audit::ObjectKind;
use toolgate_domain::ids::UserId;
use toolgate_domain::user::{NewUser, Role};
use toolgate_storage::StorageError::{Exists, InUse, NotFound};
use toolgate_storage::{ApiKeys as _, Servers as _, Users as _};

use crate::make::{digest, new_server, page};

fn new_user(name: &str, role: Role) -> NewUser {
    NewUser { name: name.to_owned(), role }
}

on_both_databases! {
    async fn a_user_reads_back_as_made(bench) {
        let actor = bench.actor();
        let made = bench.storage.create_user(&actor, new_user("Zoë", Role::Viewer)).await.unwrap();
        let read = bench.storage.user(made.id).await.unwrap();
        assert_eq!((read.id, read.name.as_str(), read.role), (made.id, "Zoë", Role::Viewer));
        assert_eq!((read.created_at, read.updated_at), (actor.at, actor.at));
    }

    async fn users_are_listed_by_id_in_pages(bench) {
        bench.storage.create_user(&bench.actor(), new_user("carol", Role::Admin)).await.unwrap();
        let names = async |page| {
            let listing = bench.storage.list_users(page).await.unwrap();
            (listing.items.into_iter().map(|user| user.name).collect::<Vec<_>>().join(" "), listing.total)
        };
        assert_eq!(names(None).await, ("alice bob carol".to_owned(), 3));
        assert_eq!(names(Some(page(2, 2))).await, ("carol".to_owned(), 3));
    }

    async fn a_name_is_taken_once_and_case_matters(bench) {
        let actor = bench.actor();
        let again = bench.storage.create_user(&actor, new_user("alice", Role::Owner)).await;
        assert_fails!(again, Exists { kind: ObjectKind::User, field: "name" });
        bench.storage.create_user(&actor, new_user("Alice", Role::Owner)).await.unwrap();
    }

    async fn a_missing_user_is_not_found(bench) {
        assert_fails!(bench.storage.user(UserId(4711)).await, NotFound(ObjectKind::User));
        assert_fails!(bench.storage.delete_user(&bench.actor(), UserId(4711)).await, NotFound(ObjectKind::User));
    }

    async fn a_deleted_user_takes_keys_and_counters_along(bench) {
        let secret = digest();
        let scopes = [toolgate_domain::api_key::Scope::Read].into_iter().collect();
        let new = toolgate_domain::api_key::NewApiKey {
            user_id: bench.bob,
            name: "k".to_owned(),
            scopes,
            expires_at: None,
            secret: secret.clone(),
        };
        bench.storage.create_api_key(&bench.actor(), new).await.unwrap();
        let deleted = bench.storage.delete_user(&bench.actor(), bench.bob).await.unwrap();
        assert_eq!(deleted.name, "bob");
        assert!(bench.storage.find_api_key(secret.hash).await.unwrap().is_none());
        assert_eq!(bench.raw.int("SELECT COUNT(*) FROM owner_counts").await, 1);
        assert_fails!(bench.storage.user(bench.bob).await, NotFound(ObjectKind::User));
    }

    async fn a_user_who_owns_servers_stays(bench) {
        let server = bench.server("S").await;
        assert_fails!(bench.storage.delete_user(&bench.actor(), bench.alice).await, InUse(_));
        bench.storage.user(bench.alice).await.unwrap();
        bench.storage.delete_server(&bench.actor(), bench.mine(), server.id).await.unwrap();
        bench.storage.delete_user(&bench.actor(), bench.alice).await.unwrap();
    }

    async fn the_last_administrator_stays(bench) {
        let first = bench.storage.create_user(&bench.actor(), new_user("root", Role::Admin)).await.unwrap();
        assert_fails!(bench.storage.delete_user(&bench.actor(), first.id).await, InUse(_));
        let second = bench.storage.create_user(&bench.actor(), new_user("second", Role::Admin)).await.unwrap();
        bench.storage.delete_user(&bench.actor(), first.id).await.unwrap();
        assert_fails!(bench.storage.delete_user(&bench.actor(), second.id).await, InUse(_));
    }

    async fn a_server_of_a_missing_user_is_not_made(bench) {
        let made = bench.storage.create_server(&bench.actor(), new_server(UserId(4711), "S")).await;
        assert_fails!(made, NotFound(ObjectKind::User));
        assert_eq!(bench.raw.int("SELECT COUNT(*) FROM servers").await, 0);
    }
}
