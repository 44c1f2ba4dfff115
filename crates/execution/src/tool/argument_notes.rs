//! The arguments of a tool, for notes and advice about its calls.

use toolgate_domain::closest::closest_name;
use toolgate_shaping::narrowing_arguments;

use super::CompiledTool;
use super::arguments::ValidArguments;
use crate::arguments::shown_value;

/// How many unknown arguments a note names.
const UNKNOWN_MAX: usize = 3;

impl CompiledTool {
    /// The arguments with which a call can ask for less data, such as `limit`.
    pub(crate) fn filter_arguments(&self, count_max: usize) -> Vec<String> {
        let narrowing = narrowing_arguments(self.input_schema.declared_arguments(), count_max);
        narrowing.into_iter().map(str::to_owned).collect()
    }

    /// The argument that is sent under this upstream name, if its own name is another.
    pub(crate) fn argument_for(&self, upstream_name: &str) -> Option<&str> {
        self.target.as_ref()?.destinations.argument_for(upstream_name)
    }

    /// The arguments in the path with their values, such as `ticket_id ("T-77")`. Secret values are not shown.
    pub(crate) fn shown_path_arguments(&self, arguments: &ValidArguments) -> Vec<String> {
        let Some(target) = &self.target else { return Vec::new() };
        let names = target.destinations.path_arguments(&target.endpoint);
        let shown = names.into_iter().filter_map(|name| {
            let value = serde_json::from_str(arguments.members().get(name)?).ok()?;
            let is_secret = self.input_schema.is_secret_argument(name);
            Some(if is_secret { name.to_owned() } else { format!("{name} ({})", shown_value(&value)) })
        });
        shown.collect()
    }

    /// A note about arguments that the tool does not have and that were not sent. If the upstream returns MCP results,
    /// it gets all arguments.
    pub(crate) fn unknown_arguments_note(&self, arguments: &ValidArguments) -> Option<String> {
        let destinations = &self.target.as_ref().filter(|_| !self.returns_mcp_result)?.destinations;
        let mut unknown = arguments.members().keys().filter(|name| !destinations.sends(name)).peekable();
        unknown.peek()?;
        let declared = self.input_schema.declared_arguments();
        let unknown = unknown.filter(|name| !declared.contains(name.as_str())).take(UNKNOWN_MAX);
        let notes: Vec<String> = unknown
            .map(|name| {
                let unused = declared.iter().copied().filter(|name| !arguments.members().contains_key(*name));
                let meant = closest_name(name, unused).map(|meant| format!(": did you mean \"{meant}\"?"));
                let shown = shown_value(&serde_json::Value::from(name.as_str()));
                format!("{shown} is not an argument and was not sent{}", meant.unwrap_or_else(|| ".".to_owned()))
            })
            .collect();
        (!notes.is_empty()).then(|| notes.join(" "))
    }
}
