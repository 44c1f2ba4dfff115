//! The name of this node in logs, metrics and the list of nodes.

use anyhow::ensure;

/// The longest name.
const NAME_LENGTH_MAX: usize = 64;
/// The name of a node whose host has none.
const UNNAMED: &str = "node";

/// Letters, digits, `.`, `_` and `-`: valid in a log line, a label and a file name.
fn is_allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._-".contains(character)
}

pub(super) fn parse(text: &str) -> anyhow::Result<String> {
    ensure!(
        (1..=NAME_LENGTH_MAX).contains(&text.len()) && text.chars().all(is_allowed),
        "{text:?} is not a name of 1 to {NAME_LENGTH_MAX} letters, digits, `.`, `_` and `-`"
    );
    Ok(text.to_owned())
}

/// The name of the host, with other characters replaced.
pub(super) fn from_host() -> String {
    sanitize(&host_name())
}

fn sanitize(host: &str) -> String {
    let replaced = host.chars().map(|character| if is_allowed(character) { character } else { '-' });
    let name: String = replaced.take(NAME_LENGTH_MAX).collect();
    if name.is_empty() { UNNAMED.to_owned() } else { name }
}

#[cfg(target_os = "linux")]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(target_os = "linux"))]
fn host_name() -> String {
    std::env::var("HOSTNAME").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_too_long_or_have_other_characters_are_refused() {
        for name in ["a", "toolgate-0", "Node_7.eu"] {
            assert_eq!(parse(name).unwrap(), name);
        }
        for bad in ["", "a b", "/usr/bin/node", "a\"b", "ä", &"x".repeat(65)] {
            let error = parse(bad).unwrap_err().to_string();
            assert!(error.contains("64 letters"), "{error}");
        }
    }

    #[test]
    fn every_host_name_becomes_a_valid_name() {
        for (host, name) in [("db 1/ä", "db-1--"), ("", "node"), ("web-1.example", "web-1.example")] {
            assert_eq!(sanitize(host), name);
            assert!(parse(&sanitize(host)).is_ok());
        }
        assert!(parse(&sanitize(&"x".repeat(200))).is_ok() && parse(&from_host()).is_ok());
    }
}
