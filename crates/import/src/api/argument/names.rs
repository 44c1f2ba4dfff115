//! Gives each argument of a tool a valid and unique name.

use toolgate_domain::parameters::ParameterLocation;

use crate::api::argument::ArgumentDraft;
use crate::naming::{UniqueNames, to_argument_name, with_suffix};

/// The location with the lowest number keeps a name that several arguments want.
pub(super) fn precedence(location: ParameterLocation) -> u8 {
    match location {
        ParameterLocation::Path => 0,
        ParameterLocation::Query => 1,
        ParameterLocation::Header => 2,
        ParameterLocation::Cookie => 3,
        ParameterLocation::Body => 4,
    }
}

/// The names of the arguments, which are in the order of precedence. Names chosen by an overlay are assigned first,
/// then names of the document that are valid as they are, then the converted ones.
pub(super) fn assign(drafts: &[ArgumentDraft]) -> Vec<String> {
    let mut taken = UniqueNames::default();
    let mut names: Vec<Option<String>> =
        drafts.iter().map(|draft| Some(taken.take(draft.overlay.rename.as_deref()?))).collect();
    for is_valid_round in [true, false] {
        for (draft, name) in drafts.iter().zip(&mut names).filter(|(_, name)| name.is_none()) {
            let wanted = to_argument_name(&draft.document_name);
            if (wanted == draft.document_name) == is_valid_round {
                *name = Some(take(&mut taken, &wanted, draft));
            }
        }
    }
    names.into_iter().map(Option::unwrap_or_default).collect()
}

fn take(taken: &mut UniqueNames, wanted: &str, draft: &ArgumentDraft) -> String {
    let is_converted = wanted != draft.document_name;
    if taken.is_taken(wanted) && !is_converted {
        taken.take(&with_suffix(wanted, draft.location.as_str()))
    } else {
        taken.take(wanted)
    }
}
