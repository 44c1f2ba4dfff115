//! Writes that concern sign-in: they lock users, servers, keys and clients of other writes.

use toolgate_domain::oauth::client::{ClientKind, ClientStatus};
use toolgate_domain::oauth::grant::{NewGrant, NewRefreshToken};
use toolgate_domain::oauth::identity::Identity;
use toolgate_domain::oauth::sign_in::{NewBrowserSession, NewSignInLink, SignInLinkPurpose};
use toolgate_domain::time::DAY_MS;
use toolgate_storage::{GrantStore as _, IdentityStore as _, OAuthClientStore as _, Result, SignInStore as _};

use super::operations::{Workload, WriteOperation};
use crate::grants::{hash, new_client, new_grant};
use crate::seeded_rng::SeededRng;

impl Workload {
    pub(super) async fn change_sign_in(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { kind, storage, actor } = operation;
        let (client, user, now) = (self.clients.pick(rng), self.users.pick(rng), actor.at);
        let (grant, token) = self.grants.pick(rng);
        match kind {
            "give grant" => self.give_grant(operation, rng).await,
            "refresh grant" => {
                let successor = NewRefreshToken { hash: hash(), expires_at: now.plus_millis(DAY_MS) };
                let since = now.plus_millis(-1);
                storage.rotate_refresh_token(&token, successor.clone(), since, now).await?;
                self.grants.put(rng, (grant, successor.hash));
                Ok(())
            }
            "use grant" => {
                let used_grants: Vec<_> = (0..4).map(|_| (self.grants.pick(rng).0, now)).collect();
                storage.record_grant_uses(&used_grants).await
            }
            "end grant" => {
                self.grants.remove_if_missing((grant, token), storage.end_grant(actor, grant).await).map(drop)
            }
            // Half of the grants and sessions have expired by then.
            "expire grant" => storage.delete_expired_grants(now.plus_millis(DAY_MS / 2), now).await,
            "block client" => {
                let status = *rng.pick(&[ClientStatus::Allowed, ClientStatus::Blocked]);
                self.clients.remove_if_missing(client, storage.set_client_status(actor, client, status).await).map(drop)
            }
            "delete client" => {
                self.clients.remove_if_missing(client, storage.delete_client(actor, client).await).map(drop)
            }
            "create session" => {
                let key_id = Some(self.api_keys.pick(rng)).filter(|key| key.0 > 0);
                let expires_at = now.plus_millis(DAY_MS * i64::try_from(rng.below(2)).unwrap());
                storage
                    .create_browser_session(
                        actor,
                        NewBrowserSession { hash: hash(), user_id: user, key_id, identity: None, expires_at },
                    )
                    .await?;
                let purpose = SignInLinkPurpose::SignIn;
                let link = NewSignInLink { hash: hash(), user_id: user, purpose, key_id, expires_at };
                storage.create_sign_in_link(actor, link).await
            }
            "link account" => {
                let (session, expires_at) = (hash(), now.plus_millis(DAY_MS));
                let new = NewBrowserSession { hash: session, user_id: user, key_id: None, identity: None, expires_at };
                storage.create_browser_session(actor, new).await?;
                let (issuer, subject) = ("https://a.example".to_owned(), self.unique_name());
                storage.link_identity(actor, user, &session, &Identity { issuer, subject }).await
            }
            "remove account" => {
                let accounts = storage.identities_of_user(user, None).await?.items;
                let Some(account) = accounts.first() else { return Ok(()) };
                storage.delete_identity(actor, user, account.id, None).await.map(drop)
            }
            "update password" => storage.set_password(actor, user, "$argon2id$").await,
            _ => storage.delete_expired_sign_ins(now.plus_millis(DAY_MS / 2)).await,
        }
    }

    async fn give_grant(&self, operation: WriteOperation<'_>, rng: &mut SeededRng) -> Result<()> {
        let WriteOperation { storage, actor, .. } = operation;
        let mut client = self.clients.pick(rng);
        if rng.below(3) == 0 {
            let new = new_client(&format!("tgx_{}", self.unique_name()), ClientKind::Registered);
            client = storage.create_client(actor, new).await?.id;
            self.clients.put(rng, client);
        }
        let key_id = Some(self.api_keys.pick(rng)).filter(|key| key.0 > 0 && rng.below(2) == 0);
        let grant = new_grant(self.servers.pick(rng), self.users.pick(rng), client, actor.at);
        let code = grant.code.hash;
        let id = storage.create_grant(actor, NewGrant { key_id, ..grant }).await?;
        let token = NewRefreshToken {
            hash: hash(),
            expires_at: actor.at.plus_millis(DAY_MS * i64::try_from(rng.below(2)).unwrap()),
        };
        storage.take_code(&code, token.clone(), actor.at).await?;
        self.grants.put(rng, (id, token.hash));
        Ok(())
    }
}
