//! `/me`: the caller and the permissions of the caller.

use toolgate_domain::member::MemberRole;

use super::object_doc;
use crate::error::RestError;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::me::{MeOut, MembershipOut};

pub(super) fn route() -> Route {
    Operation::new(
        "getMe",
        "Get the caller: the user, the key, their combined permissions, and the servers shared with the user.",
    )
    .read("/me", get)
    .reply(object_doc::<MeOut<'_>>(200).part_type::<MembershipOut>())
    .own()
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let principal = request.principal()?;
    let memberships = request.storage().memberships(principal.user_id()).await?;
    // A user with the role viewer or member cannot change anything, regardless of the membership.
    let can_edit = principal.user().role.may_manage_servers();
    let effective = |role: MemberRole| if can_edit { role } else { MemberRole::Viewer };
    let memberships = memberships.into_iter().map(|(server, role)| MembershipOut::new(server, effective(role)));
    let user_id = principal.user_id();
    let has_provider_account = request.storage().users_with_identity(&[user_id]).await?.contains(&user_id);
    ApiReply::ok(&MeOut::new(principal, has_provider_account, memberships.collect()))
}
