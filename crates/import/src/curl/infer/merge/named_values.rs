//! Groups the values of commands by name.

use indexmap::IndexMap;

use crate::curl::infer::argument::Occurrence;

/// The values of one name.
pub(super) struct NamedValues<'a, T> {
    /// In the order of the commands; at least one value.
    pub(super) values: Vec<&'a T>,
    pub(super) first: &'a T,
    is_in_first: bool,
}

impl<T> NamedValues<'_, T> {
    /// In how many of `commands` commands the name occurs, and whether its values are equal.
    pub(super) fn occurrence(&self, commands: usize, is_same: impl Fn(&T, &T) -> bool) -> Occurrence {
        let is_in_all = self.values.len() == commands;
        let is_same_in_all = commands > 1 && is_in_all && self.values.iter().all(|value| is_same(value, self.first));
        Occurrence { is_in_first: self.is_in_first, is_in_all, is_same_in_all }
    }
}

/// Groups the values of commands by name. The names of the first command come first.
pub(super) fn group_by_name<'a, T: 'a>(
    commands: impl Iterator<Item = impl Iterator<Item = (&'a str, &'a T)>>,
) -> IndexMap<&'a str, NamedValues<'a, T>> {
    let mut groups: IndexMap<&str, NamedValues<'a, T>> = IndexMap::new();
    for (number, command) in commands.enumerate() {
        for (name, value) in command {
            let new = || NamedValues { values: Vec::new(), first: value, is_in_first: number == 0 };
            groups.entry(name).or_insert_with(new).values.push(value);
        }
    }
    groups
}
