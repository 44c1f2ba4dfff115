//! `/authorize`: checks the request of a client, and the decision of a person.

mod decision;
mod refusal;
mod request;
mod server_access;
mod transaction;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::get;
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use toolgate_domain::oauth::client::OAuthClient;
use toolgate_domain::oauth::redirect_uri::RedirectUri;
use toolgate_storage::OAuthServer;

use crate::context::IssuerContext;
use crate::form::FormFields;
use crate::issuer_url::IssuerUrl;
use crate::page_reply::{FormTargets, page};
use crate::page_signer::FormPurpose;
use crate::pages::{ConsentPage, ConsentServer, SignInPage};
use crate::signed_in::SignedIn;
use refusal::AuthorizeRefusal;
use request::CheckedRequest;
use transaction::ConsentTransaction;

/// Most servers that a person can choose from.
const CHOICE_MAX: usize = 200;

pub(crate) fn routes(context: &Arc<IssuerContext>) -> Router {
    Router::new().route("/authorize", get(show).post(decide)).with_state(Arc::clone(context))
}

async fn show(State(context): State<Arc<IssuerContext>>, parts: Parts) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else {
        return refusal::no_issuer();
    };
    let response = respond(&context, issuer, &parts).await;
    response.unwrap_or_else(|refusal| refusal.into_reply(issuer, &parts.headers))
}

async fn decide(State(context): State<Arc<IssuerContext>>, request: Request) -> Response {
    let Some(issuer) = context.config.issuer.as_deref().map(IssuerUrl::new) else {
        return refusal::no_issuer();
    };
    let (parts, body) = request.into_parts();
    let response = decision::respond(&context, issuer, &parts, body).await;
    // No headers: the policy of the consent page lets the browser follow a redirect to the client.
    response.unwrap_or_else(|refusal| refusal.into_reply(issuer, &HeaderMap::new()))
}

/// Checks a request, then shows the sign-in page, or the consent page to a person who is signed in.
async fn respond(context: &IssuerContext, issuer: IssuerUrl<'_>, parts: &Parts) -> Result<Response, AuthorizeRefusal> {
    let query = parts.uri.query().unwrap_or_default();
    let fields = FormFields::parse(query.as_bytes());
    let signed_in = SignedIn::find(&*context.storage, &parts.headers, issuer, context.now()).await?;
    let Some(checked) = request::check(context, issuer, &fields, signed_in.is_some()).await? else {
        return Ok(sign_in_page(context, issuer, query));
    };
    let Some(signed_in) = signed_in else {
        return if checked.is_silent {
            Err(checked.refuse("login_required", "No person is signed in."))
        } else {
            Ok(sign_in_page(context, issuer, query))
        };
    };
    let CheckedRequest { client, redirect, server, scopes, .. } = &checked;
    if let Some(server) = server
        && !server_access::may_use(context, &signed_in.session.user, server).await?
    {
        return Err(checked.refuse("access_denied", "The person who is signed in may not use this server."));
    }
    if checked.is_silent {
        return Err(checked.refuse("consent_required", "Consent is required for each request."));
    }
    let transaction = ConsentTransaction {
        client_id: client.client_id.clone(),
        redirect_uri: redirect.as_str().to_owned(),
        challenge: checked.challenge.clone(),
        resource: server.as_ref().map(|server| issuer.endpoint(&server.server)),
        scopes: scopes.bits(),
        state: checked.state.clone(),
        issued_at: context.now().as_millis(),
    };
    let pending = PendingConsent { client, redirect, server: server.as_ref(), transaction: &transaction };
    pending.page(context, issuer, &signed_in, None).await
}

fn sign_in_page(context: &IssuerContext, issuer: IssuerUrl<'_>, query: &str) -> Response {
    let next = format!("/authorize?{query}");
    let (base_path, provider) = (issuer.base_path(), context.provider_name());
    let html = SignInPage { base_path, next: Some(&next), provider, problem: None }.to_html();
    page(StatusCode::OK, FormTargets::OwnSite, html)
}

/// A request for consent that a person has not decided yet.
struct PendingConsent<'a> {
    client: &'a OAuthClient,
    redirect: &'a RedirectUri,
    /// `None` if the person chooses the server.
    server: Option<&'a OAuthServer>,
    transaction: &'a ConsentTransaction,
}

impl PendingConsent<'_> {
    /// The consent page; after an incomplete decision, with the problem.
    async fn page(
        &self,
        context: &IssuerContext,
        issuer: IssuerUrl<'_>,
        signed_in: &SignedIn,
        problem: Option<&str>,
    ) -> Result<Response, AuthorizeRefusal> {
        let user = &signed_in.session.user;
        let choices = match self.server {
            Some(_) => Vec::new(),
            None => server_access::usable_servers(context, issuer, user, CHOICE_MAX).await?,
        };
        if self.server.is_none() && choices.is_empty() {
            let refusal = "There is no server that the person who is signed in may use.";
            return Err(AuthorizeRefusal::to_client(
                self.redirect,
                self.transaction.state.as_deref(),
                "access_denied",
                refusal,
            ));
        }
        let signer = &context.page_signer;
        let signatures =
            (self.transaction.seal(signer, &signed_in.hash), signer.csrf(&signed_in.hash, FormPurpose::Consent));
        let (Some(tx), Some(csrf)) = signatures else { return Err(AuthorizeRefusal::no_keys()) };
        let html = ConsentPage {
            base_path: issuer.base_path(),
            user_name: &user.name,
            client: self.client,
            target: self.redirect.target(),
            servers: self.server.map_or(ConsentServer::AnyOf(&choices), ConsentServer::Named),
            scopes: self.transaction.scopes(),
            next: &self.transaction.to_request(),
            tx: &tx,
            csrf: &csrf,
            problem,
        };
        let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        Ok(page(status, FormTargets::Any, html.to_html()))
    }
}
