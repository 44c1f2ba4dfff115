//! Looking into a block.

use std::borrow::Cow;

use toolgate_domain::call::{CallId, CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};

use super::{Client, Head, Place, Rest, VERSION};

/// A block that can be looked at.
pub(in crate::sql::calls) struct Block<'a> {
    ids: Vec<i64>,
    head: Head<'a>,
    rests: &'a [u8],
}

/// A call in a block, before its rest is unpacked.
pub(in crate::sql::calls) struct Packed<'a> {
    pub(in crate::sql::calls) id: CallId,
    pub(in crate::sql::calls) outcome: u8,
    pub(in crate::sql::calls) place: usize,
    pub(in crate::sql::calls) client: usize,
    rest: &'a [u8],
}

impl<'a> Block<'a> {
    pub(in crate::sql::calls) fn open(packed: &'a [u8]) -> postcard::Result<Self> {
        let (ids, rest) = read_ids(packed)?;
        let (head, rests): (Head<'_>, _) = postcard::take_from_bytes(rest)?;
        if head.keys.len() != ids.len() {
            return Err(postcard::Error::DeserializeBadEncoding);
        }
        Ok(Self { ids, head, rests })
    }

    /// Where its calls belong; a call has the number of one.
    pub(in crate::sql::calls) fn places(&self) -> &[Place] {
        &self.head.places
    }

    /// Who called; a call has the number of one.
    pub(in crate::sql::calls) fn clients(&self) -> &[Client<'a>] {
        &self.head.clients
    }

    /// Its calls, oldest first.
    pub(in crate::sql::calls) fn calls(&self) -> impl Iterator<Item = Packed<'a>> {
        let mut rests = self.rests;
        self.ids.iter().zip(&self.head.keys).map(move |(id, key)| {
            let (rest, others) = rests.split_at_checked(index(key.length)).unwrap_or_default();
            rests = others;
            Packed { id: CallId(*id), outcome: key.outcome, place: index(key.place), client: index(key.client), rest }
        })
    }

    /// All of a call of this block, but what was captured; and whether anything was.
    pub(in crate::sql::calls) fn unpack(&self, call: &Packed<'_>) -> postcard::Result<(CallRecord, bool)> {
        let rest: Rest<'_> = postcard::from_bytes(call.rest)?;
        let known = self.head.places.get(call.place).zip(self.head.clients.get(call.client));
        let (place, client) = known.ok_or(postcard::Error::DeserializeBadEncoding)?;
        let record = CallRecord {
            at: call.id.time(),
            user_id: UserId(place.user),
            server_id: ServerId(place.server),
            tool_id: ToolId(place.tool),
            client_type: client.kind.to_owned(),
            client_name: client.name.map(str::to_owned),
            protocol_version: client.protocol_version.map(|version| Cow::Owned(version.to_owned())),
            failure: FailureReason::of_number(call.outcome),
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

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
