//! Limits of a document, and the warnings that parsing it collects.

use crate::api::document::DocumentError;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;

/// Maximum size of a document, in bytes.
pub(super) const BYTES_MAX: usize = 10 << 20;
/// Maximum number of JSON values in a document: scalars, lists and objects.
const NODES_MAX: usize = 2_000_000;
/// Maximum depth of nesting.
const DEPTH_MAX: usize = 200;
/// Maximum number of values that YAML aliases add.
pub(super) const ALIASED_NODES_MAX: usize = 100_000;
/// Maximum nesting of aliases within the values of other aliases.
pub(super) const ALIAS_DEPTH_MAX: usize = 16;
/// Maximum number of values that are copied because they have an anchor.
pub(super) const ANCHORED_NODES_MAX: usize = 1_000_000;
/// Maximum number of warnings about duplicate keys.
pub(super) const WARNINGS_MAX: usize = 20;

/// The counters and warnings of a document while it is parsed.
#[derive(Default)]
pub(super) struct ParseState {
    nodes: usize,
    depth: usize,
    removed_characters: usize,
    warnings: Vec<ApiWarning>,
}

/// A limit of a document.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExceededLimit {
    Nodes,
    Depth,
    AliasedNodes,
    AliasDepth,
    AnchoredNodes,
}

impl ExceededLimit {
    /// The error for the value at `pointer`.
    pub(super) fn at(self, pointer: &Pointer) -> DocumentError {
        let message = match self {
            Self::Nodes => format!("The document must have at most {NODES_MAX} values."),
            Self::Depth => format!("The document must not be nested more than {DEPTH_MAX} levels deep."),
            Self::AliasedNodes => format!("The aliases of the document must add at most {ALIASED_NODES_MAX} values."),
            Self::AliasDepth => format!("Aliases must not be nested more than {ALIAS_DEPTH_MAX} levels deep."),
            Self::AnchoredNodes => {
                format!("The anchors of the document must name at most {ANCHORED_NODES_MAX} values.")
            }
        };
        DocumentError::TooLarge { message, pointer: pointer.to_string() }
    }
}

impl ParseState {
    /// Counts `number` values.
    pub(super) fn add_nodes(&mut self, number: usize) -> Result<(), ExceededLimit> {
        self.nodes = self.nodes.saturating_add(number);
        if self.nodes > NODES_MAX { Err(ExceededLimit::Nodes) } else { Ok(()) }
    }

    /// Enters a list or an object.
    pub(super) fn enter(&mut self) -> Result<(), ExceededLimit> {
        self.depth += 1;
        if self.depth > DEPTH_MAX { Err(ExceededLimit::Depth) } else { Ok(()) }
    }

    /// Leaves a list or an object.
    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// How many more levels may be nested at the current position.
    pub(super) fn remaining_depth(&self) -> usize {
        DEPTH_MAX.saturating_sub(self.depth)
    }

    pub(super) fn count_removed(&mut self, number: usize) {
        self.removed_characters += number;
    }

    /// Adds a warning about the duplicate key at `pointer`.
    pub(super) fn warn_duplicate_key(&mut self, pointer: Pointer) {
        if self.warnings.len() < WARNINGS_MAX {
            let message = "The key occurs more than once in its object; the last value is used.".to_owned();
            self.warnings.push(ApiWarning { code: "duplicate_key", message, pointer });
        }
    }

    pub(super) fn into_warnings(mut self) -> Vec<ApiWarning> {
        if self.removed_characters > 0 {
            let message =
                format!("{} control or invisible characters of the document were removed.", self.removed_characters);
            self.warnings.push(ApiWarning { code: "characters_removed", message, pointer: Pointer::root() });
        }
        self.warnings
    }
}
