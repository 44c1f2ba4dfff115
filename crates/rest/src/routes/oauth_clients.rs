//! `/oauth/clients`: the programs that may ask people for access to servers.

use serde_json::json;
use serde_json::value::RawValue;
use toolgate_auth::SecretKey;
use toolgate_domain::fault::{Fault, FaultKind, Faults};
use toolgate_domain::ids::OAuthClientId;
use toolgate_domain::oauth::client::{ClientAuthMethod, ClientKind, ClientStatus, NewOAuthClient, check_name};
use toolgate_domain::oauth::redirect_uri::{REDIRECT_URIS_MAX, RedirectUri};
use toolgate_domain::text::NAME_MAX;

use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{Items, arguments, strings, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::oauth_client::{CreatedOAuthClientOut, OAuthClientOut};

const CLIENT_ID_PREFIX: &str = "tgx_";
const CLIENT_SECRET_PREFIX: &str = "tgs_";

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listOAuthClients", "List the programs that may ask for access to servers, newest first.")
            .read("/oauth/clients", list_clients)
            .reply(paged_list_doc::<OAuthClientOut<'_>>())
            .admin(),
        Operation::new(
            "createOAuthClient",
            "Register a program that may ask for access to servers. Its secret, if it has one, is shown only in this reply.",
        )
        .create("/oauth/clients", create)
        .reply(object_doc::<CreatedOAuthClientOut<'_>>(201))
        .admin(),
        Operation::new("getOAuthClient", "Get a program.")
            .read("/oauth/clients/{id}", get)
            .reply(object_doc::<OAuthClientOut<'_>>(200))
            .admin(),
        Operation::new("updateOAuthClient", "Allow or block a program. Blocking ends all access that it was given.")
            .update("/oauth/clients/{id}", update)
            .reply(object_doc::<OAuthClientOut<'_>>(200))
            .admin(),
        Operation::new("deleteOAuthClient", "Delete a program and end all access that it was given.")
            .delete("/oauth/clients/{id}", delete)
            .reply(deletion_doc::<OAuthClientOut<'_>>())
            .admin(),
    ]
}

arguments! {
    struct NewOAuthClientArgs {
        name: String = arg::text(NAME_MAX, "Name that people see when the program asks for access.").required(),
        redirect_uris: Option<Vec<Box<RawValue>>> = arg::array(
            Items::Strings,
            "Addresses to which people are sent back: https, http on loopback (any port), or a private-use scheme.",
        )
        .with_schema(json!({"items": {"type": "string"}, "minItems": 1, "maxItems": REDIRECT_URIS_MAX}))
        .required(),
        token_endpoint_auth_method: Option<ClientAuthMethod> = arg::one_of::<ClientAuthMethod>(
            "How the program authenticates at the token endpoint. none: it has no secret.",
        )
        .default(ClientAuthMethod::None.as_str()),
    }
}

arguments! {
    struct OAuthClientChangeArgs {
        status: Option<ClientStatus> = arg::one_of::<ClientStatus>("Whether the program may ask for access."),
    }
}

async fn list_clients(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_clients(page).await?;
    ApiReply::list(&request, &listing, page, OAuthClientOut::new)
}

async fn create(request: ApiRequest, args: NewOAuthClientArgs) -> Result<ApiReply, RestError> {
    let auth_method = args.token_endpoint_auth_method.unwrap_or(ClientAuthMethod::None);
    let secret = match auth_method {
        ClientAuthMethod::None => None,
        ClientAuthMethod::SecretPost | ClientAuthMethod::SecretBasic => {
            Some(SecretKey::with_prefix(CLIENT_SECRET_PREFIX)?)
        }
    };
    let mut faults = Faults::default();
    faults.ok_or_record(check_name(&args.name).map_err(name_fault));
    let schemes = &request.context.config.redirect_schemes;
    let redirect_uris = faults.ok_or_record(redirect_uris(&args.redirect_uris.unwrap_or_default(), schemes));
    let new = NewOAuthClient {
        client_id: SecretKey::with_prefix(CLIENT_ID_PREFIX)?.expose().to_owned(),
        kind: ClientKind::Preregistered,
        name: args.name,
        redirect_uris: faults.into_result(redirect_uris)?.unwrap_or_default(),
        auth_method,
        secret_hash: secret.as_ref().map(|secret| secret.digest().hash),
    };
    let client = request.storage().create_client(&request.actor()?, new).await?;
    let reply = CreatedOAuthClientOut::new(&client, secret.as_ref().map(SecretKey::expose));
    ApiReply::created(&reply, &request.link(&format!("/oauth/clients/{}", client.id)))
}

/// The text of the rule has the field name of the protocol, `client_name`; here the field is `name`.
fn name_fault(rule: &str) -> Fault {
    Fault::invalid_value("name", format!("{}.", rule.replacen("client_name", "name", 1)))
}

/// Checks all redirect URIs. Here an unusable one is a fault; when a program registers itself, it is ignored.
fn redirect_uris(items: &[Box<RawValue>], schemes: &[String]) -> Result<Vec<String>, Fault> {
    let texts = strings("redirect_uris", items)?;
    if !(1..=REDIRECT_URIS_MAX).contains(&texts.len()) {
        let kind = if texts.is_empty() { FaultKind::TooFewItems } else { FaultKind::TooManyItems };
        let message = format!("redirect_uris must contain 1 to {REDIRECT_URIS_MAX} items.");
        return Err(Fault::new("redirect_uris", kind, message));
    }
    let check = |(index, text): (usize, &String)| {
        let field = format!("redirect_uris[{index}]");
        let uri = RedirectUri::parse(text, schemes)
            .map_err(|rule| Fault::invalid_value(&field, format!("{field}: {rule}.")))?;
        Ok(uri.as_str().to_owned())
    };
    texts.iter().enumerate().map(check).collect()
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    ApiReply::ok(&OAuthClientOut::new(&request.storage().client(request.id(OAuthClientId)).await?))
}

async fn update(request: ApiRequest, args: OAuthClientChangeArgs) -> Result<ApiReply, RestError> {
    let Some(status) = args.status else { return get(request).await };
    let client = request.storage().set_client_status(&request.actor()?, request.id(OAuthClientId), status).await?;
    ApiReply::ok(&OAuthClientOut::new(&client))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let client = request.storage().delete_client(&request.actor()?, request.id(OAuthClientId)).await?;
    ApiReply::deleted(&OAuthClientOut::new(&client))
}
