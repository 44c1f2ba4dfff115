//! Selects the calls of a block that match a query.

use std::net::IpAddr;

use toolgate_domain::call::{CallCredential, CallId, CallOrigin};
use toolgate_domain::ids::EndpointKeyId;

use super::call_access::CallAccess;
use crate::calls::CallQuery;
use crate::sql::calls::bitmask::{CallBitmask, outcome_number_bit};
use crate::sql::calls::block::{CallBlock, CallTarget, PackedCall};
use crate::sql::calls::client_types::stored_type;

/// The conditions of a query; `None` matches every call.
#[derive(Default)]
pub(super) struct LogFilter {
    access: CallAccess,
    server: Option<i64>,
    tool: Option<i64>,
    client_type: Option<String>,
    endpoint_key: Option<EndpointKeyId>,
    caller: Option<CallCredential>,
    client_address: Option<IpAddr>,
    /// Bits as in [`CallBitmask::outcomes`].
    outcomes: Option<i64>,
    from: Option<CallId>,
    /// The end of the time range and the cursor, both exclusive.
    before: [Option<CallId>; 2],
}

impl LogFilter {
    pub(super) fn new(query: &CallQuery, access: CallAccess) -> Self {
        Self {
            access,
            server: query.server.map(|id| id.0),
            tool: query.tool.map(|id| id.0),
            client_type: query.client_type.as_deref().map(|name| stored_type(name).into_owned()),
            endpoint_key: query.endpoint_key,
            caller: query.caller,
            client_address: query.client_address,
            outcomes: query.outcome.map(CallBitmask::for_outcome),
            from: Some(query.first_id()),
            before: [query.until.map(CallId::first_at), query.before],
        }
    }

    /// Matches the call with this id, if the caller may see it.
    pub(super) fn for_call(access: CallAccess, id: CallId) -> Self {
        Self { access, from: Some(id), before: [Some(CallId(id.0.saturating_add(1))), None], ..Self::default() }
    }

    /// The matching calls of a block, oldest first. Targets, clients and origins are compared once for each block, not
    /// for each call.
    pub(super) fn matching_calls<'a>(&self, block: &CallBlock<'a>) -> Vec<PackedCall<'a>> {
        let targets: Vec<bool> = block.targets().iter().map(|target| self.matches_target(*target)).collect();
        let matches_client =
            |client_type: &str| self.client_type.as_deref().is_none_or(|expected| expected == client_type);
        let clients: Vec<bool> = block.clients().iter().map(|client| matches_client(client.kind)).collect();
        let origins: Vec<bool> = block.origins().iter().map(|origin| self.matches_origin(origin)).collect();
        let is_set = |flags: &[bool], index: usize| flags.get(index).copied().unwrap_or_default();
        let matches = |call: &PackedCall<'_>| {
            is_set(&targets, call.target)
                && is_set(&clients, call.client)
                && is_set(&origins, call.origin)
                && self.matches_time_and_outcome(call)
        };
        block.calls().filter(matches).collect()
    }

    fn matches_target(&self, target: CallTarget) -> bool {
        self.access.allows(target)
            && self.server.is_none_or(|server| server == target.server)
            && self.tool.is_none_or(|tool| tool == target.tool)
    }

    fn matches_origin(&self, origin: &CallOrigin) -> bool {
        self.endpoint_key.is_none_or(|key| origin.credential.endpoint_key() == Some(key))
            && self.caller.is_none_or(|caller| origin.credential == caller)
            && self.client_address.is_none_or(|address| origin.client_address == Some(address))
    }

    fn matches_time_and_outcome(&self, call: &PackedCall<'_>) -> bool {
        self.from.is_none_or(|from| call.id >= from)
            && self.before.iter().flatten().all(|before| call.id < *before)
            && self.outcomes.is_none_or(|outcomes| outcomes & outcome_number_bit(call.outcome) != 0)
    }
}
