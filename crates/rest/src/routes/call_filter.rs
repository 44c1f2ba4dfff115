//! The filters `server`, `tool` and `client`. An id that does not exist or belongs to another user matches no calls.

use toolgate_domain::ids::{ServerId, ToolId};

use crate::params::{arguments, typed_arg as arg};

arguments! {
    /// A filter on calls.
    #[derive(Clone, Debug, Default)]
    pub(super) struct CallFilter {
        server: Option<ServerId> =
            arg::integer(&(1..=i64::MAX), "Numeric id of a server; only its calls.").in_query().may_be_empty(),
        tool: Option<ToolId> = arg::integer(&(1..=i64::MAX), "Id of a tool; only its calls.").in_query().may_be_empty(),
        client: Option<String> =
            arg::text(200, "Type of client, such as cursor; only its calls. Empty for all.").in_query().may_be_empty(),
    }
}
