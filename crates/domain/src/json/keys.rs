//! The keys of an object, to find one that comes twice.

use std::borrow::Cow;
use std::collections::HashSet;

/// The name by which `serde_json` hands a raw value to itself. An object that begins with it is read as what the text of its
/// value says, anew: beyond every limit, however deep.
pub(super) const RESERVED: &str = "$serde_json::private::RawValue";

/// So many keys are few.
const FEW: usize = 8;

/// The keys of an object: few are looked through, as most objects have, and need no memory of their own; only many are
/// worth a hash table.
#[derive(Default)]
pub(super) struct Keys<'de> {
    few: [Cow<'de, str>; FEW],
    len: usize,
    many: HashSet<Cow<'de, str>>,
}

impl<'de> Keys<'de> {
    pub(super) fn contains(&self, key: &str) -> bool {
        self.few.iter().take(self.len).any(|seen| seen == key) || self.many.contains(key)
    }

    pub(super) fn insert(&mut self, key: Cow<'de, str>) {
        if let Some(place) = self.few.get_mut(self.len) {
            *place = key;
            self.len += 1;
        } else {
            self.many.insert(key);
        }
    }
}
