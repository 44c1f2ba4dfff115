//! `/servers/{server_id}/prompts`.

use serde_json::json;
use toolgate_domain::change::Change;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::prompt::{ARGUMENTS_MAX, Messages, PromptArgument, PromptPatch, PromptSpec};
use toolgate_domain::text::{self, DESCRIPTION_MAX, IDENTIFIER_MAX, IDENTIFIER_PATTERN};

use super::{DEFAULT_PAGE_SIZE, deletion_doc, force_arg, object_doc, paged_list_doc, paging_args};
use crate::error::RestError;
use crate::params::{Arg, Args, Items};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Route, handler};
use crate::wire::PromptOut;

pub(super) fn routes() -> Vec<Route> {
    let (list_path, object_path) = ("/servers/{server_id}/prompts", "/servers/{server_id}/prompts/{id}");
    vec![
        Route::read(
            list_path,
            "listPrompts",
            "List the prompts of a server: all of them, unless page or per_page is sent.",
            handler!(list_prompts),
        )
        .args(paging_args().to_vec())
        .reply(paged_list_doc::<PromptOut<'_>>()),
        Route::create(list_path, "createPrompt", "Create a prompt.", handler!(create))
            .args(fields(true))
            .rules(|args, _| patch(args).map(drop))
            .reply(object_doc::<PromptOut<'_>>(201))
            .errors(&[409]),
        Route::read(object_path, "getPrompt", "Get a prompt.", handler!(get)).reply(object_doc::<PromptOut<'_>>(200)),
        Route::update(
            object_path,
            "updatePrompt",
            "Update a prompt. Fields that are not sent stay unchanged.",
            handler!(update),
        )
        .args(fields(false))
        .rules(|args, _| patch(args).map(drop))
        .reply(object_doc::<PromptOut<'_>>(200))
        .errors(&[409]),
        Route::delete(object_path, "deletePrompt", "Delete a prompt.", handler!(delete))
            .args(vec![force_arg()])
            .reply(deletion_doc::<PromptOut<'_>>()),
    ]
}

pub(super) fn fields(is_create: bool) -> Vec<Arg> {
    let name = Arg::text("name", usize::MAX, "Name used in prompts/get.")
        .with_schema(json!({"pattern": IDENTIFIER_PATTERN, "minLength": 1, "maxLength": IDENTIFIER_MAX}));
    let argument = json!({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "minLength": 1}, "description": {"type": "string"}, "required": {"type": "boolean"},
        "values": {"type": "array", "items": {"type": "string"}}}});
    let message = json!({"type": "object", "required": ["role", "content"], "properties": {
        "role": {"type": "string", "enum": ["user", "assistant"]}, "content": {"type": "object", "required": ["type"]}}});
    let template = Arg::text(
        "template_content",
        usize::MAX,
        "Prompt text with {{argument_name}} placeholders; required without messages.",
    );
    vec![
        if is_create { name.required() } else { name },
        Arg::text("description", DESCRIPTION_MAX, "What the prompt is for."),
        Arg::array(
            "arguments",
            Items::Objects,
            "Arguments: name, description, required, and values offered by completion.",
        )
        .with_schema(json!({"items": argument, "maxItems": ARGUMENTS_MAX})),
        if is_create { template.required_without("messages") } else { template },
        Arg::array("messages", Items::Objects, "Structured MCP messages instead of the text; null removes them.")
            .with_schema(json!({"items": message, "minItems": 1, "maxItems": ARGUMENTS_MAX}))
            .nullable(),
    ]
}

fn patch(args: &Args) -> Result<PromptPatch, Faults> {
    let mut faults = Faults::default();
    let patch = PromptPatch {
        name: args.parse("name", &mut faults, text::identifier),
        description: args.parse("description", &mut faults, text::description),
        arguments: args
            .items("arguments")
            .and_then(|items| faults.ok_or_record(PromptArgument::parse_list("arguments", items))),
        template_content: args.parse("template_content", &mut faults, text::content),
        messages: args
            .change("messages", Args::items)
            .try_map(|items| faults.ok_or_record(Messages::parse("messages", items))),
    };
    // A prompt with messages has an empty text, so a client may send both back together.
    let is_blank = patch.template_content.as_deref().is_some_and(|text| text.trim().is_empty());
    if is_blank && !matches!(patch.messages, Change::Set(_)) {
        faults.push(Fault::empty("template_content"));
    }
    faults.into_result(patch)
}

/// A prompt to create.
pub(super) fn new_prompt(args: &Args) -> Result<PromptSpec, Faults> {
    let mut spec = PromptSpec::new(String::new());
    spec.apply(patch(args)?);
    Ok(spec)
}

async fn list_prompts(request: ApiRequest) -> Result<ApiReply, RestError> {
    let page = request.args.page(DEFAULT_PAGE_SIZE);
    let listing = request.storage().list_prompts(request.visibility(), request.parent_server_id(), page).await?;
    ApiReply::list(&request, &listing, page, PromptOut::from)
}

async fn create(request: ApiRequest) -> Result<ApiReply, RestError> {
    let spec = new_prompt(&request.args)?;
    let prompt = request
        .storage()
        .create_prompt(&request.actor()?, request.visibility(), request.parent_server_id(), spec)
        .await?;
    let location = request.link(&format!("/servers/{}/prompts/{}", prompt.server_id, prompt.id));
    ApiReply::created(&PromptOut::from(&prompt), &location)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let prompt =
        request.storage().prompt(request.visibility(), request.parent_server_id(), request.prompt_id()).await?;
    ApiReply::ok(&PromptOut::from(&prompt))
}

async fn update(request: ApiRequest) -> Result<ApiReply, RestError> {
    let patch = patch(&request.args)?;
    let (server_id, id) = (request.parent_server_id(), request.prompt_id());
    let prompt = request.storage().update_prompt(&request.actor()?, request.visibility(), server_id, id, patch).await?;
    ApiReply::ok(&PromptOut::from(&prompt))
}

async fn delete(request: ApiRequest) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.parent_server_id(), request.prompt_id());
    let prompt = request.storage().delete_prompt(&request.actor()?, request.visibility(), server_id, id).await?;
    ApiReply::deleted(&PromptOut::from(&prompt))
}
