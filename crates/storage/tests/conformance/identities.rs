//! Accounts at an OpenID provider, and sign-ins there that are not finished.

use toolgate_domain::audit::{Action, ObjectKind};
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::identity::{Identity, NewOpenIdAttempt, OpenIdAttempt};
use toolgate_domain::user::Role;
use toolgate_storage::StorageError::{Exists, NotFound};
use toolgate_storage::{IdentityStore as _, SignInStore as _, UserStore as _};

use crate::grants::hash;

fn identity(issuer: &str, subject: &str) -> Identity {
    Identity { issuer: issuer.to_owned(), subject: subject.to_owned() }
}

on_both_databases! { for crate::fixture::StorageFixture;
    async fn a_started_sign_in_is_used_once_by_its_browser_before_it_expires(fixture) {
        let (storage, now) = (&fixture.storage, fixture.actor_now().at);
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

    async fn an_account_belongs_to_one_user_and_is_deleted_with_it(fixture) {
        let (storage, actor) = (&fixture.storage, fixture.actor_now());
        let (account, other) = (identity("https://a.example", "1"), identity("https://a.example/", "1"));
        assert!(storage.identity_user(&account).await.unwrap().is_none());
        storage.link_identity(&actor, fixture.bob, &account).await.unwrap();
        let user = storage.identity_user(&account).await.unwrap().unwrap();
        assert_eq!(user.id, fixture.bob);
        assert!(storage.identity_user(&other).await.unwrap().is_none(), "the issuer is compared as it is written");
        let again = storage.link_identity(&actor, fixture.alice, &account).await;
        assert!(matches!(again, Err(Exists { .. })), "{again:?}");
        let unknown = storage.link_identity(&actor, UserId(999_999), &other).await;
        assert!(matches!(unknown, Err(NotFound(ObjectKind::User))), "{unknown:?}");
        let with = storage.users_with_identity(&[fixture.alice, fixture.bob]).await.unwrap();
        assert_eq!(with.into_iter().collect::<Vec<_>>(), [fixture.bob]);
        assert!(storage.users_with_identity(&[]).await.unwrap().is_empty());
        let update = (Action::Update, fixture.bob.0, "identity".to_owned());
        assert!(fixture.audit_of(ObjectKind::User).await.contains(&update));
    }

    async fn a_new_person_becomes_a_member_with_a_name_of_its_own(fixture) {
        let (storage, actor) = (&fixture.storage, fixture.actor_now());
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
