//! `/servers/{server_id}/prompts`: the prompts of a server.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolgate_domain::change::Change;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::ids::PromptId;
use toolgate_domain::prompt::{Messages, PROMPT_ITEMS_MAX, PromptArgument, PromptPatch, PromptSpec};
use toolgate_domain::text::{self, DESCRIPTION_MAX, IDENTIFIER_MAX, IDENTIFIER_PATTERN};
use toolgate_execution::egress::EgressRule;

use super::{DeleteArgs, PagingArgs, deletion_doc, object_doc, paged_list_doc};
use crate::error::RestError;
use crate::params::{Items, arguments, typed_arg as arg};
use crate::reply::ApiReply;
use crate::request::ApiRequest;
use crate::route::{Operation, Route};
use crate::wire::prompt::PromptOut;

pub(super) fn routes() -> Vec<Route> {
    let (list_path, object_path) = ("/servers/{server_id}/prompts", "/servers/{server_id}/prompts/{id}");
    vec![
        Operation::new("listPrompts", "List the prompts of a server: all of them, unless page or per_page is sent.")
            .read(list_path, list_prompts)
            .reply(paged_list_doc::<PromptOut<'_>>()),
        Operation::new("createPrompt", "Create a prompt.")
            .create(list_path, create)
            .reply(object_doc::<PromptOut<'_>>(201))
            .body_part("PromptArgument", argument_schema())
            .body_part("PromptMessage", message_schema())
            .errors(&[409]),
        Operation::new("getPrompt", "Get a prompt.").read(object_path, get).reply(object_doc::<PromptOut<'_>>(200)),
        Operation::new("updatePrompt", "Update a prompt. Fields that are not sent stay unchanged.")
            .update(object_path, update)
            .reply(object_doc::<PromptOut<'_>>(200))
            .errors(&[409]),
        Operation::new("deletePrompt", "Delete a prompt.")
            .delete(object_path, delete)
            .reply(deletion_doc::<PromptOut<'_>>()),
    ]
}

arguments! {
    /// The fields of a prompt in a create or update request.
    pub(super) struct PromptFields checked by patch into PromptPatch {
        name: Option<String> = arg::text(usize::MAX, "Name used in prompts/get.")
            .with_schema(json!({"pattern": IDENTIFIER_PATTERN, "minLength": 1, "maxLength": IDENTIFIER_MAX}))
            .required_on_create()
            => text::identifier,
        description: Option<String> = arg::text(DESCRIPTION_MAX, "What the prompt is for.") => text::description,
        arguments: Option<Vec<Box<RawValue>>> = arg::array(
            Items::Objects,
            "Arguments: name, description, required, and values offered by completion.",
        )
        .with_schema(json!({"items": argument_schema(), "maxItems": PROMPT_ITEMS_MAX}))
        .drops_other_members()
        => PromptArgument::parse_list,
        template_content: Option<String> = arg::text(
            usize::MAX,
            "Prompt text with {{argument_name}} placeholders; required without messages.",
        )
        .required_on_create_without("messages")
        => text::content,
        messages: Change<Vec<Box<RawValue>>> =
            arg::array(Items::Objects, "Structured MCP messages instead of the text; null removes them.")
                .with_schema(json!({"items": message_schema(), "minItems": 1, "maxItems": PROMPT_ITEMS_MAX}))
                .nullable()
                => Messages::parse,
    }
}

fn argument_schema() -> Value {
    json!({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "minLength": 1}, "description": {"type": "string"}, "required": {"type": "boolean"},
        "values": {"type": "array", "items": {"type": "string"}}}})
}

fn message_schema() -> Value {
    json!({"type": "object", "required": ["role", "content"], "properties": {
        "role": {"type": "string", "enum": ["user", "assistant"]}, "content": {"type": "object", "required": ["type"]}}})
}

impl PromptFields {
    /// The patch that the request makes.
    fn patch(self, _: &EgressRule) -> Result<PromptPatch, Faults> {
        let mut faults = Faults::default();
        let patch = self.into_patch(&mut faults);
        // A prompt with messages may have no text, and a client may send back a prompt that it has read, so an empty
        // text is valid together with messages.
        let is_blank = patch.template_content.as_deref().is_some_and(|text| text.trim().is_empty());
        if is_blank && !matches!(patch.messages, Change::Set(_)) {
            faults.push(Fault::empty("template_content"));
        }
        faults.into_result(patch)
    }
}

/// A prompt to create.
pub(super) fn new_prompt(fields: PromptFields, egress: &EgressRule) -> Result<PromptSpec, Faults> {
    let mut spec = PromptSpec::new(String::new());
    spec.apply(fields.patch(egress)?);
    Ok(spec)
}

async fn list_prompts(request: ApiRequest, paging: PagingArgs) -> Result<ApiReply, RestError> {
    let page = paging.page();
    let listing = request.storage().list_prompts(request.visibility(), request.parent_server_id(), page).await?;
    ApiReply::list(&request, &listing, page, PromptOut::new)
}

async fn create(request: ApiRequest, fields: PromptFields) -> Result<ApiReply, RestError> {
    let spec = new_prompt(fields, &request.context.config.egress)?;
    let prompt = request
        .storage()
        .create_prompt(&request.actor()?, request.visibility(), request.parent_server_id(), spec)
        .await?;
    let location = request.link(&format!("/servers/{}/prompts/{}", prompt.server_id, prompt.id));
    ApiReply::created(&PromptOut::new(&prompt), &location)
}

async fn get(request: ApiRequest) -> Result<ApiReply, RestError> {
    let prompt =
        request.storage().prompt(request.visibility(), request.parent_server_id(), request.id(PromptId)).await?;
    ApiReply::ok(&PromptOut::new(&prompt))
}

async fn update(request: ApiRequest, fields: PromptFields) -> Result<ApiReply, RestError> {
    let patch = fields.patch(&request.context.config.egress)?;
    let (server_id, id) = (request.parent_server_id(), request.id(PromptId));
    let prompt = request.storage().update_prompt(&request.actor()?, request.visibility(), server_id, id, patch).await?;
    ApiReply::ok(&PromptOut::new(&prompt))
}

async fn delete(request: ApiRequest, _: DeleteArgs) -> Result<ApiReply, RestError> {
    let (server_id, id) = (request.parent_server_id(), request.id(PromptId));
    let prompt = request.storage().delete_prompt(&request.actor()?, request.visibility(), server_id, id).await?;
    ApiReply::deleted(&PromptOut::new(&prompt))
}
