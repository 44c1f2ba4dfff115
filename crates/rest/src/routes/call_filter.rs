//! The filters `server`, `tool` and `client`. An id that does not exist or belongs to another user matches no calls.

use toolgate_domain::ids::{ServerId, ToolId};

use crate::params::{Arg, Args};

/// A filter on calls.
#[derive(Clone, Debug, Default)]
pub(super) struct CallFilter {
    pub(super) server: Option<ServerId>,
    pub(super) tool: Option<ToolId>,
    pub(super) client: Option<String>,
}

impl CallFilter {
    pub(super) fn args() -> [Arg; 3] {
        [
            Arg::integer("server", &(1..=i64::MAX), "Numeric id of a server; only its calls.")
                .in_query()
                .may_be_empty(),
            Arg::integer("tool", &(1..=i64::MAX), "Id of a tool; only its calls.").in_query().may_be_empty(),
            Arg::text("client", 200, "Type of client, such as cursor; only its calls. Empty for all.").in_query(),
        ]
    }

    pub(super) fn from_args(args: &Args) -> Self {
        Self {
            server: args.integer("server").map(ServerId),
            tool: args.integer("tool").map(ToolId),
            client: args.text("client").filter(|client| !client.is_empty()).map(str::to_owned),
        }
    }
}
