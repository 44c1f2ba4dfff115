//! `/servers`.

use serde_json::json;
use toolgate_domain::fault::Faults;
use toolgate_domain::ids::UserId;
use toolgate_domain::page::{Direction, Page};
use toolgate_domain::server::{
    EndpointAuth, RATE_LIMIT_PER_MIN, ServerPatch, ServerSort, ServerSpec, ServerStatus, TRANSPORT_TYPE,
};
use toolgate_domain::settings::SentSettings;
use toolgate_domain::slug::{SLUG_MAX, SLUG_PATTERN, Slug};
use toolgate_domain::text::{self, NAME_MAX};
use toolgate_execution::egress::EgressRule;
use toolgate_storage::{NewServer, ServerQuery};

use super::{
    DEFAULT_PAGE_SIZE, deletion_doc, destinations, force_arg, object_doc, paged_list_doc, paging_args,
    partial_object_doc,
};
use crate::error::RestError;
use crate::params::{Arg, Args};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Route, handler};
use crate::wire::{ServerOut, TOGGLED_FIELDS};

const SEARCH_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::read("/servers", "listServers", "List servers.", handler!(list_servers))
            .args(list_args())
            .reply(paged_list_doc::<ServerOut<'_>>()),
        Route::create("/servers", "createServer", "Create a server.", handler!(create))
            .args(fields(true))
            .rules(|args, config| patch(args, &config.egress).map(drop))
            .reply(object_doc::<ServerOut<'_>>(201))
            .errors(&[409]),
        Route::read("/servers/{id}", "getServer", "Get a server.", handler!(get))
            .reply(object_doc::<ServerOut<'_>>(200)),
        Route::update(
            "/servers/{id}",
            "updateServer",
            "Update a server. Fields that are not sent stay unchanged.",
            handler!(update),
        )
        .args(fields(false))
        .rules(|args, config| patch(args, &config.egress).map(drop))
        .reply(object_doc::<ServerOut<'_>>(200))
        .errors(&[409]),
        Route::delete(
            "/servers/{id}",
            "deleteServer",
            "Delete a server with its tools, prompts, resources and keys.",
            handler!(delete),
        )
        .args(vec![force_arg()])
        .reply(deletion_doc::<ServerOut<'_>>()),
        Route::create(
            "/servers/{id}/toggle",
            "toggleServer",
            "Pause an active server, or activate a server of any other status.",
            handler!(toggle),
        )
        .reply(partial_object_doc::<ServerOut<'_>>(200, TOGGLED_FIELDS)),
        Route::create(
            "/servers/{id}/duplicate",
            "duplicateServer",
            "Copy a server with its tools, prompts and resources, as a draft.",
            handler!(duplicate),
        )
        .reply(object_doc::<ServerOut<'_>>(201)),
    ]
}

fn list_args() -> Vec<Arg> {
    let mut args = paging_args().to_vec();
    args.extend([
        Arg::filter("status", ServerStatus::NAMES, "Only servers with this status; empty for all."),
        Arg::text("search", SEARCH_MAX, "Only servers whose name, slug or description contains this text.").in_query(),
        Arg::one_of("orderby", ServerSort::NAMES, "Field to sort by.").in_query().default("created_at"),
        Arg::one_of_uppercase("order", &["ASC", "DESC"], "Sort direction.").in_query().default("DESC"),
    ]);
    args
}

pub(super) fn fields(is_create: bool) -> Vec<Arg> {
    let name =
        Arg::text("name", usize::MAX, "Display name.").with_schema(json!({"minLength": 1, "maxLength": NAME_MAX}));
    let settings = "Options: description, instructions, allowed_origins, test_credentials (write-only), \
         safe_tool_names, capture, capture_max_bytes. Other keys are stored unchanged. An update merges keys; null removes one.";
    vec![
        if is_create { name.required() } else { name },
        Arg::text("slug", usize::MAX, "URL-safe name in the endpoint path. Default: derived from the name.")
            .with_schema(json!({"pattern": SLUG_PATTERN, "minLength": 1, "maxLength": SLUG_MAX})),
        Arg::one_of("status", ServerStatus::NAMES, "Whether clients may use the server."),
        Arg::one_of("transport_type", &[TRANSPORT_TYPE], "Transport of the endpoint."),
        Arg::one_of("auth_type", EndpointAuth::NAMES, "What clients must present at the endpoint."),
        Arg::integer("rate_limit_per_min", &RATE_LIMIT_PER_MIN, "Calls per minute; 0 means no limit."),
        Arg::object("settings", settings).nullable(),
    ]
}

fn patch(args: &Args, egress: &EgressRule) -> Result<ServerPatch, Faults> {
    let mut faults = Faults::default();
    let settings = args.change("settings", Args::object);
    let patch = ServerPatch {
        name: args.parse("name", &mut faults, text::display_name),
        slug: args.parse("slug", &mut faults, Slug::parse),
        status: args.text("status").and_then(ServerStatus::parse),
        auth_type: args.text("auth_type").and_then(EndpointAuth::parse),
        rate_limit_per_min: args.integer("rate_limit_per_min"),
        settings: settings.try_map(|object| faults.ok_or_record(SentSettings::parse(object))),
    };
    if let Some(settings) = args.object("settings") {
        let credentials = &settings.to_value()["test_credentials"]["auth_credentials"];
        let field = "settings[test_credentials][auth_credentials]";
        faults.ok_or_record(destinations::check_credentials(field, credentials, egress));
    }
    faults.into_result(patch)
}

/// A server to create for `owner`.
pub(super) fn new_server(args: &Args, egress: &EgressRule, owner: UserId) -> Result<NewServer, RestError> {
    let patch = patch(args, egress)?;
    let spec = ServerSpec::new(patch.name.clone().unwrap_or_default());
    Ok(NewServer { user_id: owner, public_id: toolgate_auth::random_public_id()?, spec, patch })
}

async fn list_servers(request: ApiRequest) -> Result<ApiReply, RestError> {
    let args = &request.args;
    let page = args.page(DEFAULT_PAGE_SIZE).unwrap_or(Page { number: 1, size: DEFAULT_PAGE_SIZE });
    let search = args.text("search").map(str::trim).filter(|text| !text.is_empty());
    let query = ServerQuery {
        status: args.text("status").and_then(ServerStatus::parse),
        search: search.map(str::to_owned),
        sort: args.text("orderby").and_then(ServerSort::parse).unwrap_or(ServerSort::CreatedAt),
        direction: if args.text("order") == Some("ASC") { Direction::Asc } else { Direction::Desc },
        page,
    };
    let listing = request.storage().list_servers(request.visibility(), query).await?;
    ApiReply::list(&request, &listing, Some(page), |server| ServerOut::new(server, &request.base_url))
}

async fn create(request: ApiRequest) -> Result<ApiReply, RestError> {
    let new = new_server(&request.args, &request.context.config.egress, request.principal()?.user_id())?;
    let server = request.storage().create_server(&request.actor()?, new).await?;
    ApiReply::created(&ServerOut::new(&server, &request.base_url), &request.link(&format!("/servers/{}", server.id)))
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let server = request.storage().server(request.visibility(), request.target_server_id()).await?;
    ApiReply::ok(&ServerOut::new(&server, &request.base_url))
}

async fn update(request: ApiRequest) -> Result<ApiReply, RestError> {
    let patch = patch(&request.args, &request.context.config.egress)?;
    let id = request.target_server_id();
    let server = request.storage().update_server(&request.actor()?, request.visibility(), id, patch).await?;
    ApiReply::ok(&ServerOut::new(&server, &request.base_url))
}

async fn delete(request: ApiRequest) -> Result<ApiReply, RestError> {
    let server =
        request.storage().delete_server(&request.actor()?, request.visibility(), request.target_server_id()).await?;
    ApiReply::deleted(&ServerOut::new(&server, &request.base_url))
}

async fn toggle(request: ApiRequest) -> Result<ApiReply, RestError> {
    let server =
        request.storage().toggle_server(&request.actor()?, request.visibility(), request.target_server_id()).await?;
    Ok(ApiReply::ok(&ServerOut::new(&server, &request.base_url))?.retain_fields(TOGGLED_FIELDS))
}

async fn duplicate(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (id, public_id) = (request.target_server_id(), toolgate_auth::random_public_id()?);
    let server = request.storage().duplicate_server(&request.actor()?, request.visibility(), id, public_id).await?;
    ApiReply::created(&ServerOut::new(&server, &request.base_url), &request.link(&format!("/servers/{}", server.id)))
}
