//! `/servers`: the MCP servers.

use serde_json::json;
use toolgate_domain::change::Change;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::{ServerId, UserId};
use toolgate_domain::json::JsonObject;
use toolgate_domain::page::Direction;
use toolgate_domain::server::{
    EndpointAuth, RATE_LIMIT_PER_MIN, ServerPatch, ServerSort, ServerSpec, ServerStatus, TRANSPORT_TYPE,
};
use toolgate_domain::settings::SentSettings;
use toolgate_domain::slug::{SLUG_MAX, SLUG_PATTERN, Slug};
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::{NewServer, ServerQuery};

use super::{
    DeleteArgs, FIRST_PAGE, PagingArgs, deletion_doc, destinations, oauth_rules, object_doc, paged_list_doc,
    partial_object_doc,
};
use crate::error::RestError;
use crate::params::{arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::server::{OMITTED_BY_TOGGLE, ServerOut};

/// Longest search text, in characters.
const SEARCH_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Operation::new("listServers", "List servers.")
            .read("/servers", list_servers)
            .reply(paged_list_doc::<ServerOut<'_>>()),
        Operation::new("createServer", "Create a server.")
            .create("/servers", create)
            .reply(object_doc::<ServerOut<'_>>(201))
            .errors(&[409]),
        Operation::new("getServer", "Get a server.").read("/servers/{id}", get).reply(object_doc::<ServerOut<'_>>(200)),
        Operation::new("updateServer", "Update a server. Fields that are not sent stay unchanged.")
            .update("/servers/{id}", update)
            .reply(object_doc::<ServerOut<'_>>(200))
            .errors(&[409]),
        Operation::new("deleteServer", "Delete a server with its tools, prompts, resources and keys.")
            .delete("/servers/{id}", delete)
            .reply(deletion_doc::<ServerOut<'_>>()),
        Operation::new("toggleServer", "Pause an active server, or activate a server of any other status.")
            .create("/servers/{id}/toggle", toggle)
            .reply(partial_object_doc::<ServerOut<'_>>(200, "Toggled", OMITTED_BY_TOGGLE)),
        Operation::new("duplicateServer", "Copy a server with its tools, prompts and resources, as a draft.")
            .create("/servers/{id}/duplicate", duplicate)
            .reply(object_doc::<ServerOut<'_>>(201)),
    ]
}

arguments! {
    struct ListServersArgs {
        ..paging: PagingArgs,
        status: Option<ServerStatus> = arg::filter::<ServerStatus>("Only servers with this status; empty for all."),
        search: Option<String> =
            arg::text(SEARCH_MAX, "Only servers whose name, slug or description contains this text.").in_query(),
        orderby: Option<ServerSort> =
            arg::one_of::<ServerSort>("Field to sort by.").in_query().default(ServerSort::CreatedAt.as_str()),
        order: Option<Direction> =
            arg::one_of_uppercase::<Direction>("Sort direction.").in_query().default(Direction::Desc.as_str()),
    }
}

arguments! {
    /// The fields of a server in a create or update request.
    pub(super) struct ServerFields checked by patch into ServerPatch {
        name: Option<String> = arg::text_with_rule(NAME_MAX, "Display name.").required_on_create()
            => text::display_name,
        slug: Option<String> =
            arg::text(usize::MAX, "URL-safe name in the endpoint path. Default: derived from the name.")
                .with_schema(json!({"pattern": SLUG_PATTERN, "minLength": 1, "maxLength": SLUG_MAX}))
                => Slug::parse,
        status: Option<ServerStatus> = arg::one_of::<ServerStatus>("Whether clients may use the server."),
        auth_type: Option<EndpointAuth> =
            arg::one_of::<EndpointAuth>("What clients must present at the endpoint."),
        rate_limit_per_min: Option<i64> =
            arg::integer(&RATE_LIMIT_PER_MIN, "Calls per minute; 0 means no limit."),
        user_id: Option<UserId> = arg::integer(
            &(1..=i64::MAX),
            "Owner. An administrator can set it in an update, which hands the server over; ignored when a server is created.",
        ),
        settings: Change<JsonObject> = arg::object(SETTINGS).nullable() => |_, sent: &_| SentSettings::parse(sent),
    }
    ignoring {
        transport_type = arg::one_of_names(&[TRANSPORT_TYPE], "Transport of the endpoint."),
    }
}

const SETTINGS: &str = "Options: description, instructions, allowed_origins, test_credentials (write-only), \
     safe_tool_names, coerce_arguments, trace_upstream, capture, capture_max_bytes, oauth. Other keys are stored unchanged. An update merges keys; null removes one.";

impl ServerFields {
    /// The patch that the request makes.
    fn patch(self, egress: &EgressRule) -> Result<ServerPatch, Faults> {
        let mut faults = Faults::default();
        if let Change::Set(settings) = &self.settings {
            let credentials = &settings.to_value()["test_credentials"]["auth_credentials"];
            let field = "settings[test_credentials][auth_credentials]";
            faults.ok_or_record(destinations::check_credentials(field, credentials, egress));
        }
        let patch = self.into_patch(&mut faults);
        faults.into_result(patch)
    }
}

/// A server to create for `owner`.
pub(super) fn new_server(fields: ServerFields, egress: &EgressRule, owner: UserId) -> Result<NewServer, RestError> {
    let patch = ServerPatch { user_id: None, ..fields.patch(egress)? };
    let spec = ServerSpec::new(patch.name.clone().unwrap_or_default());
    Ok(NewServer { user_id: owner, public_id: toolgate_auth::random_public_id()?, spec, patch })
}

async fn list_servers(request: ApiRequest, args: ListServersArgs) -> Result<ApiReply, RestError> {
    let page = args.paging.page().unwrap_or(FIRST_PAGE);
    let search = args.search.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let query = ServerQuery {
        status: args.status,
        search: search.map(str::to_owned),
        sort: args.orderby.unwrap_or(ServerSort::CreatedAt),
        direction: args.order.unwrap_or(Direction::Desc),
        page,
    };
    let listing = request.storage().list_servers(request.visibility(), query).await?;
    ApiReply::list(&request, &listing, Some(page), |server| ServerOut::new(server, &request.base_url))
}

async fn create(request: ApiRequest, fields: ServerFields) -> Result<ApiReply, RestError> {
    let new = new_server(fields, &request.context.config.egress, request.principal()?.user_id())?;
    oauth_rules::check(&request, &new.spec, &new.patch).await?;
    let server = request.storage().create_server(&request.actor()?, new).await?;
    ApiReply::created(&ServerOut::new(&server, &request.base_url), &request.link(&format!("/servers/{}", server.id)))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let server = request.storage().server(request.visibility(), request.id(ServerId)).await?;
    ApiReply::ok(&ServerOut::new(&server, &request.base_url))
}

async fn update(request: ApiRequest, fields: ServerFields) -> Result<ApiReply, RestError> {
    let mut patch = fields.patch(&request.context.config.egress)?;
    let id = request.id(ServerId);
    if let Some(owner) = patch.user_id
        && !request.principal()?.may_administer()
    {
        if request.storage().server(request.visibility(), id).await?.user_id != owner {
            return Err(RestError::forbidden_by(
                "Only administrators may hand a server over to another user (user_id).",
            ));
        }
        // The client sends back the owner that it has read.
        patch.user_id = None;
    }
    if oauth_rules::affects_sign_in(&patch) {
        let stored = request.storage().server(request.visibility(), id).await?;
        oauth_rules::check(&request, &stored.spec, &patch).await?;
    }
    let server = request.storage().update_server(&request.actor()?, request.visibility(), id, patch).await?;
    ApiReply::ok(&ServerOut::new(&server, &request.base_url))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let server = request.storage().delete_server(&request.actor()?, request.visibility(), request.id(ServerId)).await?;
    ApiReply::deleted(&ServerOut::new(&server, &request.base_url))
}

async fn toggle(request: ApiRequest) -> Result<ApiReply, RestError> {
    let server = request.storage().toggle_server(&request.actor()?, request.visibility(), request.id(ServerId)).await?;
    Ok(ApiReply::ok(&ServerOut::new(&server, &request.base_url))?.without_fields(OMITTED_BY_TOGGLE))
}

async fn duplicate(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (id, public_id) = (request.id(ServerId), toolgate_auth::random_public_id()?);
    let server = request.storage().duplicate_server(&request.actor()?, request.visibility(), id, public_id).await?;
    ApiReply::created(&ServerOut::new(&server, &request.base_url), &request.link(&format!("/servers/{}", server.id)))
}
