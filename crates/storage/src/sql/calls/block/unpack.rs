//! Reads calls from a block.

use std::borrow::Cow;

use toolgate_domain::call::{CallId, CallOrigin, CallRecord, FailureReason};
use toolgate_domain::ids::{ServerId, ToolId, UserId};

use super::{BlockHeader, CallDetails, CallTarget, OriginColumn, PackedClient, VERSION, VERSION_WITHOUT_ORIGINS};

/// A block with its header decoded.
pub(in crate::sql::calls) struct CallBlock<'a> {
    ids: Vec<i64>,
    header: BlockHeader<'a>,
    origins: OriginColumn,
    details: &'a [u8],
}

/// A call in a block whose details are not unpacked yet.
pub(in crate::sql::calls) struct PackedCall<'a> {
    pub(in crate::sql::calls) id: CallId,
    pub(in crate::sql::calls) outcome: u8,
    pub(in crate::sql::calls) target: usize,
    pub(in crate::sql::calls) client: usize,
    pub(in crate::sql::calls) origin: usize,
    details: &'a [u8],
}

impl<'a> CallBlock<'a> {
    pub(in crate::sql::calls) fn open(packed: &'a [u8]) -> postcard::Result<Self> {
        let (ids, rest) = read_ids(packed)?;
        let (header, rest): (BlockHeader<'_>, _) = postcard::take_from_bytes(rest)?;
        let (origins, details) = if packed.first() == Some(&VERSION_WITHOUT_ORIGINS) {
            (OriginColumn { origins: vec![CallOrigin::default()], indexes: vec![0; ids.len()] }, rest)
        } else {
            postcard::take_from_bytes(rest)?
        };
        if header.keys.len() != ids.len() || origins.indexes.len() != ids.len() {
            return Err(postcard::Error::DeserializeBadEncoding);
        }
        Ok(Self { ids, header, origins, details })
    }

    /// Targets of the calls, indexed by [`PackedCall::target`].
    pub(in crate::sql::calls) fn targets(&self) -> &[CallTarget] {
        &self.header.targets
    }

    /// Clients of the calls, indexed by [`PackedCall::client`].
    pub(in crate::sql::calls) fn clients(&self) -> &[PackedClient<'a>] {
        &self.header.clients
    }

    /// Origins of the calls, indexed by [`PackedCall::origin`].
    pub(in crate::sql::calls) fn origins(&self) -> &[CallOrigin] {
        &self.origins.origins
    }

    /// The calls of the block, oldest first.
    pub(in crate::sql::calls) fn calls(&self) -> impl Iterator<Item = PackedCall<'a>> {
        let mut remaining = self.details;
        self.ids.iter().zip(&self.header.keys).zip(&self.origins.indexes).map(move |((id, key), origin)| {
            // A truncated block yields empty details, which fail to unpack.
            let (details, rest) = remaining.split_at_checked(to_index(key.length)).unwrap_or_default();
            remaining = rest;
            PackedCall {
                id: CallId(*id),
                outcome: key.outcome,
                target: to_index(key.target),
                client: to_index(key.client),
                origin: to_index(*origin),
                details,
            }
        })
    }

    /// Unpacks a call of this block, without its captured payload. The flag says whether there is a payload.
    pub(in crate::sql::calls) fn unpack(&self, call: &PackedCall<'_>) -> postcard::Result<(CallRecord, bool)> {
        let (details, rest): (CallDetails<'_>, _) = postcard::take_from_bytes(call.details)?;
        let tokens = if rest.is_empty() { None } else { Some(postcard::from_bytes(rest)?) };
        let missing = postcard::Error::DeserializeBadEncoding;
        let target = self.header.targets.get(call.target).ok_or(missing.clone())?;
        let client = self.header.clients.get(call.client).ok_or(missing.clone())?;
        let origin = self.origins.origins.get(call.origin).ok_or(missing)?;
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
            tokens,
            request_id: details.request_id.to_owned(),
            origin: *origin,
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
    let Some((&(VERSION | VERSION_WITHOUT_ORIGINS), rest)) = packed.split_first() else {
        return Err(postcard::Error::DeserializeBadEncoding);
    };
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
