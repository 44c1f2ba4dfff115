//! Keys. The secret is only in the reply that creates the key.

use serde::Serialize;
use toolgate_domain::api_key::{ApiKey, EndpointKey};
use toolgate_domain::time::Timestamp;
use utoipa::ToSchema;

/// A key for the management API.
#[derive(Serialize, ToSchema)]
pub(crate) struct ApiKeyOut<'a> {
    id: i64,
    name: &'a str,
    user_id: i64,
    scopes: Vec<&'static str>,
    hint: &'a str,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, required)]
    expires_at: Option<Timestamp>,
}

/// A key for one server's MCP endpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointKeyOut<'a> {
    id: i64,
    server_id: i64,
    name: &'a str,
    hint: &'a str,
    #[schema(value_type = String)]
    created_at: Timestamp,
}

/// A new key with its secret.
#[derive(Serialize)]
pub(crate) struct NewKeyOut<'a, T> {
    #[serde(flatten)]
    pub(crate) key_row: T,
    pub(crate) key: &'a str,
}

impl<'a> From<&'a ApiKey> for ApiKeyOut<'a> {
    fn from(key: &'a ApiKey) -> Self {
        Self {
            id: key.id.0,
            name: &key.name,
            user_id: key.user_id.0,
            scopes: key.scopes.names(),
            hint: &key.hint,
            created_at: key.created_at,
            expires_at: key.expires_at,
        }
    }
}

impl<'a> From<&'a EndpointKey> for EndpointKeyOut<'a> {
    fn from(key: &'a EndpointKey) -> Self {
        Self { id: key.id.0, server_id: key.server_id.0, name: &key.name, hint: &key.hint, created_at: key.created_at }
    }
}
