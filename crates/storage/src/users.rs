//! The store of users.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::{NewUser, User, UserPatch};

use crate::error::Result;

/// Stores users.
#[async_trait]
pub trait UserStore {
    /// Users ordered by id: all, or one page.
    async fn list_users(&self, page: Option<Page>) -> Result<Listing<User>>;

    /// One user.
    async fn user(&self, id: UserId) -> Result<User>;

    /// Creates a user. `Exists` if the name is taken.
    async fn create_user(&self, actor: &Actor, new: NewUser) -> Result<User>;

    /// Changes fields of a user. `Exists` if the name is taken; `InUse` if no administrator would be left who is not
    /// disabled.
    async fn update_user(&self, actor: &Actor, id: UserId, patch: UserPatch) -> Result<User>;

    /// Deletes a user and the user's API keys, and returns the user. `InUse` if the user owns servers or is the last
    /// administrator.
    async fn delete_user(&self, actor: &Actor, id: UserId) -> Result<User>;
}
