//! Packing.

use std::collections::HashMap;
use std::hash::Hash;

use toolgate_domain::call::FailureReason;

use super::{Client, Head, Key, Place, Rest, VERSION};
use crate::sql::calls::batch::Incoming;

/// Packs calls that are in the order of their ids.
pub(in crate::sql::calls) fn pack(calls: &[Incoming]) -> postcard::Result<Vec<u8>> {
    let (mut places, mut clients) = (Dictionary::default(), Dictionary::default());
    let mut keys = Vec::with_capacity(calls.len());
    let mut rests = Vec::with_capacity(calls.len() * 48);
    for Incoming { client_type, record, .. } in calls {
        let before = rests.len();
        rests = postcard::to_extend(&Rest::of(record), rests)?;
        keys.push(Key {
            place: places.number_of(Place::of(record)),
            client: clients.number_of(Client::of(record, client_type)),
            outcome: record.failure.map_or(0, FailureReason::number),
            length: number(rests.len() - before),
        });
    }
    let mut packed = Vec::with_capacity(rests.len() + calls.len() * 8 + 256);
    packed.push(VERSION);
    packed = postcard::to_extend(&distances(calls), packed)?;
    packed = postcard::to_extend(&Head { places: places.entries, clients: clients.entries, keys }, packed)?;
    packed.extend_from_slice(&rests);
    Ok(packed)
}

/// The first id, then how far each is from the one before it.
fn distances(calls: &[Incoming]) -> Vec<i64> {
    let mut last = 0;
    calls.iter().map(|call| call.id.0 - std::mem::replace(&mut last, call.id.0)).collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Values, each once, by number.
struct Dictionary<T> {
    entries: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Dictionary<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> Dictionary<T> {
    fn number_of(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.entries.push(value);
            number(self.entries.len() - 1)
        })
    }
}
