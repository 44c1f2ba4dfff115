//! `/servers/{id}/members`: the users with whom a server is shared.

use toolgate_domain::fault::Fault;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::member::{MemberRole, MemberUser, ServerRole};
use toolgate_domain::text::NAME_MAX;

use super::required_role::require_role;
use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::member::MemberOut;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listMembers", "List the users with whom a server is shared.")
            .read("/servers/{id}/members", list_members)
            .reply(paged_list_doc::<MemberOut<'_>>()),
        Operation::new("addMember", "Share a server with a user, who is given by user_id or user_name.")
            .create("/servers/{id}/members", add)
            .reply(object_doc::<MemberOut<'_>>(201))
            .errors(&[409]),
        Operation::new("getMember", "Get a member of a server.")
            .read("/servers/{id}/members/{user_id}", get)
            .reply(object_doc::<MemberOut<'_>>(200)),
        Operation::new("updateMember", "Change the role of a member.")
            .update("/servers/{id}/members/{user_id}", update)
            .reply(object_doc::<MemberOut<'_>>(200)),
        Operation::new("removeMember", "Stop sharing a server with a user.")
            .delete("/servers/{id}/members/{user_id}", remove)
            .reply(deletion_doc::<MemberOut<'_>>()),
    ]
}

const ROLES: &str = "viewer: read the server, its objects, calls and reports; editor: also change them and test tools.";

arguments! {
    struct NewMemberArgs {
        user_id: Option<UserId> = arg::integer(&(1..=i64::MAX), "Id of the user."),
        user_name: Option<String> = arg::text(NAME_MAX, "Name of the user, instead of user_id."),
        role: Option<MemberRole> = arg::one_of::<MemberRole>(ROLES).default(MemberRole::Viewer.as_str()),
    }
}

arguments! {
    struct MemberChangeArgs {
        role: Option<MemberRole> = arg::one_of::<MemberRole>(ROLES),
    }
}

async fn list_members(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_members(request.visibility(), request.id(ServerId), page).await?;
    ApiReply::list(&request, &listing, page, MemberOut::new)
}

async fn add(request: ApiRequest, args: NewMemberArgs) -> Result<ApiReply, RestError> {
    let (server, role) = (request.id(ServerId), args.role.unwrap_or(MemberRole::Viewer));
    require_role(&request, server, ServerRole::Owner).await?;
    let user = member_user(args.user_id, args.user_name)?;
    let member = request.storage().add_member(&request.actor()?, request.visibility(), server, user, role).await?;
    let link = request.link(&format!("/servers/{server}/members/{}", member.user_id));
    ApiReply::created(&MemberOut::new(&member), &link)
}

fn member_user(id: Option<UserId>, name: Option<String>) -> Result<MemberUser, RestError> {
    match (id, name) {
        (Some(id), None) => Ok(MemberUser::Id(id)),
        (None, Some(name)) => Ok(MemberUser::Name(name)),
        (None, None) => Err(RestError::missing_params(&["user_id"])),
        (Some(_), Some(_)) => Err(Fault::invalid_value("user_name", "Send either user_id or user_name.").into()),
    }
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (server, user) = (request.id(ServerId), request.member_id());
    ApiReply::ok(&MemberOut::new(&request.storage().member(request.visibility(), server, user).await?))
}

async fn update(request: ApiRequest, args: MemberChangeArgs) -> Result<ApiReply, RestError> {
    let (server, user) = (request.id(ServerId), request.member_id());
    require_role(&request, server, ServerRole::Owner).await?;
    let Some(role) = args.role else { return get(request).await };
    let member = request.storage().update_member(&request.actor()?, request.visibility(), server, user, role).await?;
    ApiReply::ok(&MemberOut::new(&member))
}

async fn remove(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let (server, user) = (request.id(ServerId), request.member_id());
    let member = request.storage().remove_member(&request.actor()?, request.visibility(), server, user).await?;
    ApiReply::deleted(&MemberOut::new(&member))
}
