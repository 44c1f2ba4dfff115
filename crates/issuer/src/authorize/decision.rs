//! The decision of a person: the form of the consent page.

use axum::body::Body;
use axum::response::Response;
use http::request::Parts;
use toolgate_auth::hash_secret;
use toolgate_domain::oauth::client::OAuthClient;
use toolgate_domain::oauth::grant::{NewCode, NewGrant};
use toolgate_domain::oauth::redirect_uri::RedirectUri;
use toolgate_domain::oauth::scopes::{McpScope, McpScopes};
use toolgate_storage::{OAuthServer, StorageError};

use super::refusal::{AuthorizeRefusal, response_url};
use super::request::check_client;
use super::transaction::ConsentTransaction;
use super::{PendingConsent, server_access};
use crate::context::IssuerContext;
use crate::form::{FormFields, is_sent_by_own_page};
use crate::issuer_url::IssuerUrl;
use crate::lifetimes::GRANT_TTL_MS;
use crate::page_reply::see_other;
use crate::page_signer::FormPurpose;
use crate::random_secret::{self, CODE_PREFIX};
use crate::signed_in::SignedIn;

/// Lifetime of an authorization code.
const CODE_TTL_MS: i64 = 60 * 1000;

pub(super) async fn respond(
    context: &IssuerContext,
    issuer: IssuerUrl<'_>,
    parts: &Parts,
    body: Body,
) -> Result<Response, AuthorizeRefusal> {
    let form = SignedForm::read(context, issuer, parts, body).await?;
    let (client, redirect) = form.client(context).await?;
    if form.transaction.is_expired(context.now()) {
        return Err(form.deny(&redirect, "The person took longer than ten minutes to decide."));
    }
    let server = form.server(context, issuer).await?;
    match form.fields.get("decision") {
        Some("allow") => form.allow(context, issuer, &client, &redirect, server).await,
        Some("deny") => {
            let actor = form.signed_in.actor(context.now());
            let server = server.as_ref().map(|server| server.server.id);
            context.storage.record_denied_consent(&actor, client.id, server).await?;
            Err(form.deny(&redirect, "The person denied access."))
        }
        _ => Err(AuthorizeRefusal::bad_request("The form has no decision.")),
    }
}

/// A form that this service gave to this person, in this session.
struct SignedForm {
    signed_in: SignedIn,
    transaction: ConsentTransaction,
    fields: FormFields,
}

impl SignedForm {
    async fn read(
        context: &IssuerContext,
        issuer: IssuerUrl<'_>,
        parts: &Parts,
        body: Body,
    ) -> Result<Self, AuthorizeRefusal> {
        if !is_sent_by_own_page(&parts.headers, issuer) {
            return Err(AuthorizeRefusal::forbidden("It was not sent by a page of this service."));
        }
        let signed_in = SignedIn::find(&*context.storage, &parts.headers, issuer, context.now()).await?;
        let signed_in = signed_in.ok_or_else(|| {
            AuthorizeRefusal::forbidden("You are not signed in any more. Go back to your program and start again.")
        })?;
        let fields = FormFields::read(&parts.headers, body).await;
        let fields = fields.ok_or_else(|| AuthorizeRefusal::bad_request("The form cannot be read."))?;
        let csrf = fields.get("csrf").unwrap_or_default();
        if !context.page_signer.is_valid_csrf(&signed_in.hash, FormPurpose::Consent, csrf) {
            let text = "It belongs to another session. Go back to your program and start again.";
            return Err(AuthorizeRefusal::forbidden(text));
        }
        let tx = fields.get("tx").unwrap_or_default();
        let transaction = ConsentTransaction::open(&context.page_signer, &signed_in.hash, tx);
        let transaction = transaction.ok_or_else(|| {
            AuthorizeRefusal::bad_request("The form was changed. Go back to your program and start again.")
        })?;
        Ok(Self { signed_in, transaction, fields })
    }

    fn deny(&self, redirect: &RedirectUri, description: &'static str) -> AuthorizeRefusal {
        AuthorizeRefusal::to_client(redirect, self.transaction.state.as_deref(), "access_denied", description)
    }

    /// Gives the client a code if the person may use the server. Shows the page again if a choice is missing.
    async fn allow(
        &self,
        context: &IssuerContext,
        issuer: IssuerUrl<'_>,
        client: &OAuthClient,
        redirect: &RedirectUri,
        server: Option<OAuthServer>,
    ) -> Result<Response, AuthorizeRefusal> {
        let Self { transaction, signed_in, .. } = self;
        let is_named = transaction.resource.is_some();
        let scopes = self.scopes();
        let problem = match (&server, scopes) {
            (None, _) if is_named => return Err(self.deny(redirect, "The server is not available any more.")),
            (None, _) => Some("Choose a server."),
            (Some(_), None) => Some("Tick what the program may do, or deny."),
            (Some(_), Some(_)) => None,
        };
        let (Some(server), Some(scopes), None) = (&server, scopes, problem) else {
            let server = server.as_ref().filter(|_| is_named);
            return PendingConsent { client, redirect, server, transaction }
                .page(context, issuer, signed_in, problem)
                .await;
        };
        if !server_access::may_use(context, &signed_in.session.user, server).await? {
            return Err(self.deny(redirect, "The person who is signed in may not use this server."));
        }
        let code = self.grant(context, client, redirect, server, scopes).await?;
        let code = code.ok_or_else(|| self.deny(redirect, "The person may not use this server any more."))?;
        Ok(see_other(&response_url(redirect, issuer, transaction.state.as_deref(), &[("code", &code)])))
    }

    /// The client and its redirect URI, which may have changed since the form was shown.
    async fn client(&self, context: &IssuerContext) -> Result<(OAuthClient, RedirectUri), AuthorizeRefusal> {
        let client = context.storage.client_by_identifier(&self.transaction.client_id).await?;
        let client = client.ok_or_else(|| AuthorizeRefusal::bad_request("The program is not known any more."))?;
        let redirect = check_client(context, &client, Some(&self.transaction.redirect_uri))?;
        Ok((client, redirect))
    }

    /// The server that the client named, or the person chose.
    async fn server(
        &self,
        context: &IssuerContext,
        issuer: IssuerUrl<'_>,
    ) -> Result<Option<OAuthServer>, AuthorizeRefusal> {
        let resource = self.transaction.resource.as_deref().or_else(|| self.fields.get_filled("resource"));
        match resource {
            Some(resource) => Ok(server_access::find(context, issuer, resource).await?),
            None => Ok(None),
        }
    }

    /// The ticked scopes that the client asked for; `None` if there is none.
    fn scopes(&self) -> Option<McpScopes> {
        let ticked = self.fields.all("scope").filter_map(McpScope::parse).collect::<McpScopes>();
        McpScopes::from_bits(ticked.bits() & self.transaction.scopes().bits())
    }

    /// Stores the grant and returns its code; `None` if the person has lost access since.
    async fn grant(
        &self,
        context: &IssuerContext,
        client: &OAuthClient,
        redirect: &RedirectUri,
        server: &OAuthServer,
        scopes: McpScopes,
    ) -> Result<Option<String>, AuthorizeRefusal> {
        let now = context.now();
        // Access does not outlive the key with which the person signed in.
        let key_end = self.signed_in.session.key.as_ref().and_then(|key| key.expires_at);
        let ends_at = now.plus_millis(GRANT_TTL_MS);
        let code = random_secret::generate(CODE_PREFIX).map_err(|error| {
            tracing::error!(%error, "failed to create an authorization code");
            AuthorizeRefusal::no_keys()
        })?;
        let grant = NewGrant {
            server_id: server.server.id,
            user_id: self.signed_in.session.user.id,
            key_id: self.signed_in.session.key_id(),
            client_id: client.id,
            redirect_host: redirect.target().name().to_owned(),
            scopes,
            ends_at: key_end.map_or(ends_at, |key_end| key_end.min(ends_at)),
            code: NewCode {
                hash: hash_secret(&code),
                redirect_uri: redirect.as_str().to_owned(),
                challenge: self.transaction.challenge.clone(),
                expires_at: now.plus_millis(CODE_TTL_MS),
            },
        };
        match context.storage.create_grant(&self.signed_in.actor(now), grant).await {
            Ok(_) => Ok(Some(code)),
            Err(StorageError::NotFound(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
