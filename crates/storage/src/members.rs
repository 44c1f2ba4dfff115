//! The store of members: the users with whom servers are shared.

use std::collections::BTreeMap;

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::member::{MemberRole, MemberUser, ServerMember, ServerRole};
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::Visibility;

use crate::error::Result;

/// Stores members. Only the owner of a server and administrators may change its members.
#[async_trait]
pub trait MemberStore {
    /// The members of a server by id of the user: all, or one page.
    async fn list_members(
        &self,
        visibility: Visibility,
        server_id: ServerId,
        page: Option<Page>,
    ) -> Result<Listing<ServerMember>>;

    /// One member of a server.
    async fn member(&self, visibility: Visibility, server_id: ServerId, user_id: UserId) -> Result<ServerMember>;

    /// Shares a server with a user. `Exists` if the user is a member already; `Rejected` if the user does not exist, is
    /// disabled or owns the server, or may not have the role.
    async fn add_member(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        user: MemberUser,
        role: MemberRole,
    ) -> Result<ServerMember>;

    /// Changes the role of a member.
    async fn update_member(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        user_id: UserId,
        role: MemberRole,
    ) -> Result<ServerMember>;

    /// Stops sharing a server with a user, and returns the former member.
    async fn remove_member(
        &self,
        actor: &Actor,
        visibility: Visibility,
        server_id: ServerId,
        user_id: UserId,
    ) -> Result<ServerMember>;

    /// What the caller may do with a server. `NotFound` if the caller may not see it.
    async fn server_role(&self, visibility: Visibility, server_id: ServerId) -> Result<ServerRole>;

    /// The servers that are shared with a user, by id, with the role of the user.
    async fn memberships(&self, user_id: UserId) -> Result<BTreeMap<ServerId, MemberRole>>;
}
