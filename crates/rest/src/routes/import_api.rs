//! `/servers/{server_id}/tools/import-openapi` and its variants: reads a description of an API as candidates for tools,
//! and, with `commit`, creates the selected ones.

mod arguments;
pub(super) mod changes;
mod commit;
pub(super) mod comparison;
pub(super) mod credential_members;
mod credential_use;
pub(super) mod credentials;
mod refresh;
mod reply;
pub(super) mod source;
mod stored_import;
pub(super) mod stored_url;

use std::collections::HashMap;

use toolgate_domain::api_document::ApiDocument;
use toolgate_domain::fault::Fault;
use toolgate_domain::headers::SecretHeaders;
use toolgate_domain::ids::ServerId;
use toolgate_domain::member::ServerRole;
use toolgate_import::api::{self, options::ImportOptions, report::ApiImport};
use toolgate_storage::ToolFilter;

use self::arguments::ImportApiArgs;
use self::reply::ImportPreview;
use self::source::{DocumentSource, SourceArgs};
use self::stored_import::{find_document, given_credentials, known_operations};
use super::required_role::require_role;
use crate::concurrency_limit::ConcurrencyPermit;
use crate::error::RestError;
use crate::params::BodyFormat;
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};

/// The routes: operation id, path, and the format that the document must have.
const ROUTES: [(&str, &str, Option<&str>); 8] = [
    ("importOpenapi", "/servers/{server_id}/tools/import-openapi", None),
    ("importSwagger", "/servers/{server_id}/tools/import-swagger", Some("swagger")),
    ("importPostman", "/servers/{server_id}/tools/import-postman", Some("postman")),
    ("importHar", "/servers/{server_id}/tools/import-har", Some("har")),
    ("readOpenapi", "/tools/import-openapi", None),
    ("readSwagger", "/tools/import-swagger", Some("swagger")),
    ("readPostman", "/tools/import-postman", Some("postman")),
    ("readHar", "/tools/import-har", Some("har")),
];

pub(super) fn routes() -> Vec<Route> {
    let imports = ROUTES.into_iter().map(|(id, path, format)| route(id, path, format));
    imports.chain([refresh::route()]).collect()
}

fn route(id: &'static str, path: &'static str, format: Option<&'static str>) -> Route {
    Operation::new(id, summary(path.starts_with("/servers"), format))
        .create(path, move |request: ApiRequest, args: ImportApiArgs| import(request, args, format))
        .body_format(BodyFormat::Document)
        .reply(reply::doc())
        .errors(&[409])
}

fn summary(has_server: bool, format: Option<&str>) -> &'static str {
    match (has_server, format) {
        (true, Some("postman")) => {
            "Read a Postman collection as candidates for tools. With commit, create the tools of the selected \
             candidates, and store the collection and its credentials."
        }
        (true, Some("har")) => {
            "Read a recording of a browser (HAR) as candidates for tools. With commit, create the tools of the \
             selected candidates, and store the recording and its credentials."
        }
        (true, _) => {
            "Read an OpenAPI or Swagger document as candidates for tools. With commit, create the tools of the selected \
             candidates and store the document."
        }
        (false, Some("postman")) => {
            "Read a Postman collection as candidates for tools; nothing is created without server_id."
        }
        (false, Some("har")) => {
            "Read a recording of a browser (HAR) as candidates for tools; nothing is created without server_id."
        }
        (false, _) => {
            "Read an OpenAPI or Swagger document as candidates for tools; nothing is created without server_id."
        }
    }
}

async fn import(
    mut request: ApiRequest,
    args: ImportApiArgs,
    format: Option<&'static str>,
) -> Result<ApiReply, RestError> {
    let server_id = server_id(&request, &args);
    match server_id {
        Some(server) => require_role(&request, server, ServerRole::Editor).await?,
        None if args.commit => return Err(RestError::missing_params(&["server_id"])),
        None => {}
    }
    credential_use::check_values(args.credentials.as_ref())?;
    let user = request.principal()?.user_id();
    let permit = request.context.import_limit.try_acquire(user).ok_or_else(RestError::too_many_imports)?;
    let upload = request.upload.take();
    let source = source::load(&request, source_args(&args), upload).await?;
    request.renew_principal().await?;
    let known = match server_id {
        Some(server) => find_document(&request, server, &api::sha256(&source.content), source.url.as_deref()).await?,
        None => None,
    };
    let options = options(&args, &source, known.as_ref())?;
    if let (Some(document), Some(_), true) = (known, server_id, args.commit) {
        let check = |import: &ApiImport| check_format(import, format);
        return commit::commit_known(&request, &args, &document, source, options, (permit, &check)).await;
    }
    let (import, permit) = read(&source, options, permit).await?;
    check_format(&import, format)?;
    let format_found = import.format;
    let reply = match server_id {
        Some(server) if args.commit => commit::commit(&request, server, &args, import, source).await,
        Some(server) => preview(&request, server, import, shown_content(&args, &source, format_found)).await,
        None => ApiReply::ok(&ImportPreview { import: &import, content: shown_content(&args, &source, format_found) }),
    };
    drop(permit);
    reply
}

/// The content for the reply, if it was requested, has no credentials and is UTF-8.
fn shown_content<'a>(args: &ImportApiArgs, source: &'a DocumentSource, format: &str) -> Option<&'a str> {
    if args.include_content && !api::contains_credentials(format) { str::from_utf8(&source.content).ok() } else { None }
}

fn source_args(args: &ImportApiArgs) -> SourceArgs<'_> {
    SourceArgs {
        location: args.source,
        url: args.url.clone(),
        url_headers: args.url_headers.as_ref(),
        stored_headers: SecretHeaders::new(),
        is_stored: args.commit,
    }
}

/// The options for reading the document. A document that the server already has keeps the names of its tools, and its
/// overlay unless the request contains another one.
fn options(
    args: &ImportApiArgs,
    source: &DocumentSource,
    known: Option<&ApiDocument>,
) -> Result<ImportOptions, RestError> {
    let mut options = args.options(source.url.as_deref())?;
    if let Some(document) = known {
        options.known = known_operations(document);
        options.credentials.extend(given_credentials(document));
        if args.overlay.is_none() {
            options.overlay = document.overlay.to_map();
        }
    }
    Ok(options)
}

/// The server in the path, or among the arguments.
fn server_id(request: &ApiRequest, args: &ImportApiArgs) -> Option<ServerId> {
    let in_path = request.ids.iter().any(|(name, _)| *name == "server_id");
    if in_path { Some(request.parent_server_id()) } else { args.server_id }
}

/// Reads the document on a blocking thread, which holds the permit until it has finished, even if the client
/// disconnects.
async fn read(
    source: &DocumentSource,
    options: ImportOptions,
    permit: ConcurrencyPermit,
) -> Result<(ApiImport, ConcurrencyPermit), RestError> {
    let content = source.content.clone();
    let read = tokio::task::spawn_blocking(move || (api::read(&content, &options), permit)).await;
    let (import, permit) = read.map_err(|error| RestError::internal(&error))?;
    Ok((import?, permit))
}

fn check_format(import: &ApiImport, format: Option<&'static str>) -> Result<(), Fault> {
    match format {
        Some(expected) if expected != import.format => {
            let message = format!(
                "content: this route reads documents of the format {expected}, but this one is {found}. Use \
                 {}import-openapi, which reads every format.",
                if import.format == "openapi" { String::new() } else { format!("import-{}, or ", import.format) },
                found = import.format
            );
            Err(Fault::invalid_value("content", message))
        }
        _ => Ok(()),
    }
}

/// The candidates, each with the tool of the server that already has its name.
async fn preview(
    request: &ApiRequest,
    server: ServerId,
    mut import: ApiImport,
    content: Option<&str>,
) -> Result<ApiReply, RestError> {
    let filter = ToolFilter::default();
    let tools = request.storage().list_tools(request.visibility(), server, &filter, None).await?.items;
    let ids: HashMap<&str, i64> = tools.iter().map(|tool| (tool.spec.name.as_str(), tool.id.0)).collect();
    for candidate in &mut import.candidates {
        candidate.conflict = ids.get(candidate.name.as_str()).copied();
    }
    ApiReply::ok(&ImportPreview { import: &import, content })
}
