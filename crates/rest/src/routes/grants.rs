//! `/servers/{id}/grants` and `/me/grants`: the OAuth grants, by which people give programs access to servers.

use toolgate_domain::ids::ServerId;
use toolgate_domain::oauth::grant::Grant;

use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::grant::GrantOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listServerGrants", "List the programs that people gave access to a server, newest first.")
            .read("/servers/{id}/grants", list_of_server)
            .reply(paged_list_doc::<GrantOut<'_>>()),
        Operation::new("getServerGrant", "Get the access of a program to a server.")
            .read("/servers/{id}/grants/{grant_id}", get_of_server)
            .reply(object_doc::<GrantOut<'_>>(200)),
        Operation::new(
            "endServerGrant",
            "End the access of a program to a server. Its tokens are refused immediately.",
        )
        .delete("/servers/{id}/grants/{grant_id}", end_of_server)
        .reply(deletion_doc::<GrantOut<'_>>()),
        Operation::new("listMyGrants", "List the programs that the caller gave access to servers, newest first.")
            .read("/me/grants", list_own)
            .reply(paged_list_doc::<GrantOut<'_>>())
            .own(),
        Operation::new("getMyGrant", "Get access that the caller gave a program.")
            .read("/me/grants/{grant_id}", get_own)
            .reply(object_doc::<GrantOut<'_>>(200))
            .own(),
        Operation::new("endMyGrant", "End access that the caller gave a program. Its tokens are refused immediately.")
            .delete("/me/grants/{grant_id}", end_own)
            .reply(deletion_doc::<GrantOut<'_>>())
            .own(),
    ]
}

async fn list_of_server(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    request.context.services.access_counters.flush().await;
    let listing = request.storage().grants_of_server(request.visibility(), request.id(ServerId), page).await?;
    ApiReply::list(&request, &listing, page, GrantOut::new)
}

async fn get_of_server(request: ApiRequest) -> Result<ApiReply, RestError> {
    request.context.services.access_counters.flush().await;
    ApiReply::ok(&GrantOut::new(&grant_of_server(&request).await?))
}

async fn end_of_server(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    end(&request, &grant_of_server(&request).await?).await
}

async fn list_own(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    request.context.services.access_counters.flush().await;
    let listing = request.storage().grants_of_user(request.principal()?.user_id(), page).await?;
    ApiReply::list(&request, &listing, page, GrantOut::new)
}

async fn get_own(request: ApiRequest) -> Result<ApiReply, RestError> {
    request.context.services.access_counters.flush().await;
    ApiReply::ok(&GrantOut::new(&own_grant(&request).await?))
}

async fn end_own(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    end(&request, &own_grant(&request).await?).await
}

async fn grant_of_server(request: &ApiRequest) -> Result<Grant, RestError> {
    let (visibility, server) = (request.visibility(), request.id(ServerId));
    Ok(request.storage().grant_of_server(visibility, server, request.grant_id()).await?)
}

async fn own_grant(request: &ApiRequest) -> Result<Grant, RestError> {
    Ok(request.storage().grant_of_user(request.principal()?.user_id(), request.grant_id()).await?)
}

async fn end(request: &ApiRequest, grant: &Grant) -> Result<ApiReply, RestError> {
    let grant = request.storage().end_grant(&request.actor()?, grant.id).await?;
    ApiReply::deleted(&GrantOut::new(&grant))
}
