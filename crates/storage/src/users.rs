//! Users.

use async_trait::async_trait;
use toolgate_domain::audit::Actor;
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Listing, Page};
use toolgate_domain::user::{NewUser, User};

use crate::Result;

/// Users.
#[async_trait]
pub trait UserStore {
    /// Users by id: all, or one page of them.
    async fn list_users(&self, page: Option<Page>) -> Result<Listing<User>>;

    /// One user.
    async fn user(&self, id: UserId) -> Result<User>;

    /// Makes a user. `Exists` when the name is taken.
    async fn create_user(&self, actor: &Actor, new: NewUser) -> Result<User>;

    /// Deletes a user with the user's keys. `InUse` while servers belong to the user, or when no
    /// administrator would be left.
    async fn delete_user(&self, actor: &Actor, id: UserId) -> Result<User>;
}
