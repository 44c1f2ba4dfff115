//! The provider's response: checks that it belongs to a sign-in of this browser, and determines who the person is.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use http::request::Parts;
use toolgate_auth::hash_secret;
use toolgate_auth::jwt::Claims;
use toolgate_domain::audit::{Actor, ObjectKind};
use toolgate_domain::ids::UserId;
use toolgate_domain::oauth::identity::{Identity, OpenIdAttempt};
use toolgate_domain::user::User;
use toolgate_execution::issuers::IssuerMetadata;
use toolgate_execution::openid::{CodeExchange, ProviderTokens};
use toolgate_storage::StorageError;

use super::super::opening::{Identified, open_session};
use super::super::{next_path, reply};
use super::CALLBACK_PATH;
use super::attempt_cookie;
use super::attempt_secrets::AttemptSecrets;
use super::person::PersonClaims;
use super::refusal::OpenIdRefusal;
use crate::context::IssuerContext;
use crate::form::FormFields;
use crate::issuer_url::IssuerUrl;
use crate::openid_provider::OpenIdProvider;
use crate::page_reply::see_other;
use crate::signed_in::SignedIn;

/// How often the creation of a user is tried, because another request may take its name.
const CREATIONS_MAX: usize = 3;

/// `GET /signin/oidc/callback`.
pub(in super::super) async fn finish(State(context): State<Arc<IssuerContext>>, parts: Parts) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else { return reply::no_issuer() };
    let Some(provider) = &context.openid_provider else { return OpenIdRefusal::NotConfigured.into_page(issuer, "") };
    let response = respond(&context, provider, issuer, &parts).await;
    response.unwrap_or_else(|refusal| refusal.into_page(issuer, &provider.config.name))
}

/// One callback of a browser.
struct Callback<'a> {
    context: &'a IssuerContext,
    provider: &'a OpenIdProvider,
    issuer: IssuerUrl<'a>,
    parts: &'a Parts,
    metadata: Arc<IssuerMetadata>,
}

/// The identity that an ID token names, with its claims about the person.
struct Named {
    identity: Identity,
    person: PersonClaims,
    tokens: ProviderTokens,
}

async fn respond(
    context: &IssuerContext,
    provider: &OpenIdProvider,
    issuer: IssuerUrl<'_>,
    parts: &Parts,
) -> Result<Response, OpenIdRefusal> {
    let fields = FormFields::parse(parts.uri.query().unwrap_or_default().as_bytes());
    if fields.repeated_name().is_some() {
        return Err(OpenIdRefusal::BadResponse("a parameter is given twice"));
    }
    let cookie = attempt_cookie::read(&parts.headers, issuer).ok_or(OpenIdRefusal::NotStartedHere)?;
    let state = fields.get_filled("state").ok_or(OpenIdRefusal::NotStartedHere)?;
    // Pages of other sites can send requests without the cookie, and must not use up the attempts of this address.
    let guess = context.sign_in_limits.begin(context.client_address(parts), None, Instant::now());
    let guess = guess.map_err(OpenIdRefusal::TooMany)?;
    let taken = context.storage.take_openid_attempt(&hash_secret(state), &hash_secret(cookie), context.now()).await?;
    let attempt = taken.ok_or(OpenIdRefusal::NotStartedHere)?;
    // A request with the state and the cookie of a sign-in is not a guess, even if the provider fails.
    guess.succeed();
    let metadata = provider.metadata().await.map_err(|error| {
        tracing::warn!(%error, "cannot read the metadata of the OpenID provider");
        OpenIdRefusal::Unavailable
    })?;
    let callback = Callback { context, provider, issuer, parts, metadata };
    let code = callback.code(&fields)?;
    let secrets = AttemptSecrets::derive(cookie, state).ok_or(OpenIdRefusal::NotStartedHere)?;
    let named = callback.exchange(code, &secrets).await?;
    match attempt.user_id {
        Some(user_id) => callback.link(user_id, &named).await,
        None => callback.sign_in(&attempt, &named).await,
    }
}

impl Callback<'_> {
    /// The code in the response of this provider (RFC 9207), unless it reports an error.
    fn code<'f>(&self, fields: &'f FormFields) -> Result<&'f str, OpenIdRefusal> {
        match fields.get("iss") {
            Some(named) if named != self.provider.config.issuer => {
                return Err(OpenIdRefusal::BadResponse("it names another issuer (iss)"));
            }
            None if self.metadata.names_issuer_in_responses => {
                return Err(OpenIdRefusal::BadResponse("it does not name the issuer (iss)"));
            }
            _ => {}
        }
        if let Some(error) = fields.get_filled("error") {
            return Err(OpenIdRefusal::from_provider(fields.get_filled("error_description").unwrap_or(error)));
        }
        fields.get_filled("code").ok_or(OpenIdRefusal::BadResponse("it has no code"))
    }

    /// Exchanges the code, and checks the ID token.
    async fn exchange(&self, code: &str, secrets: &AttemptSecrets) -> Result<Named, OpenIdRefusal> {
        let config = &self.provider.config;
        let Some(token_endpoint) = &self.metadata.token_endpoint else {
            tracing::warn!("the metadata of the OpenID provider has no token_endpoint");
            return Err(OpenIdRefusal::Unavailable);
        };
        let exchange = CodeExchange {
            token_endpoint,
            auth_methods: &self.metadata.token_endpoint_auth_methods_supported,
            client_id: &config.client_id,
            client_secret: &config.client_secret,
            code,
            redirect_uri: &format!("{}{CALLBACK_PATH}", self.issuer.as_str()),
            verifier: &secrets.verifier,
        };
        let tokens = self.provider.client.exchange(&exchange).await.map_err(|error| {
            tracing::warn!(%error, "the OpenID provider exchanged no code");
            OpenIdRefusal::Unavailable
        })?;
        let claims: Claims = self.provider.verify(&tokens.id_token, &secrets.nonce, self.context.now()).await?;
        let subject = claims.subject().unwrap_or_default().to_owned();
        let identity = Identity { issuer: config.issuer.clone(), subject };
        Ok(Named { identity, person: PersonClaims::from_token(&claims), tokens })
    }

    /// Signs the person in. An allowed person who is new gets a user.
    async fn sign_in(&self, attempt: &OpenIdAttempt, named: &Named) -> Result<Response, OpenIdRefusal> {
        let user = match self.context.storage.identity_user(&named.identity).await? {
            Some(user) => user,
            None => self.create_user(named).await?,
        };
        if user.is_disabled {
            self.context.storage.record_failed_sign_in(&Actor::service(self.context.now()), user.id).await?;
            return Err(OpenIdRefusal::Disabled);
        }
        let identified =
            Identified { user, key_id: None, key_expires_at: None, identity: Some(named.identity.clone()) };
        // Stored by this service, and checked again because it decides where the browser goes.
        let next = next_path::parse(attempt.next.as_deref());
        Ok(open_session(self.context, self.issuer, self.parts, &identified, next).await?)
    }

    async fn create_user(&self, named: &Named) -> Result<User, OpenIdRefusal> {
        let person = self.with_email(named).await;
        let allow = &self.provider.config.allow;
        if !allow.allow(&person.as_provider_person(&named.identity)) {
            tracing::info!("a person who is not in TOOLGATE_OIDC_ALLOW was refused");
            return Err(OpenIdRefusal::NotAllowed);
        }
        let (storage, actor) = (&self.context.storage, Actor::service(self.context.now()));
        let name = person.user_name();
        for _ in 0..CREATIONS_MAX {
            match storage.create_identity_user(&actor, &name, &named.identity).await {
                Ok(user) => return Ok(user),
                // Another request was faster: it created this user, or one with the same name.
                Err(StorageError::Exists { .. }) => {
                    if let Some(user) = storage.identity_user(&named.identity).await? {
                        return Ok(user);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(OpenIdRefusal::Unavailable)
    }

    /// The claims about a person, with those of the userinfo endpoint if the ID token has no address and addresses
    /// decide.
    async fn with_email(&self, named: &Named) -> PersonClaims {
        let token_claims = named.person.clone();
        let (endpoint, token) = (&self.metadata.userinfo_endpoint, &named.tokens.access_token);
        let (Some(endpoint), Some(token)) = (endpoint, token) else { return token_claims };
        if token_claims.has_email() || !self.provider.config.allow.has_domains() {
            return token_claims;
        }
        match self.provider.client.user_claims(endpoint, token).await {
            Ok(members) => PersonClaims::from_user_claims(&members, &named.identity.subject).unwrap_or(token_claims),
            Err(error) => {
                tracing::warn!(%error, "cannot read the claims of a person from the OpenID provider");
                token_claims
            }
        }
    }

    /// Links the account with the person who is signed in.
    async fn link(&self, user_id: UserId, named: &Named) -> Result<Response, OpenIdRefusal> {
        let (context, now) = (self.context, self.context.now());
        let signed_in = SignedIn::find(&*context.storage, &self.parts.headers, self.issuer, now).await?;
        let signed_in = signed_in.filter(|signed_in| signed_in.session.user.id == user_id);
        let signed_in = signed_in.ok_or(OpenIdRefusal::OtherSession)?;
        if !signed_in.may_change_own_accounts() {
            return Err(OpenIdRefusal::LimitedKey);
        }
        let (actor, session) = (signed_in.actor(now), &signed_in.hash);
        match context.storage.link_identity(&actor, user_id, session, &named.identity).await {
            Ok(()) => {}
            // The session ended after it was read, for example because an account was removed.
            Err(StorageError::NotFound(ObjectKind::Session)) => return Err(OpenIdRefusal::Gone),
            Err(StorageError::Exists { .. }) => {
                let owner = context.storage.identity_user(&named.identity).await?;
                if owner.is_none_or(|owner| owner.id != user_id) {
                    return Err(OpenIdRefusal::OtherUser);
                }
            }
            Err(StorageError::NotFound(_) | StorageError::Rejected(_)) => return Err(OpenIdRefusal::Disabled),
            Err(error) => return Err(error.into()),
        }
        Ok(see_other(&format!("{}/signin", self.issuer.as_str())))
    }
}
