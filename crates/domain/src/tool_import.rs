//! Import of several tools into a server at once.

use crate::closed_set::closed_set;
use crate::text::IDENTIFIER_MAX;

closed_set! {
    /// What happens to an imported tool whose name or operation the server already has.
    pub enum ConflictRule {
        /// It is left out.
        Skip = "skip",
        /// It gets a numbered name.
        Duplicate = "duplicate",
        /// It replaces the tool of the same document and operation. A tool of another origin is not changed.
        Update = "update",
    }
}

/// `name`, or `name_2`, `name_3` and so on, whichever is not taken yet. A long name is shortened.
pub fn numbered_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let mut number = 2_u64;
    loop {
        let suffix = format!("_{number}");
        let base: String = name.chars().take(IDENTIFIER_MAX - suffix.len()).collect();
        let numbered = base + &suffix;
        if !is_taken(&numbered) {
            return numbered;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_the_first_free_number() {
        assert_eq!(numbered_name("a", |_| false), "a");
        assert_eq!(numbered_name("a", |name| ["a", "a_2"].contains(&name)), "a_3");
        let long = "x".repeat(IDENTIFIER_MAX);
        let numbered = numbered_name(&long, |name| name == long);
        assert_eq!((numbered.len(), numbered.ends_with("x_2")), (IDENTIFIER_MAX, true));
    }
}
