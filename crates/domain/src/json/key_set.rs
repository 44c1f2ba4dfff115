//! The keys of an object, to detect duplicates.

use std::borrow::Cow;
use std::collections::HashSet;

/// The key by which `serde_json` marks a raw value internally. `serde_json` parses the string value of this
/// key as JSON again, without the limits of the check, so the check refuses the key.
pub(super) const RESERVED_KEY: &str = "$serde_json::private::RawValue";

/// Number of keys that are stored inline.
const INLINE_KEYS: usize = 8;

/// A set of keys. Most objects have few keys: the first ones are stored inline and searched linearly, without a heap
/// allocation; the rest go to a hash set.
#[derive(Default)]
pub(super) struct KeySet<'de> {
    inline: [Cow<'de, str>; INLINE_KEYS],
    inline_len: usize,
    rest: HashSet<Cow<'de, str>>,
}

impl<'de> KeySet<'de> {
    pub(super) fn contains(&self, key: &str) -> bool {
        self.inline.iter().take(self.inline_len).any(|known| known == key) || self.rest.contains(key)
    }

    pub(super) fn insert(&mut self, key: Cow<'de, str>) {
        if let Some(slot) = self.inline.get_mut(self.inline_len) {
            *slot = key;
            self.inline_len += 1;
        } else {
            self.rest.insert(key);
        }
    }
}
