//! Packs calls into a block.

use std::hash::Hash;

use ahash::HashMap;
use toolgate_domain::call::FailureReason;

use super::{BlockHeader, CallDetails, CallKey, CallTarget, OriginColumn, PackedClient, VERSION};
use crate::sql::calls::incoming_call::IncomingCall;

/// Packs calls, which must be sorted by id.
pub(in crate::sql::calls) fn pack(calls: &[IncomingCall]) -> postcard::Result<Vec<u8>> {
    let (mut targets, mut clients, mut origins) = (Dictionary::default(), Dictionary::default(), Dictionary::default());
    let (mut keys, mut origin_indexes) = (Vec::with_capacity(calls.len()), Vec::with_capacity(calls.len()));
    let mut details = Vec::with_capacity(calls.len() * 48); // estimated bytes of the details of a call
    for IncomingCall { client_type, record, .. } in calls {
        let start = details.len();
        details = postcard::to_extend(&CallDetails::from_record(record), details)?;
        if let Some(tokens) = record.tokens {
            details = postcard::to_extend(&tokens, details)?;
        }
        keys.push(CallKey {
            target: targets.index_of(CallTarget::from_record(record)),
            client: clients.index_of(PackedClient::from_record(record, client_type)),
            outcome: record.failure.map_or(0, FailureReason::number),
            length: saturating_u32(details.len() - start),
        });
        origin_indexes.push(origins.index_of(record.origin));
    }
    // Estimates: 9 bytes for the id and the key of a call, 256 bytes for targets, clients and origins.
    let mut packed = Vec::with_capacity(details.len() + calls.len() * 9 + 256);
    packed.push(VERSION);
    packed = postcard::to_extend(&id_deltas(calls), packed)?;
    packed = postcard::to_extend(&BlockHeader { targets: targets.entries, clients: clients.entries, keys }, packed)?;
    packed = postcard::to_extend(&OriginColumn { origins: origins.entries, indexes: origin_indexes }, packed)?;
    packed.extend_from_slice(&details);
    Ok(packed)
}

/// The first id, then the difference of each id to the previous one.
fn id_deltas(calls: &[IncomingCall]) -> Vec<i64> {
    let mut previous = 0;
    calls.iter().map(|call| call.id.0 - std::mem::replace(&mut previous, call.id.0)).collect()
}

fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Distinct values and their indexes.
#[derive(Default)]
struct Dictionary<T> {
    entries: Vec<T>,
    indexes: HashMap<T, u32>,
}

impl<T: Copy + Eq + Hash> Dictionary<T> {
    fn index_of(&mut self, value: T) -> u32 {
        *self.indexes.entry(value).or_insert_with(|| {
            self.entries.push(value);
            saturating_u32(self.entries.len() - 1)
        })
    }
}
