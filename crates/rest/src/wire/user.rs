//! Users.

use serde::Serialize;
use toolgate_domain::time::Timestamp;
use toolgate_domain::user::User;
use utoipa::ToSchema;

/// A user.
#[derive(Serialize, ToSchema)]
pub(crate) struct UserOut<'a> {
    id: i64,
    name: &'a str,
    role: &'static str,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

impl<'a> From<&'a User> for UserOut<'a> {
    fn from(user: &'a User) -> Self {
        Self {
            id: user.id.0,
            name: &user.name,
            role: user.role.as_str(),
            created_at: user.created_at,
            updated_at: user.updated_at,
        }
    }
}
