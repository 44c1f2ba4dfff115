//! Looking into a block.

use std::borrow::Cow;

use toolgate_domain::call::{CallId, CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};

use super::{BlockHeader, CallDetails, CallTarget, PackedClient, VERSION};

/// A block that can be looked at.
pub(in crate::sql::calls) struct CallBlock<'a> {
    ids: Vec<i64>,
    header: BlockHeader<'a>,
    details: &'a [u8],
}

/// A call in a block, before its rest is unpacked.
pub(in crate::sql::calls) struct PackedCall<'a> {
    pub(in crate::sql::calls) id: CallId,
    pub(in crate::sql::calls) outcome: u8,
    pub(in crate::sql::calls) target: usize,
    pub(in crate::sql::calls) client: usize,
    rest: &'a [u8],
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

    /// Where its calls belong; a call has the number of one.
    pub(in crate::sql::calls) fn targets(&self) -> &[CallTarget] {
        &self.header.targets
    }

    /// Who called; a call has the number of one.
    pub(in crate::sql::calls) fn clients(&self) -> &[PackedClient<'a>] {
        &self.header.clients
    }

    /// Its calls, oldest first.
    pub(in crate::sql::calls) fn calls(&self) -> impl Iterator<Item = PackedCall<'a>> {
        let mut details = self.details;
        self.ids.iter().zip(&self.header.keys).map(move |(id, key)| {
            let (rest, others) = details.split_at_checked(to_index(key.length)).unwrap_or_default();
            details = others;
            PackedCall {
                id: CallId(*id),
                outcome: key.outcome,
                target: to_index(key.target),
                client: to_index(key.client),
                rest,
            }
        })
    }

    /// All of a call of this block, but what was captured; and whether anything was.
    pub(in crate::sql::calls) fn unpack(&self, call: &PackedCall<'_>) -> postcard::Result<(CallRecord, bool)> {
        let rest: CallDetails<'_> = postcard::from_bytes(call.rest)?;
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
            upstream_status: rest.upstream_status,
            duration_us: rest.duration_us,
            upstream_us: rest.upstream_us,
            request_bytes: rest.request_bytes,
            response_bytes: rest.response_bytes,
            cache_hit: rest.cache_hit,
            request_id: rest.request_id.to_owned(),
            captured: None,
        };
        Ok((record, rest.is_captured))
    }
}

/// The ids of a block, oldest first.
pub(in crate::sql::calls) fn ids(packed: &[u8]) -> postcard::Result<Vec<i64>> {
    read_ids(packed).map(|(ids, _)| ids)
}

fn read_ids(packed: &[u8]) -> postcard::Result<(Vec<i64>, &[u8])> {
    let rest = packed.strip_prefix(&[VERSION]).ok_or(postcard::Error::DeserializeBadEncoding)?;
    let (mut ids, rest): (Vec<i64>, _) = postcard::take_from_bytes(rest)?;
    let mut last = 0_i64;
    for id in &mut ids {
        last = last.saturating_add(*id);
        *id = last;
    }
    Ok((ids, rest))
}

fn to_index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
