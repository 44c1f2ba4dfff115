//! Accounts at an OpenID provider, and sign-ins there that are not finished.

use toolgate_domain::api_key::NewApiKey;
use toolgate_domain::audit::{Action, Actor, ObjectKind};
use toolgate_domain::ids::{IdentityId, UserId};
use toolgate_domain::oauth::identity::{Identity, NewOpenIdAttempt, OpenIdAttempt};
use toolgate_domain::oauth::sign_in::NewBrowserSession;
use toolgate_domain::page::Page;
use toolgate_domain::user::Role;
use toolgate_storage::StorageError::{Exists, InUse, NotFound};
use toolgate_storage::{ApiKeyStore as _, IdentityStore as _, Result, SignInStore as _, UserStore as _};

use crate::api_keys::new_key;
use crate::builders::digest;
use crate::fixture::StorageFixture;
use crate::grants::hash;
use crate::raw::RawDatabase;

/// The issuer of the OpenID provider that is configured.
const PROVIDER: Option<&str> = Some("https://a.example");

fn identity(issuer: &str, subject: &str) -> Identity {
    Identity { issuer: issuer.to_owned(), subject: subject.to_owned() }
}

impl StorageFixture {
    /// A user who is signed in links an account.
    async fn link_account(&self, actor: &Actor, user_id: UserId, account: &Identity) -> Result<()> {
        let session = self.session(user_id, None, 1000).await;
        self.storage.link_identity(actor, user_id, &session, account).await
    }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_started_sign_in_is_used_once_by_its_browser_before_it_expires(fixture) {
        let (storage, now) = (&fixture.storage, fixture.current_actor().at);
        let attempt = OpenIdAttempt { next: Some("/authorize?a=1".to_owned()), user_id: Some(fixture.bob) };
        let (state, browser, expires_at) = (hash(), hash(), now.plus_millis(1000));
        let new = NewOpenIdAttempt { state, browser, attempt: attempt.clone(), expires_at };
        storage.create_openid_attempt(new).await.unwrap();
        assert_eq!(storage.take_openid_attempt(&state, &hash(), now).await.unwrap(), None);
        assert_eq!(storage.take_openid_attempt(&state, &browser, expires_at).await.unwrap(), None);
        assert_eq!(storage.take_openid_attempt(&state, &browser, now).await.unwrap(), Some(attempt.clone()));
        assert_eq!(storage.take_openid_attempt(&state, &browser, now).await.unwrap(), None);
        let new = NewOpenIdAttempt { state: hash(), browser, attempt, expires_at };
        storage.create_openid_attempt(new).await.unwrap();
        storage.delete_expired_sign_ins(now.plus_millis(2000)).await.unwrap();
        assert_eq!(fixture.raw.int("SELECT COUNT(*) FROM openid_attempts").await, 0);
    }

    async fn an_account_belongs_to_one_user(fixture) {
        let (storage, actor) = (&fixture.storage, fixture.current_actor());
        let (account, other) = (identity("https://a.example", "1"), identity("https://a.example/", "1"));
        assert!(storage.identity_user(&account).await.unwrap().is_none());
        fixture.link_account(&actor, fixture.bob, &account).await.unwrap();
        let user = storage.identity_user(&account).await.unwrap().unwrap();
        assert_eq!(user.id, fixture.bob);
        assert!(storage.identity_user(&other).await.unwrap().is_none(), "the issuer is compared as it is written");
        let again = fixture.link_account(&actor, fixture.alice, &account).await;
        assert!(matches!(again, Err(Exists { .. })), "{again:?}");
        let unknown = storage.link_identity(&actor, UserId(999_999), &hash(), &other).await;
        assert!(matches!(unknown, Err(NotFound(ObjectKind::User))), "{unknown:?}");
        let with = storage.users_with_identity(&[fixture.alice, fixture.bob]).await.unwrap();
        assert_eq!(with.into_iter().collect::<Vec<_>>(), [fixture.bob]);
        assert!(storage.users_with_identity(&[]).await.unwrap().is_empty());
        let id = storage.identities_of_user(fixture.bob, None).await.unwrap().items[0].id;
        let linked = (Action::Create, fixture.bob.0, format!("identity_id={id}"));
        assert_eq!(fixture.audit_of(ObjectKind::Identity).await, [linked]);
    }

    async fn the_accounts_of_a_user_are_listed_and_removed_one_by_one(fixture) {
        let (storage, actor) = (&fixture.storage, fixture.current_actor());
        let (first, second) = (identity("https://a.example", "1"), identity("https://b.example", "1"));
        for account in [&first, &second] {
            fixture.link_account(&actor, fixture.bob, account).await.unwrap();
        }
        let listing = storage.identities_of_user(fixture.bob, None).await.unwrap();
        let accounts: Vec<_> = listing.items.iter().map(|linked| (&linked.identity, linked.created_at)).collect();
        assert_eq!((listing.total, accounts), (2, vec![(&first, actor.at), (&second, actor.at)]));
        let page = storage.identities_of_user(fixture.bob, Some(Page { number: 2, size: 1 })).await.unwrap();
        assert_eq!((page.total, page.items.as_slice()), (2, &listing.items[1..]));
        assert_eq!(storage.identities_of_user(fixture.alice, None).await.unwrap().total, 0);

        let id = listing.items[0].id;
        assert_eq!(storage.delete_identity(&actor, fixture.alice, id, PROVIDER).await.unwrap(), None, "it belongs to bob");
        assert_eq!(storage.delete_identity(&actor, fixture.bob, IdentityId(999_999), PROVIDER).await.unwrap(), None);
        let unknown = storage.delete_identity(&actor, UserId(999_999), id, PROVIDER).await;
        assert!(matches!(unknown, Err(NotFound(ObjectKind::User))), "{unknown:?}");
        assert_eq!(fixture.audit_of(ObjectKind::Identity).await.len(), 2, "only links are recorded so far");
        assert_eq!(storage.delete_identity(&actor, fixture.bob, id, PROVIDER).await.unwrap().as_ref(), listing.items.first());
        let removed = (Action::Delete, fixture.bob.0, format!("identity_id={id}"));
        assert!(fixture.audit_of(ObjectKind::Identity).await.contains(&removed));
        assert!(storage.identity_user(&first).await.unwrap().is_none());
        assert_eq!(storage.identity_user(&second).await.unwrap().unwrap().id, fixture.bob);
        assert_eq!(storage.delete_identity(&actor, fixture.bob, id, PROVIDER).await.unwrap(), None);
    }

    async fn people_do_not_remove_their_only_way_to_sign_in(fixture) {
        let (storage, service) = (&fixture.storage, fixture.current_actor());
        let account = identity("https://a.example", "1");
        let user = storage.create_identity_user(&service, "carol", &account).await.unwrap();
        let by_carol = Actor { user_id: Some(user.id), ..service.clone() };
        let id = storage.identities_of_user(user.id, None).await.unwrap().items[0].id;
        let session = fixture.session(user.id, None, 1000).await;
        let refused = storage.delete_identity(&by_carol, user.id, id, PROVIDER).await;
        assert!(matches!(&refused, Err(InUse(reason)) if reason.contains("sign-in link")), "{refused:?}");
        assert!(fixture.is_signed_in(&session).await, "nothing has changed");
        assert_eq!(storage.identity_user(&account).await.unwrap().unwrap().id, user.id);

        // An account at a provider that is not configured any more is not enough.
        let former = identity("https://b.example", "1");
        fixture.link_account(&by_carol, user.id, &former).await.unwrap();
        assert!(matches!(storage.delete_identity(&by_carol, user.id, id, PROVIDER).await, Err(InUse(_))));
        // Another account, a password, or a valid API key is enough; other people remove the last account, too.
        let second = identity("https://a.example", "2");
        fixture.link_account(&by_carol, user.id, &second).await.unwrap();
        storage.delete_identity(&by_carol, user.id, id, PROVIDER).await.unwrap().unwrap();
        let accounts = storage.identities_of_user(user.id, None).await.unwrap().items;
        let id = accounts.iter().find(|linked| linked.identity == second).unwrap().id;
        assert!(matches!(storage.delete_identity(&by_carol, user.id, id, PROVIDER).await, Err(InUse(_))));
        storage.set_password(&by_carol, user.id, "$argon2id$").await.unwrap();
        storage.delete_identity(&by_carol, user.id, id, PROVIDER).await.unwrap().unwrap();

        let other = storage.create_identity_user(&service, "dora", &account).await.unwrap();
        let by_dora = Actor { user_id: Some(other.id), ..service.clone() };
        let id = storage.identities_of_user(other.id, None).await.unwrap().items[0].id;
        assert!(matches!(storage.delete_identity(&by_dora, other.id, id, PROVIDER).await, Err(InUse(_))));
        storage.delete_identity(&by_carol, other.id, id, PROVIDER).await.unwrap().unwrap();
        let by_bob = Actor { user_id: Some(fixture.bob), ..service };
        fixture.link_account(&by_bob, fixture.bob, &account).await.unwrap();
        let id = storage.identities_of_user(fixture.bob, None).await.unwrap().items[0].id;
        for expires_at in [Some(by_bob.at), None] {
            assert!(matches!(storage.delete_identity(&by_bob, fixture.bob, id, PROVIDER).await, Err(InUse(_))));
            let key = NewApiKey { expires_at, ..new_key(fixture.bob, "k", digest()) };
            storage.create_api_key(&by_bob, key).await.unwrap();
        }
        storage.delete_identity(&by_bob, fixture.bob, id, PROVIDER).await.unwrap().unwrap();
    }

    async fn removing_an_account_ends_the_sessions_that_it_may_have_opened(fixture) {
        let (storage, actor, account) = (&fixture.storage, fixture.current_actor(), identity("https://a.example", "1"));
        fixture.link_account(&actor, fixture.bob, &account).await.unwrap();
        let key = fixture.key_until(fixture.bob, None).await;
        let without_key = fixture.session(fixture.bob, None, 1000).await;
        let with_key = fixture.session(fixture.bob, Some(key), 1000).await;
        let of_alice = fixture.session(fixture.alice, None, 1000).await;
        let (identity, expires_at) = (Some(account), actor.at.plus_millis(1000));
        let with_account =
            NewBrowserSession { hash: hash(), user_id: fixture.bob, key_id: None, identity, expires_at };
        storage.create_browser_session(&actor, with_account.clone()).await.unwrap();
        assert!(fixture.is_signed_in(&with_account.hash).await);

        let id = storage.identities_of_user(fixture.bob, None).await.unwrap().items[0].id;
        storage.delete_identity(&actor, fixture.bob, id, PROVIDER).await.unwrap().unwrap();
        assert!(!fixture.is_signed_in(&without_key).await && !fixture.is_signed_in(&with_account.hash).await);
        assert!(fixture.is_signed_in(&with_key).await && fixture.is_signed_in(&of_alice).await);
        // A sign-in that found the account before it was removed opens no session afterwards.
        let late = storage.create_browser_session(&actor, NewBrowserSession { hash: hash(), ..with_account }).await;
        assert!(matches!(late, Err(NotFound(ObjectKind::User))), "{late:?}");
    }

    async fn only_a_session_that_has_not_ended_links_an_account(fixture) {
        let (storage, actor) = (&fixture.storage, fixture.current_actor());
        let (account, other) = (identity("https://a.example", "1"), identity("https://a.example", "2"));
        fixture.link_account(&actor, fixture.bob, &account).await.unwrap();
        let session = fixture.session(fixture.bob, None, 1000).await;
        let of_alice = fixture.session(fixture.alice, None, 1000).await;
        let expired = fixture.session(fixture.bob, None, 0).await;
        let id = storage.identities_of_user(fixture.bob, None).await.unwrap().items[0].id;
        storage.delete_identity(&actor, fixture.bob, id, PROVIDER).await.unwrap().unwrap();
        for (session, reason) in [(session, "ended with the account"), (of_alice, "of another user"), (expired, "expired")] {
            let refused = storage.link_identity(&actor, fixture.bob, &session, &other).await;
            assert!(matches!(refused, Err(NotFound(ObjectKind::Session))), "{reason}: {refused:?}");
        }
        assert_eq!(storage.identities_of_user(fixture.bob, None).await.unwrap().total, 0);
    }

    async fn a_new_person_becomes_a_member_with_a_unique_name_and_is_deleted_with_the_account(fixture) {
        let (storage, actor) = (&fixture.storage, fixture.current_actor());
        let mut names = Vec::new();
        for subject in ["1", "2", "3"] {
            let account = identity("https://a.example", subject);
            let user = storage.create_identity_user(&actor, "bob", &account).await.unwrap();
            assert_eq!((user.role, storage.identity_user(&account).await.unwrap().unwrap().id), (Role::Member, user.id));
            names.push(user.name);
        }
        assert_eq!(names, ["bob 2", "bob 3", "bob 4"]);
        let account = identity("https://a.example", "1");
        let again = storage.create_identity_user(&actor, "bob", &account).await;
        assert!(matches!(again, Err(Exists { .. })), "{again:?}");
        let long = storage.create_identity_user(&actor, &"x".repeat(200), &identity("i", "l")).await.unwrap();
        let longer = storage.create_identity_user(&actor, &"x".repeat(200), &identity("i", "m")).await.unwrap();
        assert_eq!((long.name.len(), longer.name.len()), (200, 200));
        let user = storage.identity_user(&account).await.unwrap().unwrap();
        storage.delete_user(&actor, user.id).await.unwrap();
        assert!(storage.identity_user(&account).await.unwrap().is_none());
    }
}

/// The removal may commit between the request's own check of the session and the link.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_a_link_that_waited_for_a_removal_is_refused() {
    let Some(fixture) = StorageFixture::postgres().await else { return };
    let RawDatabase::Postgres(pool) = &fixture.raw else { return };
    let (actor, session) = (fixture.current_actor(), fixture.session(fixture.bob, None, 1000).await);
    // The statements of a removal that the link must see.
    let mut removal = pool.begin().await.unwrap();
    for sql in ["SELECT id FROM users WHERE name = 'bob' FOR NO KEY UPDATE", "DELETE FROM browser_sessions"] {
        sqlx::query(sql).execute(&mut *removal).await.unwrap();
    }
    let commit_removal = async {
        // PostgreSQL has no notification for a session that starts to wait for a lock, so this polls.
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                       AND application_name = 'toolgate' AND wait_event_type = 'Lock'";
        while fixture.raw.int(waiting).await == 0 {}
        removal.commit().await.unwrap();
    };
    let account = identity("https://a.example", "1");
    let link = fixture.storage.link_identity(&actor, fixture.bob, &session, &account);
    let (linked, ()) = tokio::join!(link, commit_removal);
    assert!(matches!(linked, Err(NotFound(ObjectKind::Session))), "{linked:?}");
    assert!(fixture.storage.identity_user(&account).await.unwrap().is_none());
}
