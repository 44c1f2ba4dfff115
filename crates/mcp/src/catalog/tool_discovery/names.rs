//! The names of tools in lists that are adapted to a client.

use std::collections::HashSet;

use ahash::HashMap;
use toolgate_discovery::profile::profile_name;
use toolgate_domain::client_profile::ClientProfile;

use super::definitions::ToolDefinition;

/// For each profile, the adapted names that differ from the names of the tools.
#[derive(Debug)]
pub(super) struct ProfileNames {
    by_profile: Vec<(ClientProfile, HashMap<String, String>)>,
}

impl ProfileNames {
    pub(super) fn new(definitions: &[ToolDefinition<'_>]) -> Self {
        let by_profile = ClientProfile::ALL.into_iter().map(|profile| (profile, adapted_names(profile, definitions)));
        Self { by_profile: by_profile.filter(|(_, names)| !names.is_empty()).collect() }
    }

    /// The name of the tool that a list shows under `listed`; the list of `profile` has precedence.
    pub(super) fn original(&self, profile: Option<ClientProfile>, listed: &str) -> Option<&str> {
        let own = self.by_profile.iter().filter(|(other, _)| Some(*other) == profile);
        let names = own.chain(&self.by_profile).map(|(_, names)| names);
        names.flat_map(|names| names.iter()).find(|(_, adapted)| *adapted == listed).map(|(name, _)| name.as_str())
    }

    /// The name under which the list of a profile shows a tool.
    pub(super) fn listed<'a>(&'a self, profile: ClientProfile, name: &'a str) -> &'a str {
        let names = self.by_profile.iter().find(|(other, _)| *other == profile).map(|(_, names)| names);
        names.and_then(|names| names.get(name)).map_or(name, String::as_str)
    }
}

/// The tools whose names the profile refuses, with names that it accepts and that no other tool has.
fn adapted_names(profile: ClientProfile, definitions: &[ToolDefinition<'_>]) -> HashMap<String, String> {
    let mut taken: HashSet<String> = definitions.iter().map(|tool| tool.name.clone().into_owned()).collect();
    let mut names = HashMap::default();
    for tool in definitions {
        let adapted = profile_name(profile, &tool.name).into_owned();
        if adapted != *tool.name {
            let unused = with_number(profile, adapted, &taken);
            taken.insert(unused.clone());
            names.insert(tool.name.clone().into_owned(), unused);
        }
    }
    names
}

/// The name, with a number at its end if it is taken; it stays within the length that the profile allows.
fn with_number(profile: ClientProfile, name: String, taken: &HashSet<String>) -> String {
    let chars_max = profile.name_chars_max().unwrap_or(usize::MAX);
    let numbered = (2..).map(|number| {
        let ending = format!("_{number}");
        let start: String = name.chars().take(chars_max.saturating_sub(ending.len())).collect();
        format!("{start}{ending}")
    });
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}
