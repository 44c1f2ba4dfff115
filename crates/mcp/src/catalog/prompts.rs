//! The prompts of a server.

use std::collections::HashMap;

use toolgate_domain::prompt::{Prompt, PromptArgument};
use toolgate_execution::content::write_json_string;

use super::lists::{ListsByEra, write_array, write_raw_member, write_text_member};

/// The prompts of a server.
#[derive(Debug)]
pub(crate) struct PublishedPrompts {
    by_name: HashMap<String, Prompt>,
    pub(crate) lists: ListsByEra,
}

impl PublishedPrompts {
    pub(super) fn compile(stored: Vec<Prompt>) -> Self {
        let lists = ListsByEra::new("prompts", &stored, |prompt, _, out| write_prompt(prompt, out));
        Self { by_name: stored.into_iter().map(|prompt| (prompt.spec.name.clone(), prompt)).collect(), lists }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Prompt> {
        self.by_name.get(name)
    }
}

fn write_prompt(prompt: &Prompt, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(&prompt.spec.name, out);
    write_text_member("description", &prompt.spec.description, out);
    out.push(b',');
    write_array("arguments", &prompt.spec.arguments, write_argument, out);
    out.push(b'}');
}

fn write_argument(argument: &PromptArgument, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    write_json_string(&argument.name, out);
    if !argument.description.is_empty() {
        write_text_member("description", &argument.description, out);
    }
    write_raw_member("required", if argument.required { "true" } else { "false" }, out);
    out.push(b'}');
}
