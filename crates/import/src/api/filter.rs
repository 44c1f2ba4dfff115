//! Which operations of a document become candidates.

use toolgate_domain::closed_set;

closed_set! {
    /// What happens to deprecated operations.
    pub enum DeprecatedOperations {
        /// They are candidates like the others.
        Include = "include",
        /// They are left out.
        Exclude = "exclude",
    }
}

/// Conditions that an operation must meet. An empty list admits everything.
#[derive(Debug)]
pub struct OperationFilter {
    /// The operation has one of these tags.
    pub include_tags: Vec<String>,
    /// The operation has none of these tags.
    pub exclude_tags: Vec<String>,
    /// The operation has one of these methods.
    pub methods: Vec<String>,
    /// The path matches one of these patterns: `*` stands for a part of a segment, `**` for any text, `?` for one
    /// character.
    pub paths: Vec<String>,
    /// A text that occurs in the name, the path, the summary or the description.
    pub search: Option<String>,
    /// Whether deprecated operations are admitted.
    pub deprecated: DeprecatedOperations,
}

/// The parts of an operation that a filter checks.
pub(crate) struct FilteredOperation<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) tags: &'a [String],
    pub(crate) is_deprecated: bool,
    /// Name, summary and description.
    pub(crate) texts: [&'a str; 3],
}

impl Default for OperationFilter {
    fn default() -> Self {
        Self {
            include_tags: Vec::new(),
            exclude_tags: Vec::new(),
            methods: Vec::new(),
            paths: Vec::new(),
            search: None,
            deprecated: DeprecatedOperations::Include,
        }
    }
}

impl OperationFilter {
    pub(crate) fn admits(&self, operation: &FilteredOperation<'_>) -> bool {
        let has_tag = |tags: &[String]| operation.tags.iter().any(|tag| contains_ignoring_case(tags, tag));
        (self.include_tags.is_empty() || has_tag(&self.include_tags))
            && !has_tag(&self.exclude_tags)
            && (self.methods.is_empty() || contains_ignoring_case(&self.methods, operation.method))
            && (self.paths.is_empty() || self.paths.iter().any(|glob| matches_glob(glob, operation.path)))
            && self.search.as_ref().is_none_or(|text| operation.contains(text))
            && (self.deprecated == DeprecatedOperations::Include || !operation.is_deprecated)
    }
}

impl FilteredOperation<'_> {
    fn contains(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        self.texts.iter().chain([&self.path]).any(|field| field.to_lowercase().contains(&text))
    }
}

fn contains_ignoring_case(list: &[String], text: &str) -> bool {
    list.iter().any(|item| item.to_lowercase() == text.to_lowercase())
}

/// Matches a path with a pattern. It tracks every reachable position of the pattern, so the number of steps is at most
/// the product of both lengths.
fn matches_glob(glob: &str, path: &str) -> bool {
    let (glob, path): (Vec<char>, Vec<char>) = (glob.chars().collect(), path.chars().collect());
    // For each position of the pattern: whether the pattern up to it matches the part of the path that was read.
    let mut reached = vec![false; glob.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    skip_wildcards(&glob, &mut reached);
    for c in path {
        let mut next = vec![false; glob.len() + 1];
        for (at, _) in reached.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
            let Some(symbol) = glob.get(at) else { continue };
            let is_any = is_double_star(&glob, at);
            if *symbol == '*' && (is_any || c != '/') {
                mark(&mut next, at);
            } else if *symbol == c || (*symbol == '?' && c != '/') {
                mark(&mut next, at + 1);
            }
        }
        skip_wildcards(&glob, &mut next);
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

/// Marks the positions after wildcards, which match an empty text.
fn skip_wildcards(glob: &[char], reached: &mut [bool]) {
    for (at, symbol) in glob.iter().enumerate() {
        if *symbol == '*' && reached.get(at).copied().unwrap_or(false) {
            mark(reached, at + 1);
        }
    }
}

fn mark(reached: &mut [bool], at: usize) {
    if let Some(position) = reached.get_mut(at) {
        *position = true;
    }
}

/// Whether the star at this position has a star next to it.
fn is_double_star(glob: &[char], at: usize) -> bool {
    let is_star = |at: Option<usize>| at.and_then(|at| glob.get(at)) == Some(&'*');
    is_star(Some(at)) && (is_star(at.checked_sub(1)) || is_star(at.checked_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_segments_and_paths() {
        for (glob, path, expected) in [
            ("/pets", "/pets", true),
            ("/pets", "/pets/1", false),
            ("/pets/*", "/pets/{id}", true),
            ("/pets/*", "/pets/{id}/photo", false),
            ("/pets/**", "/pets/{id}/photo", true),
            ("**/photo", "/pets/{id}/photo", true),
            ("/p?ts", "/pets", true),
            ("/p?ts", "/p/ts", false),
            ("/*/photo", "/pets/photo", true),
            ("/*a*", "/bab", true),
            ("", "/", false),
            ("*", "/", false),
            ("**", "/a/b", true),
        ] {
            assert_eq!(matches_glob(glob, path), expected, "{glob} {path}");
        }
        assert!(!matches_glob(&"*a".repeat(200), &"b".repeat(2000)));
    }

    #[test]
    fn every_condition_must_be_met() {
        let tags = ["Pets".to_owned(), "beta".to_owned()];
        let admits = |change: fn(&mut OperationFilter)| {
            let mut filter = OperationFilter::default();
            change(&mut filter);
            filter.admits(&FilteredOperation {
                method: "GET",
                path: "/pets/{id}",
                tags: &tags,
                is_deprecated: true,
                texts: ["get_pet", "Find a pet", "Returns one animal."],
            })
        };
        assert!(admits(|_| {}));
        assert!(admits(|filter| filter.include_tags = vec!["pets".into()]));
        assert!(!admits(|filter| filter.include_tags = vec!["store".into()]));
        assert!(!admits(|filter| filter.exclude_tags = vec!["BETA".into()]));
        assert!(admits(|filter| filter.methods = vec!["get".into(), "put".into()]));
        assert!(!admits(|filter| filter.methods = vec!["POST".into()]));
        assert!(!admits(|filter| filter.paths = vec!["/store/**".into()]));
        assert!(admits(|filter| filter.search = Some("ANIMAL".into())));
        assert!(admits(|filter| filter.search = Some("/pets/".into())));
        assert!(!admits(|filter| filter.search = Some("order".into())));
        assert!(!admits(|filter| filter.deprecated = DeprecatedOperations::Exclude));
    }
}
