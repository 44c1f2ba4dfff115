//! Reads calls from a block.

use std::borrow::Cow;

use toolgate_domain::call::{CallId, CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};

use super::{BlockHeader, CallDetails, CallTarget, PackedClient, VERSION};

/// A block with its header decoded.
pub(in crate::sql::calls) struct CallBlock<'a> {
    ids: Vec<i64>,
    header: BlockHeader<'a>,
    details: &'a [u8],
}

/// A call in a block whose details are not unpacked yet.
pub(in crate::sql::calls) struct PackedCall<'a> {
    pub(in crate::sql::calls) id: CallId,
    pub(in crate::sql::calls) outcome: u8,
    pub(in crate::sql::calls) target: usize,
    pub(in crate::sql::calls) client: usize,
    details: &'a [u8],
}

impl<'a> CallBlock<'a> {
    pub(in crate::sql::calls) fn open(packed: &'a [u8]) -> postcard::Result<Self> {
        let (ids, rest) = read_ids(packed)?;
        let (header, details): (BlockHeader<'_>, _) = postcard::take_from_bytes(rest)?;
        if header.keys.len() != ids.len() {
            return Err(postcard::Error::DeserializeBadEncoding);
        }
        Ok(Self { ids, header, details })
    }

    /// Targets of the calls, indexed by [`PackedCall::target`].
    pub(in crate::sql::calls) fn targets(&self) -> &[CallTarget] {
        &self.header.targets
    }

    /// Clients of the calls, indexed by [`PackedCall::client`].
    pub(in crate::sql::calls) fn clients(&self) -> &[PackedClient<'a>] {
        &self.header.clients
    }

    /// The calls of the block, oldest first.
    pub(in crate::sql::calls) fn calls(&self) -> impl Iterator<Item = PackedCall<'a>> {
        let mut remaining = self.details;
        self.ids.iter().zip(&self.header.keys).map(move |(id, key)| {
            // A truncated block yields empty details, which fail to unpack.
            let (details, rest) = remaining.split_at_checked(to_index(key.length)).unwrap_or_default();
            remaining = rest;
            PackedCall {
                id: CallId(*id),
                outcome: key.outcome,
                target: to_index(key.target),
                client: to_index(key.client),
                details,
            }
        })
    }

    /// Unpacks a call of this block, without its captured payload. The flag says whether there is a payload.
    pub(in crate::sql::calls) fn unpack(&self, call: &PackedCall<'_>) -> postcard::Result<(CallRecord, bool)> {
        let details: CallDetails<'_> = postcard::from_bytes(call.details)?;
        let entries = self.header.targets.get(call.target).zip(self.header.clients.get(call.client));
        let (target, client) = entries.ok_or(postcard::Error::DeserializeBadEncoding)?;
        let record = CallRecord {
            at: call.id.time(),
            user_id: UserId(target.user),
            server_id: ServerId(target.server),
            tool_id: ToolId(target.tool),
            client_type: client.kind.to_owned(),
            client_name: client.name.map(str::to_owned),
            protocol_version: client.protocol_version.map(|version| Cow::Owned(version.to_owned())),
            failure: FailureReason::from_number(call.outcome),
            upstream_status: details.upstream_status,
            duration_us: details.duration_us,
            upstream_us: details.upstream_us,
            request_bytes: details.request_bytes,
            response_bytes: details.response_bytes,
            cache_hit: details.cache_hit,
            request_id: details.request_id.to_owned(),
            captured: None,
        };
        Ok((record, details.is_captured))
    }
}

/// The ids of a block, oldest first.
pub(in crate::sql::calls) fn ids(packed: &[u8]) -> postcard::Result<Vec<i64>> {
    read_ids(packed).map(|(ids, _)| ids)
}

/// Reads the ids, which are stored as differences, and returns them with the rest of the block.
fn read_ids(packed: &[u8]) -> postcard::Result<(Vec<i64>, &[u8])> {
    let rest = packed.strip_prefix(&[VERSION]).ok_or(postcard::Error::DeserializeBadEncoding)?;
    let (mut ids, rest): (Vec<i64>, _) = postcard::take_from_bytes(rest)?;
    let mut previous = 0_i64;
    for id in &mut ids {
        previous = previous.saturating_add(*id);
        *id = previous;
    }
    Ok((ids, rest))
}

fn to_index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
