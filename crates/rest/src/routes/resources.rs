//! `/servers/{server_id}/resources`.

use serde_json::json;
use toolgate_domain::data_source::DataSourceType;
use toolgate_domain::endpoint_url::URL_MAX;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::resource::{self, ResourcePatch, ResourceSpec};
use toolgate_domain::text::{self, DESCRIPTION_MAX, NAME_MAX};
use toolgate_execution::egress::EgressRule;

use super::{DEFAULT_PAGE_SIZE, deletion_doc, destinations, force_arg, object_doc, paged_list_doc, paging_args};
use crate::error::RestError;
use crate::params::{Arg, Args};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Route, handler};
use crate::wire::ResourceOut;

pub(super) fn routes() -> Vec<Route> {
    let (list_path, object_path) = ("/servers/{server_id}/resources", "/servers/{server_id}/resources/{id}");
    vec![
        Route::read(
            list_path,
            "listResources",
            "List the resources of a server: all of them, unless page or per_page is sent.",
            handler!(list_resources),
        )
        .args(paging_args().to_vec())
        .reply(paged_list_doc::<ResourceOut<'_>>()),
        Route::create(list_path, "createResource", "Create a resource.", handler!(create))
            .args(fields(true))
            .rules(|args, config| patch(args, &config.egress).map(drop))
            .reply(object_doc::<ResourceOut<'_>>(201))
            .errors(&[409]),
        Route::read(object_path, "getResource", "Get a resource.", handler!(get))
            .reply(object_doc::<ResourceOut<'_>>(200)),
        Route::update(
            object_path,
            "updateResource",
            "Update a resource. Fields that are not sent stay unchanged.",
            handler!(update),
        )
        .args(fields(false))
        .rules(|args, config| patch(args, &config.egress).map(drop))
        .reply(object_doc::<ResourceOut<'_>>(200))
        .errors(&[409]),
        Route::delete(object_path, "deleteResource", "Delete a resource.", handler!(delete))
            .args(vec![force_arg()])
            .reply(deletion_doc::<ResourceOut<'_>>()),
    ]
}

pub(super) fn fields(is_create: bool) -> Vec<Arg> {
    let uri = Arg::text("uri", usize::MAX, "Unique URI of the resource.")
        .with_schema(json!({"minLength": 1, "maxLength": URL_MAX, "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:"}));
    let name =
        Arg::text("name", usize::MAX, "Display name.").with_schema(json!({"minLength": 1, "maxLength": NAME_MAX}));
    let config = "static: content. url: url (may be an RFC 6570 template), method, headers, auth_type, auth_credentials, \
         timeout, cache_ttl. wp_query: site_url, query, fields, auth_*. dynamic: tool, arguments.";
    let mut args = if is_create { vec![uri.required(), name.required()] } else { vec![uri, name] };
    args.extend([
        Arg::text("description", DESCRIPTION_MAX, "Description of the content."),
        Arg::text("mime_type", usize::MAX, "MIME type of the content.").with_schema(json!({"maxLength": NAME_MAX})),
        Arg::one_of("data_source_type", DataSourceType::NAMES, "Where the content comes from."),
        Arg::large_object("data_source_config", config),
        Arg::text("template_uri", usize::MAX, "RFC 6570 template for parameterised resources; null removes it.")
            .with_schema(json!({"minLength": 1, "maxLength": URL_MAX}))
            .nullable(),
    ]);
    args
}

fn patch(args: &Args, egress: &EgressRule) -> Result<ResourcePatch, Faults> {
    let mut faults = Faults::default();
    let template = args.change("template_uri", |args, name| args.text(name).map(str::to_owned));
    let patch = ResourcePatch {
        uri: args.parse("uri", &mut faults, resource::uri),
        name: args.parse("name", &mut faults, text::display_name),
        description: args.parse("description", &mut faults, text::description),
        mime_type: args.parse("mime_type", &mut faults, resource::mime_type),
        data_source_type: args.text("data_source_type").and_then(DataSourceType::parse),
        data_source_config: args.object("data_source_config").cloned(),
        template_uri: template.try_map(|text| faults.ok_or_record(resource::template_uri("template_uri", &text))),
    };
    if let Some(config) = &patch.data_source_config {
        faults.ok_or_record(check_destinations(&config.to_value(), egress));
    }
    faults.into_result(patch)
}

/// Checks the URLs of the configuration.
fn check_destinations(config: &serde_json::Value, egress: &EgressRule) -> Result<(), Fault> {
    for key in ["url", "site_url"] {
        destinations::check(&format!("data_source_config[{key}]"), &config[key], egress)?;
    }
    destinations::check_credentials("data_source_config[auth_credentials]", &config["auth_credentials"], egress)
}

/// A resource to create.
pub(super) fn new_resource(args: &Args, egress: &EgressRule) -> Result<(ResourceSpec, ResourcePatch), Faults> {
    Ok((ResourceSpec::new(String::new(), String::new()), patch(args, egress)?))
}

async fn list_resources(request: ApiRequest) -> Result<ApiReply, RestError> {
    let page = request.args.page(DEFAULT_PAGE_SIZE);
    let listing = request.storage().list_resources(request.visibility(), request.parent_server_id(), page).await?;
    ApiReply::list(&request, &listing, page, ResourceOut::from)
}

async fn create(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (spec, patch) = new_resource(&request.args, &request.context.config.egress)?;
    let (actor, server_id) = (request.actor()?, request.parent_server_id());
    let resource = request.storage().create_resource(&actor, request.visibility(), server_id, spec, patch).await?;
    let location = request.link(&format!("/servers/{}/resources/{}", resource.server_id, resource.id));
    ApiReply::created(&ResourceOut::from(&resource), &location)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let resource =
        request.storage().resource(request.visibility(), request.parent_server_id(), request.resource_id()).await?;
    ApiReply::ok(&ResourceOut::from(&resource))
}

async fn update(request: ApiRequest) -> Result<ApiReply, RestError> {
    let patch = patch(&request.args, &request.context.config.egress)?;
    let (server_id, id) = (request.parent_server_id(), request.resource_id());
    let resource =
        request.storage().update_resource(&request.actor()?, request.visibility(), server_id, id, patch).await?;
    ApiReply::ok(&ResourceOut::from(&resource))
}

async fn delete(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.parent_server_id(), request.resource_id());
    let resource = request.storage().delete_resource(&request.actor()?, request.visibility(), server_id, id).await?;
    ApiReply::deleted(&ResourceOut::from(&resource))
}
