//! Changes that end grants, in the same transaction.

use std::sync::Arc;

use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::ids::{GrantId, ServerId};
use toolgate_domain::oauth::client::ClientStatus;
use toolgate_domain::oauth::grant::{EndedGrant, GRANTS_PER_USER_MAX, NewGrant};
use toolgate_domain::server::{EndpointAuth, Server, ServerPatch};
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::{Role, UserPatch, Visibility};
use toolgate_storage::StorageError::NotFound;
use toolgate_storage::{
    ApiKeyStore as _, Backup, ChangeEvent, GrantStore as _, MemberStore as _, OAuthClientStore as _, ServerStore as _,
    SqlStorage, UserStore as _,
};

use super::{new_grant, oauth};
use crate::builders::{digest, public_id, settings};
use crate::change_recorder::ChangeRecorder;
use crate::fixture::{StorageFixture, TestKeys};
use crate::migrations::OldDatabase;

impl StorageFixture {
    async fn change_server(&self, id: ServerId, patch: ServerPatch) -> Server {
        self.storage.update_server(&self.next_actor(), Visibility::All, id, patch).await.unwrap()
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_deleted_grant_ends_once_with_an_audit_row(fixture) {
        let server = fixture.oauth_server("users").await;
        let id = fixture.grant_by(server.id, fixture.alice).await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        let actor = fixture.next_actor();
        assert_eq!(fixture.storage.end_grant(&actor, id).await.unwrap().id, id);
        let ended = EndedGrant { id, ended_at: actor.at };
        assert_eq!(recorder.drain(), [ChangeEvent::GrantEnded(ended)]);
        assert_eq!(fixture.storage.ended_grants(actor.at, 10).await.unwrap(), [ended]);
        assert_eq!(fixture.storage.ended_grants(actor.at.plus_millis(1), 10).await.unwrap(), []);
        assert_eq!(fixture.audit_of(ObjectKind::Grant).await[0].0, Action::Delete);
        assert_fails!(fixture.storage.end_grant(&actor, id).await, NotFound(ObjectKind::Grant));
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM oauth_refresh_tokens").await, 0);
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM oauth_codes").await, 0);
    }

    async fn above_the_limit_a_new_grant_ends_the_one_that_was_not_used_for_the_longest_time(fixture) {
        let server = fixture.oauth_server("users").await;
        let [used, unused] = [fixture.grant_by(server.id, fixture.alice).await, fixture.grant_by(server.id, fixture.alice).await];
        fixture.grant_by(server.id, fixture.bob).await;
        let (client, later) = (fixture.oauth_client().await.id, fixture.current_actor().at.plus_millis(1));
        fixture.storage.record_grant_uses(&[(used, later)]).await.unwrap();
        let columns = "server_id, user_id, client_id, redirect_host, scopes, created_at, expires_at, ends_at";
        let time = later.as_millis();
        let values = format!("{}, {}, {client}, 'a.example', 'mcp:read', {time}, {time}, {time}", server.id, fixture.alice);
        fixture.raw.fill("oauth_grants", columns, &values, GRANTS_PER_USER_MAX - 2).await;
        let grants_of = async |user| fixture.storage.grants_of_user(user, None).await.unwrap().total;
        assert_eq!((grants_of(fixture.alice).await, fixture.ended().await), (GRANTS_PER_USER_MAX, vec![]));

        fixture.grant_by(server.id, fixture.alice).await;
        assert_eq!((grants_of(fixture.alice).await, fixture.ended().await), (GRANTS_PER_USER_MAX, vec![unused]));
        assert_eq!(grants_of(fixture.bob).await, 1);
        let [consent, end] = &fixture.audit_of(ObjectKind::Grant).await[..2] else { panic!("two rows") };
        assert_eq!((consent.0, end.0, end.1), (Action::Consent, Action::Delete, unused.0));
    }

    async fn the_grants_that_ended_last_are_read_first(fixture) {
        let server = fixture.oauth_server("users").await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            let id = fixture.grant_by(server.id, fixture.alice).await;
            fixture.storage.end_grant(&fixture.next_actor(), id).await.unwrap();
            ids.push(id);
        }
        let ended = fixture.storage.ended_grants(Timestamp::from_millis(0), 2).await.unwrap();
        assert_eq!(ended.iter().map(|grant| grant.id).collect::<Vec<GrantId>>(), [ids[2], ids[1]]);
    }

    async fn blocking_or_deleting_a_client_ends_its_grants(fixture) {
        let server = fixture.oauth_server("users").await;
        let (client, other) = (fixture.oauth_client().await.id, fixture.grant_by(server.id, fixture.bob).await);
        let (one, _) = fixture.grant_with_token(new_grant(server.id, fixture.alice, client, fixture.current_actor().at)).await;
        let mut recorder = ChangeRecorder::start(&fixture.storage).await;
        let actor = fixture.next_actor();
        fixture.storage.set_client_status(&actor, client, ClientStatus::Blocked).await.unwrap();
        assert_eq!(recorder.drain(), [ChangeEvent::GrantEnded(EndedGrant { id: one, ended_at: actor.at })]);
        fixture.storage.set_client_status(&fixture.next_actor(), client, ClientStatus::Allowed).await.unwrap();
        let (two, _) = fixture.grant_with_token(new_grant(server.id, fixture.alice, client, fixture.current_actor().at)).await;
        fixture.storage.delete_client(&fixture.next_actor(), client).await.unwrap();
        assert_eq!(fixture.ended().await, [one, two]);
        assert_eq!(fixture.storage.grants_of_server(Visibility::All, server.id, None).await.unwrap().items[0].id, other);
    }

    async fn disabling_or_deleting_a_user_ends_the_users_grants(fixture) {
        let server = fixture.oauth_server("users").await;
        let (bob, mia) = (fixture.bob, fixture.person("mia", Role::Member).await);
        let (of_bob, of_mia, of_alice) = (
            fixture.grant_by(server.id, bob).await,
            fixture.grant_by(server.id, mia).await,
            fixture.grant_by(server.id, fixture.alice).await,
        );
        fixture.storage.update_user(&fixture.next_actor(), bob, UserPatch { name: Some("robert".to_owned()), ..UserPatch::default() }).await.unwrap();
        assert_eq!(fixture.ended().await, [], "another name takes no access away");
        fixture.storage.update_user(&fixture.next_actor(), bob, UserPatch { is_disabled: Some(true), ..UserPatch::default() }).await.unwrap();
        assert_eq!(fixture.ended().await, [of_bob]);
        fixture.storage.delete_user(&fixture.next_actor(), mia).await.unwrap();
        assert_eq!(fixture.ended().await, [of_bob, of_mia]);
        fixture.storage.grant_of_user(fixture.alice, of_alice).await.unwrap();
    }

    async fn an_administrator_who_gets_another_role_loses_the_grants_for_servers_of_other_users(fixture) {
        let (closed, open) = (fixture.oauth_server("owner").await, fixture.oauth_server("users").await);
        let ada = fixture.person("ada", Role::Admin).await;
        fixture.person("second administrator", Role::Admin).await;
        let (lost, kept) = (fixture.grant_by(closed.id, ada).await, fixture.grant_by(open.id, ada).await);
        fixture.storage.update_user(&fixture.next_actor(), ada, UserPatch { role: Some(Role::Member), ..UserPatch::default() }).await.unwrap();
        assert_eq!(fixture.ended().await, [lost]);
        fixture.storage.grant_of_user(ada, kept).await.unwrap();
    }

    async fn a_removed_member_loses_grants_only_if_members_have_access(fixture) {
        for (access, is_lost) in [("members", true), ("users", false)] {
            let server = fixture.oauth_server(access).await;
            fixture.make_member(server.id, fixture.bob).await;
            let of_bob = fixture.grant_by(server.id, fixture.bob).await;
            let of_alice = fixture.grant_by(server.id, fixture.alice).await;
            fixture.storage.remove_member(&fixture.next_actor(), fixture.as_alice(), server.id, fixture.bob).await.unwrap();
            assert_eq!(fixture.ended().await.contains(&of_bob), is_lost, "{access}");
            assert!(!fixture.ended().await.contains(&of_alice));
        }
    }

    async fn narrower_access_ends_the_grants_of_those_who_lose_it(fixture) {
        let server = fixture.oauth_server("users").await;
        let mia = fixture.person("mia", Role::Member).await;
        fixture.make_member(server.id, mia).await;
        let (of_alice, of_mia, of_bob) = (
            fixture.grant_by(server.id, fixture.alice).await,
            fixture.grant_by(server.id, mia).await,
            fixture.grant_by(server.id, fixture.bob).await,
        );
        fixture.change_server(server.id, oauth("members")).await;
        assert_eq!(fixture.ended().await, [of_bob]);
        fixture.change_server(server.id, oauth("owner")).await;
        assert_eq!(fixture.ended().await, [of_mia, of_bob]);
        fixture.change_server(server.id, ServerPatch { name: Some("Other".to_owned()), ..ServerPatch::default() }).await;
        fixture.storage.toggle_server(&fixture.next_actor(), fixture.as_alice(), server.id).await.unwrap();
        fixture.storage.grant_of_user(fixture.alice, of_alice).await.unwrap();
    }

    async fn another_issuer_or_auth_type_ends_all_grants(fixture) {
        let external = ServerPatch { settings: settings(r#"{"oauth":{"issuer":"https://id.example"}}"#), ..ServerPatch::default() };
        let keys = ServerPatch { auth_type: Some(EndpointAuth::ApiKey), ..ServerPatch::default() };
        for patch in [external, keys] {
            let server = fixture.oauth_server("users").await;
            let id = fixture.grant_by(server.id, fixture.alice).await;
            fixture.change_server(server.id, patch).await;
            assert!(fixture.ended().await.contains(&id));
        }
    }

    async fn a_hand_over_ends_the_grants_of_the_previous_owner(fixture) {
        let server = fixture.oauth_server("owner").await;
        let id = fixture.grant_by(server.id, fixture.alice).await;
        fixture.change_server(server.id, ServerPatch { user_id: Some(fixture.bob), ..ServerPatch::default() }).await;
        assert_eq!(fixture.ended().await, [id]);
    }

    async fn a_deleted_server_ends_its_grants_and_a_copy_has_none(fixture) {
        let server = fixture.oauth_server("users").await;
        let id = fixture.grant_by(server.id, fixture.bob).await;
        let copy = fixture.storage.duplicate_server(&fixture.next_actor(), fixture.as_alice(), server.id, public_id()).await.unwrap();
        assert_eq!(fixture.storage.grants_of_server(Visibility::All, copy.id, None).await.unwrap().total, 0);
        let actor = fixture.next_actor();
        fixture.storage.delete_server(&actor, fixture.as_alice(), server.id).await.unwrap();
        assert_eq!(fixture.storage.ended_grants(actor.at, 10).await.unwrap(), [EndedGrant { id, ended_at: actor.at }]);
    }

    async fn a_deleted_key_ends_the_grants_that_were_given_with_it(fixture) {
        let server = fixture.oauth_server("users").await;
        let (client, key) = (fixture.oauth_client().await.id, fixture.key_of(fixture.bob).await);
        let grant = new_grant(server.id, fixture.bob, client, fixture.current_actor().at);
        let (id, _) = fixture.grant_with_token(NewGrant { key_id: Some(key), ..grant }).await;
        let other = fixture.grant_by(server.id, fixture.bob).await;
        assert_fails!(fixture.storage.delete_api_key(&fixture.next_actor(), fixture.as_alice(), key).await, NotFound(ObjectKind::ApiKey));
        assert_eq!(fixture.ended().await, []);
        fixture.storage.delete_api_key(&fixture.next_actor(), fixture.as_bob(), key).await.unwrap();
        assert_eq!(fixture.ended().await, [id]);
        fixture.storage.grant_of_user(fixture.bob, other).await.unwrap();
    }

    async fn another_bootstrap_key_ends_the_grants_of_the_previous_one(fixture) {
        let server = fixture.oauth_server("users").await;
        let ada = fixture.person("ada", Role::Admin).await;
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), digest()).await.unwrap();
        let key = fixture.storage.list_api_keys(Visibility::User(ada), None).await.unwrap().items[0].id;
        let grant = new_grant(server.id, ada, fixture.oauth_client().await.id, fixture.current_actor().at);
        let (id, _) = fixture.grant_with_token(NewGrant { key_id: Some(key), ..grant }).await;
        fixture.storage.set_bootstrap_key(&fixture.next_actor(), digest()).await.unwrap();
        assert_eq!(fixture.ended().await, [id]);
    }

    async fn access_that_was_lost_unnoticed_ends_the_grant_at_its_next_use(fixture) {
        let server = fixture.oauth_server("users").await;
        let (client, now) = (fixture.oauth_client().await.id, fixture.next_actor().at);
        let (id, token) = fixture.grant_with_token(new_grant(server.id, fixture.bob, client, now)).await;
        fixture.raw.execute(&format!("UPDATE servers SET settings = NULL WHERE id = {}", server.id)).await;
        assert!(!fixture.storage.rotate_refresh_token(&token, super::new_token(now), now, now).await.unwrap());
        assert_eq!(fixture.ended().await, [id]);
        assert_eq!(fixture.audit_of(ObjectKind::Grant).await[0].0, Action::Delete);
    }

    async fn a_node_of_an_older_version_that_deletes_a_server_ends_its_grants(fixture) {
        let server = fixture.oauth_server("users").await;
        let id = fixture.grant_by(server.id, fixture.bob).await;
        fixture.raw.execute(&format!("DELETE FROM servers WHERE id = {}", server.id)).await;
        assert_eq!(fixture.ended().await, [id]);
    }

    async fn without_a_restore_tokens_of_any_age_are_accepted(fixture) {
        assert_eq!(fixture.storage.tokens_valid_since().await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_restored_backup_has_no_grants_and_refuses_tokens_from_before_the_restore() {
    let fixture = StorageFixture::sqlite().await;
    let server = fixture.oauth_server("users").await;
    fixture.grant_by(server.id, fixture.alice).await;
    let folder = fixture.folder().unwrap();
    fixture.storage.back_up(&folder.join("backup")).await.unwrap();
    let restored_at = fixture.next_actor().at;
    let backup = Backup::open(&folder.join("backup"), Arc::<TestKeys>::clone(&fixture.keys)).await.unwrap();
    let staged = backup.stage(&folder.join("restored"), restored_at).await.unwrap();
    staged.install(&folder.join("previous")).unwrap();
    let url = format!("sqlite://{}", folder.join("restored").display());
    let storage = SqlStorage::open(&url, Arc::<TestKeys>::clone(&fixture.keys), restored_at).await.unwrap();
    assert_eq!(storage.tokens_valid_since().await.unwrap(), Some(restored_at));
    assert_eq!(storage.grants_of_user(fixture.alice, None).await.unwrap().total, 0);
    assert_eq!(storage.server(Visibility::All, server.id).await.unwrap().spec.name, "Signed");
}

#[tokio::test]
async fn a_database_of_an_older_version_refuses_tokens_from_before_its_migration() {
    let old = OldDatabase::sqlite(14).await;
    let storage = old.open().await.unwrap();
    let since = storage.tokens_valid_since().await.unwrap();
    assert!(since.is_some_and(|since| since.as_millis() > 1_790_000_000_000), "{since:?}");
}
