//! What commands say under one name.

use indexmap::IndexMap;

use crate::curl::infer::argument::Standing;

/// What commands say under one name.
pub(super) struct Seen<'a, T> {
    /// In the order of the commands that have it; at least one.
    pub(super) values: Vec<&'a T>,
    pub(super) first: &'a T,
    is_in_first: bool,
}

impl<T> Seen<'_, T> {
    /// How it stands among so many commands.
    pub(super) fn standing(&self, commands: usize, is_same: impl Fn(&T, &T) -> bool) -> Standing {
        let is_in_all = self.values.len() == commands;
        let is_agreed = commands > 1 && is_in_all && self.values.iter().all(|value| is_same(value, self.first));
        Standing { is_in_first: self.is_in_first, is_in_all, is_agreed }
    }
}

/// Sorts what commands say by name: names of the first command first.
pub(super) fn by_name<'a, T: 'a>(
    commands: impl Iterator<Item = impl Iterator<Item = (&'a str, &'a T)>>,
) -> IndexMap<&'a str, Seen<'a, T>> {
    let mut seen: IndexMap<&str, Seen<'a, T>> = IndexMap::new();
    for (number, command) in commands.enumerate() {
        for (name, value) in command {
            let new = || Seen { values: Vec::new(), first: value, is_in_first: number == 0 };
            seen.entry(name).or_insert_with(new).values.push(value);
        }
    }
    seen
}
