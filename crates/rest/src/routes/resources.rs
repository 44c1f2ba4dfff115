//! `/servers/{server_id}/resources`: the resources of a server.

use serde_json::json;
use toolgate_domain::change::Change;
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::ResourceId;
use toolgate_domain::json::JsonObject;
use toolgate_domain::resource::{self, ResourcePatch, ResourceSpec};
use toolgate_domain::text::{self, DESCRIPTION_MAX, NAME_MAX};
use toolgate_execution::egress::EgressRule;

use super::{DeleteArgs, PagingArgs, deletion_doc, destinations, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::resource::ResourceOut;

pub(super) fn routes() -> Vec<Route> {
    let (list_path, object_path) = ("/servers/{server_id}/resources", "/servers/{server_id}/resources/{id}");
    vec![
        Operation::new(
            "listResources",
            "List the resources of a server: all of them, unless page or per_page is sent.",
        )
        .read(list_path, list_resources)
        .reply(paged_list_doc::<ResourceOut<'_>>()),
        Operation::new("createResource", "Create a resource.")
            .create(list_path, create)
            .reply(object_doc::<ResourceOut<'_>>(201))
            .errors(&[409]),
        Operation::new("getResource", "Get a resource.")
            .read(object_path, get)
            .reply(object_doc::<ResourceOut<'_>>(200)),
        Operation::new("updateResource", "Update a resource. Fields that are not sent stay unchanged.")
            .update(object_path, update)
            .reply(object_doc::<ResourceOut<'_>>(200))
            .errors(&[409]),
        Operation::new("deleteResource", "Delete a resource.")
            .delete(object_path, delete)
            .reply(deletion_doc::<ResourceOut<'_>>()),
    ]
}

arguments! {
    /// The fields of a resource in a create or update request.
    pub(super) struct ResourceFields checked by patch into ResourcePatch {
        uri: Option<String> = arg::text(usize::MAX, "Unique URI of the resource.")
            .with_schema(json!({"minLength": 1, "maxLength": URL_MAX, "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:"}))
            .required_on_create()
            => resource::uri,
        name: Option<String> = arg::text_with_rule(NAME_MAX, "Display name.").required_on_create()
            => text::display_name,
        description: Option<String> = arg::text(DESCRIPTION_MAX, "Description of the content.") => text::description,
        mime_type: Option<String> =
            arg::text(usize::MAX, "MIME type of the content.").with_schema(json!({"maxLength": NAME_MAX}))
                => resource::mime_type,
        data_source_type: Option<DataSourceType> =
            arg::one_of::<DataSourceType>("Where the content comes from."),
        data_source_config: Option<JsonObject> = arg::large_object(DATA_SOURCE_CONFIG),
        template_uri: Change<String> =
            arg::text_with_rule(URL_MAX, "RFC 6570 template for parameterised resources; null removes it.")
                .nullable()
                => resource::template_uri,
    }
}

const DATA_SOURCE_CONFIG: &str = "static: content. url: url (may be an RFC 6570 template), method, headers, auth_type, \
     auth_credentials, timeout, cache_ttl. wp_query: site_url, query, fields, auth_*. dynamic: tool, arguments.";

impl ResourceFields {
    /// The patch that the request makes.
    fn patch(self, egress: &EgressRule) -> Result<ResourcePatch, Faults> {
        let mut faults = Faults::default();
        let patch = self.into_patch(&mut faults);
        if let Some(data_source) = &patch.data_source_config {
            faults.ok_or_record(check_destinations(&data_source.to_value(), egress));
        }
        faults.into_result(patch)
    }
}

/// Checks the URLs of the configuration.
fn check_destinations(config: &serde_json::Value, egress: &EgressRule) -> Result<(), Fault> {
    for key in ["url", "site_url"] {
        destinations::check(&format!("data_source_config[{key}]"), &config[key], egress)?;
    }
    destinations::check_credentials("data_source_config[auth_credentials]", &config["auth_credentials"], egress)
}

/// A resource to create.
pub(super) fn new_resource(
    fields: ResourceFields,
    egress: &EgressRule,
) -> Result<(ResourceSpec, ResourcePatch), Faults> {
    Ok((ResourceSpec::new(String::new(), String::new()), fields.patch(egress)?))
}

async fn list_resources(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_resources(request.visibility(), request.parent_server_id(), page).await?;
    ApiReply::list(&request, &listing, page, ResourceOut::new)
}

async fn create(request: ApiRequest, fields: ResourceFields) -> Result<ApiReply, RestError> {
    let (spec, patch) = new_resource(fields, &request.context.config.egress)?;
    let (actor, server_id) = (request.actor()?, request.parent_server_id());
    let resource = request.storage().create_resource(&actor, request.visibility(), server_id, spec, patch).await?;
    let location = request.link(&format!("/servers/{}/resources/{}", resource.server_id, resource.id));
    ApiReply::created(&ResourceOut::new(&resource), &location)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let resource =
        request.storage().resource(request.visibility(), request.parent_server_id(), request.id(ResourceId)).await?;
    ApiReply::ok(&ResourceOut::new(&resource))
}

async fn update(request: ApiRequest, fields: ResourceFields) -> Result<ApiReply, RestError> {
    let patch = fields.patch(&request.context.config.egress)?;
    let (server_id, id) = (request.parent_server_id(), request.id(ResourceId));
    let resource =
        request.storage().update_resource(&request.actor()?, request.visibility(), server_id, id, patch).await?;
    ApiReply::ok(&ResourceOut::new(&resource))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.parent_server_id(), request.id(ResourceId));
    let resource = request.storage().delete_resource(&request.actor()?, request.visibility(), server_id, id).await?;
    ApiReply::deleted(&ResourceOut::new(&resource))
}
