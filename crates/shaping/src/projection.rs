//! Compiles `fields` and `omit` into a state machine that follows the names of members from the root.

use std::borrow::Cow;

use toolgate_domain::shaping::{FieldPath, NamePattern, OmitRule, Shaping};

/// The number of a set of positions in the paths. Sets are numbered in the order in which they are reached.
type SetId = u32;

/// The empty set: no path can match members below.
const NO_PATHS: SetId = 0;
/// `fields` selects everything below.
const KEEP_ALL: SetId = SetId::MAX;

/// The positions in the paths of `fields` and `omit` that a value has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProjectionState {
    fields: SetId,
    omit: SetId,
}

/// The compiled rules. States are created when they are first reached.
pub(crate) struct Projection<'s> {
    fields: PathSets<'s>,
    omit_paths: PathSets<'s>,
    omit_names: Vec<&'s NamePattern>,
}

impl<'s> Projection<'s> {
    pub(crate) fn new(shaping: &'s Shaping) -> Self {
        let (mut omit_names, mut omit_paths) = (Vec::new(), Vec::new());
        for rule in &shaping.omit {
            match rule {
                OmitRule::AnyDepth(name) => omit_names.push(name),
                OmitRule::Path(path) => omit_paths.push(path),
            }
        }
        Self {
            fields: PathSets::new(shaping.fields.iter().collect()),
            omit_paths: PathSets::new(omit_paths),
            omit_names,
        }
    }

    /// The state of the root.
    pub(crate) fn root(&self) -> ProjectionState {
        let fields = if self.fields.paths.is_empty() { KEEP_ALL } else { self.fields.root() };
        ProjectionState { fields, omit: self.omit_paths.root() }
    }

    /// Whether everything below is kept.
    pub(crate) fn keeps_all(&self, state: ProjectionState) -> bool {
        state.fields == KEEP_ALL && state.omit == NO_PATHS && self.omit_names.is_empty()
    }

    /// The state of a member; `None` if the member is dropped. `key` is the text between the quotes.
    pub(crate) fn member(&mut self, state: ProjectionState, key: &str) -> Option<ProjectionState> {
        if self.keeps_all(state) {
            return Some(state);
        }
        self.named_member(state, &unescaped(key))
    }

    /// The state of a member by its name without escapes.
    pub(crate) fn named_member(&mut self, state: ProjectionState, name: &str) -> Option<ProjectionState> {
        let fields = match state.fields {
            KEEP_ALL => KEEP_ALL,
            set => match self.fields.step(set, name) {
                PathMatch::End => KEEP_ALL,
                PathMatch::Inside(NO_PATHS) => return None,
                PathMatch::Inside(next) => next,
            },
        };
        let omit = match self.omit_paths.step(state.omit, name) {
            PathMatch::End => return None,
            PathMatch::Inside(next) => next,
        };
        let is_omitted = self.omit_names.iter().any(|pattern| pattern.matches(name));
        (!is_omitted).then_some(ProjectionState { fields, omit })
    }
}

/// The result of following a name.
enum PathMatch {
    /// The end of a path.
    End,
    /// Positions inside paths.
    Inside(SetId),
}

/// The paths, and the sets of positions in them that were reached.
struct PathSets<'s> {
    paths: Vec<&'s FieldPath>,
    /// Each position consists of the index of a path and the number of steps taken in it.
    sets: Vec<Vec<(usize, usize)>>,
}

impl<'s> PathSets<'s> {
    fn new(paths: Vec<&'s FieldPath>) -> Self {
        let start = (0..paths.len()).map(|path| (path, 0)).collect();
        Self { paths, sets: vec![Vec::new(), start] }
    }

    fn root(&self) -> SetId {
        if self.paths.is_empty() { NO_PATHS } else { 1 }
    }

    fn step(&mut self, set: SetId, name: &str) -> PathMatch {
        if set == NO_PATHS {
            return PathMatch::Inside(NO_PATHS);
        }
        let mut next = Vec::new();
        for &(path, taken) in self.sets.get(set as usize).into_iter().flatten() {
            let steps = self.paths[path].steps();
            if steps.get(taken).is_some_and(|pattern| pattern.matches(name)) {
                if taken + 1 == steps.len() {
                    return PathMatch::End;
                }
                next.push((path, taken + 1));
            }
        }
        PathMatch::Inside(self.set_id(next))
    }

    /// The number of a set; a new set is stored.
    fn set_id(&mut self, set: Vec<(usize, usize)>) -> SetId {
        let known = self.sets.iter().position(|other| *other == set);
        let index = known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        SetId::try_from(index).unwrap_or(NO_PATHS)
    }
}

/// The text of a string without its escapes.
pub(crate) fn unescaped(content: &str) -> Cow<'_, str> {
    if !content.contains('\\') {
        return Cow::Borrowed(content);
    }
    let quoted = format!("\"{content}\"");
    serde_json::from_str(&quoted).map_or(Cow::Borrowed(content), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rules::rules;

    fn keeps(shaping: &Shaping, path: &[&str]) -> bool {
        let mut projection = Projection::new(shaping);
        let root = projection.root();
        path.iter().try_fold(root, |state, name| projection.member(state, name)).is_some()
    }

    #[test]
    fn only_members_along_the_paths_are_kept() {
        let shaping = rules(r#"{"fields":["number","user.login","user.id","a.*.c","x*"]}"#);
        for kept in [
            &["number"][..],
            &["number", "any"],
            &["user"],
            &["user", "login", "any"],
            &["user", "id"],
            &["a", "b", "c"],
            &["a", "q", "c", "any"],
            &["xy"],
        ] {
            assert!(keeps(&shaping, kept), "{kept:?}");
        }
        for dropped in [&["title"][..], &["user", "name"], &["login"], &["a", "b", "d"]] {
            assert!(!keeps(&shaping, dropped), "{dropped:?}");
        }
    }

    #[test]
    fn omitted_names_are_dropped_at_any_depth_and_paths_from_the_root() {
        let shaping = rules(r#"{"fields":["a","b_url"],"omit":["*_url","a.id"]}"#);
        for dropped in [&["b_url"][..], &["a", "x", "y_url"], &["a", "id"], &["c"]] {
            assert!(!keeps(&shaping, dropped), "{dropped:?}");
        }
        for kept in [&["a"][..], &["a", "x", "id"], &["a", "url"]] {
            assert!(keeps(&shaping, kept), "{kept:?}");
        }
    }

    #[test]
    fn keys_are_compared_without_their_escapes() {
        let shaping = rules(r#"{"fields":["größe"]}"#);
        assert!(keeps(&shaping, &["gr\\u00f6\\u00dfe"]));
        assert!(!keeps(&shaping, &["gr\\u00f6\\u00dfe2"]));
    }
}
