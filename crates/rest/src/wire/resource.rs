//! Resources in replies.

use toolgate_domain::json::JsonObject;
use toolgate_domain::resource::Resource;
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A resource. Credentials inside `data_source_config` are never shown.
    pub(crate) struct ResourceOut<'a>(resource: &'a Resource) {
        id: i64 = resource.id.0,
        server_id: i64 = resource.server_id.0,
        uri: &'a str = &resource.spec.uri,
        name: &'a str = &resource.spec.name,
        description: &'a str = &resource.spec.description,
        mime_type: &'a str = &resource.spec.mime_type,
        data_source_type: &'static str = resource.spec.data_source_type.as_str(),
        data_source_config: &'a JsonObject = &resource.spec.data_source_config,
        template_uri: Option<&'a str> = resource.spec.template_uri.as_deref(),
        created_at: Timestamp = resource.created_at,
        updated_at: Timestamp = resource.updated_at,
    }
}
