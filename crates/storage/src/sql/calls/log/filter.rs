//! Which calls of a block were asked for.

use toolgate_domain::call::CallId;

use crate::CallQuery;
use crate::sql::calls::block::{Block, Packed, Place};
use crate::sql::calls::marks::{Marks, bit_of};
use crate::sql::calls::stored_type;
use crate::sql::server_lock::owner;

/// What a call must be; what is not said may be anything.
#[derive(Default)]
pub(super) struct Filter {
    owner: Option<i64>,
    server: Option<i64>,
    tool: Option<i64>,
    client_type: Option<String>,
    outcomes: Option<i64>,
    from: Option<CallId>,
    before: [Option<CallId>; 2],
}

impl Filter {
    pub(super) fn of(query: &CallQuery) -> Self {
        Self {
            owner: owner(query.visibility),
            server: query.server.map(|id| id.0),
            tool: query.tool.map(|id| id.0),
            client_type: query.client_type.as_deref().map(|name| stored_type(name).into_owned()),
            outcomes: query.outcome.map(Marks::of_outcome),
            from: query.from.map(CallId::first_at),
            before: [query.until.map(CallId::first_at), query.before],
        }
    }

    /// The call of this id, if this is its owner.
    pub(super) fn of_one(owner: Option<i64>, id: CallId) -> Self {
        Self { owner, from: Some(id), before: [Some(CallId(id.0.saturating_add(1))), None], ..Self::default() }
    }

    /// The calls of a block that were asked for, oldest first. What many share is looked at once.
    pub(super) fn wanted<'a>(&self, block: &Block<'a>) -> Vec<Packed<'a>> {
        let places: Vec<bool> = block.places().iter().map(|place| self.is_place(*place)).collect();
        let wanted = |client_type: &str| self.client_type.as_deref().is_none_or(|wanted| wanted == client_type);
        let clients: Vec<bool> = block.clients().iter().map(|client| wanted(client.kind)).collect();
        let is = |list: &[bool], number: usize| list.get(number).copied().unwrap_or_default();
        let is_wanted =
            |call: &Packed<'_>| is(&places, call.place) && is(&clients, call.client) && self.is_moment(call);
        block.calls().filter(is_wanted).collect()
    }

    fn is_place(&self, place: Place) -> bool {
        self.owner.is_none_or(|owner| owner == place.user)
            && self.server.is_none_or(|server| server == place.server)
            && self.tool.is_none_or(|tool| tool == place.tool)
    }

    fn is_moment(&self, call: &Packed<'_>) -> bool {
        self.from.is_none_or(|from| call.id >= from)
            && self.before.iter().flatten().all(|before| call.id < *before)
            && self.outcomes.is_none_or(|outcomes| outcomes & bit_of(call.outcome) != 0)
    }
}
