//! Prompts.

use serde::Serialize;
use toolgate_domain::prompt::{Messages, Prompt, PromptArgument};
use toolgate_domain::time::Timestamp;
use utoipa::ToSchema;

/// A prompt.
#[derive(Serialize, ToSchema)]
pub(crate) struct PromptOut<'a> {
    id: i64,
    server_id: i64,
    name: &'a str,
    description: &'a str,
    #[schema(value_type = Vec<Object>)]
    arguments: &'a [PromptArgument],
    template_content: &'a str,
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Option<&'a Messages>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = String)]
    updated_at: Timestamp,
}

impl<'a> From<&'a Prompt> for PromptOut<'a> {
    fn from(prompt: &'a Prompt) -> Self {
        Self {
            id: prompt.id.0,
            server_id: prompt.server_id.0,
            name: &prompt.spec.name,
            description: &prompt.spec.description,
            arguments: &prompt.spec.arguments,
            template_content: &prompt.spec.template_content,
            messages: prompt.spec.messages.as_ref(),
            created_at: prompt.created_at,
            updated_at: prompt.updated_at,
        }
    }
}
