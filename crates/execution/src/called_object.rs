//! What a call to an upstream is made for.

use toolgate_domain::ids::{ResourceId, ToolId};

/// The object that an upstream call is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CalledObject {
    Tool(ToolId),
    Resource(ResourceId),
}
