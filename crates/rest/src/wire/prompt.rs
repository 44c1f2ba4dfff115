//! Prompts in replies.

use toolgate_domain::prompt::{Messages, Prompt, PromptArgument};
use toolgate_domain::time::Timestamp;

use crate::reply_object::reply_object;

reply_object! {
    /// A prompt.
    pub(crate) struct PromptOut<'a>(prompt: &'a Prompt) {
        id: i64 = prompt.id.0,
        server_id: i64 = prompt.server_id.0,
        name: &'a str = &prompt.spec.name,
        description: &'a str = &prompt.spec.description,
        arguments: &'a [PromptArgument] = &prompt.spec.arguments,
        template_content: &'a str = &prompt.spec.template_content,
        messages: Option<&'a Messages> = prompt.spec.messages.as_ref(),
        created_at: Timestamp = prompt.created_at,
        updated_at: Timestamp = prompt.updated_at,
    }
}
