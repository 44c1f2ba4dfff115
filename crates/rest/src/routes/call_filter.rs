//! `server`, `tool` and `client`: whose calls. What is not there, or somebody else's, has none.

use toolgate_domain::ids::{ServerId, ToolId};

use crate::params::{Arg, Args};

/// Which calls, as far as these three say.
#[derive(Clone, Debug, Default)]
pub(super) struct CallFilter {
    pub(super) server: Option<ServerId>,
    pub(super) tool: Option<ToolId>,
    pub(super) client: Option<String>,
}

impl CallFilter {
    pub(super) fn args() -> [Arg; 3] {
        [
            Arg::integer("server", &(1..=i64::MAX), "Only calls of this server, by its numeric id.")
                .in_query()
                .may_be_empty(),
            Arg::integer("tool", &(1..=i64::MAX), "Only calls of this tool, by its id.").in_query().may_be_empty(),
            Arg::text("client", 200, "Only calls of this type of client, such as cursor; empty for all.").in_query(),
        ]
    }

    pub(super) fn read(args: &Args) -> Self {
        Self {
            server: args.integer("server").map(ServerId),
            tool: args.integer("tool").map(ToolId),
            client: args.text("client").filter(|client| !client.is_empty()).map(str::to_owned),
        }
    }
}
