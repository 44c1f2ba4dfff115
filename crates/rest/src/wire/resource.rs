//! Resources.

use serde::Serialize;
use toolgate_domain::json::JsonObject;
use toolgate_domain::resource::Resource;
use toolgate_domain::time::Timestamp;
use utoipa::ToSchema;

/// A resource. Credentials inside `data_source_config` are never shown.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResourceOut<'a> {
    id: i64,
    server_id: i64,
    uri: &'a str,
    name: &'a str,
    description: &'a str,
    mime_type: &'a str,
    data_source_type: &'static str,
    #[schema(value_type = Object)]
    data_source_config: &'a JsonObject,
    template_uri: Option<&'a str>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

impl<'a> From<&'a Resource> for ResourceOut<'a> {
    fn from(resource: &'a Resource) -> Self {
        Self {
            id: resource.id.0,
            server_id: resource.server_id.0,
            uri: &resource.spec.uri,
            name: &resource.spec.name,
            description: &resource.spec.description,
            mime_type: &resource.spec.mime_type,
            data_source_type: resource.spec.data_source_type.as_str(),
            data_source_config: &resource.spec.data_source_config,
            template_uri: resource.spec.template_uri.as_deref(),
            created_at: resource.created_at,
            updated_at: resource.updated_at,
        }
    }
}
