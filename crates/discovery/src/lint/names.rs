//! Checks for names of tools that clients drop or refuse.

use std::collections::HashSet;

use toolgate_domain::client_profile::ClientProfile;

use crate::lint::finding::{Finding, FindingCode};
use crate::lint::{LintedServer, LintedTool};

/// Number of characters that Claude adds to the names of server and tool: `mcp__server__tool`.
const CLAUDE_PREFIX_CHARS: usize = "mcp____".len();
/// Maximum length of a tool name in Claude with prefix and server name, in characters.
const CLAUDE_NAME_MAX: usize = 64;
/// Characters reserved for a number at the end of a suggested name: `_12`.
const NUMBER_CHARS: usize = 3;
/// Minimum length that must be available for a suggested name; a shorter name would not be descriptive.
const NAME_CHARS_MIN: usize = 8;

/// The name of the clients of a profile.
pub(super) fn client_name(profile: ClientProfile) -> &'static str {
    match profile {
        ClientProfile::Common => "most clients",
        ClientProfile::Claude => "Claude",
        ClientProfile::Cursor => "Cursor",
        ClientProfile::Vscode => "VS Code",
        ClientProfile::Openai => "ChatGPT and Codex",
        ClientProfile::Gemini => "Gemini",
        ClientProfile::Windsurf => "Windsurf",
    }
}

/// Checks the length and the characters of a name. Claude has the strictest limit of the length, which includes the
/// name of the server. The APIs of all models allow the same characters.
pub(super) fn check(
    server: &LintedServer<'_>,
    tool: &LintedTool<'_>,
    taken: &HashSet<&str>,
    findings: &mut Vec<Finding>,
) {
    let mut add = |code, message| {
        let suggested_name = suggested_name(server, tool.name, taken);
        let finding = Finding::tool(tool.id, code, message);
        let fix = finding.fix.filter(|_| suggested_name.is_some());
        findings.push(Finding { fix, suggested_name, ..finding });
    };
    let (name, chars) = (tool.name, tool.name.chars().count());
    if CLAUDE_PREFIX_CHARS + server.slug.chars().count() + chars > CLAUDE_NAME_MAX {
        let client = client_name(ClientProfile::Claude);
        let message = format!(
            "The name \"{name}\" has {chars} characters; {client} drops tools over {CLAUDE_NAME_MAX} with the \
             server's name."
        );
        add(FindingCode::LongName, message);
    }
    // Names that are rewritten for clients still contain their dots.
    let is_refused = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-');
    if name.chars().any(|c| if server.has_safe_names { c == '.' } else { is_refused(c) }) {
        let message = format!(
            "The name \"{name}\" has characters that Claude, ChatGPT and Gemini refuse. Use letters, digits, _ and -."
        );
        add(FindingCode::NameCharacters, message);
    }
}

/// A name that all clients accept: with other characters replaced, and cut at the end of a word. `None` if the name of
/// the server is too long for any other name.
fn suggested_name(server: &LintedServer<'_>, name: &str, taken: &HashSet<&str>) -> Option<String> {
    let chars_max = CLAUDE_NAME_MAX.checked_sub(CLAUDE_PREFIX_CHARS + server.slug.chars().count() + NUMBER_CHARS)?;
    let words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let mut safe = String::new();
    for word in words {
        let separator = if safe.is_empty() { "" } else { "_" };
        if safe.len() + separator.len() + word.len() > chars_max {
            if safe.is_empty() {
                safe.extend(word.chars().take(chars_max));
            }
            break;
        }
        safe.push_str(separator);
        safe.push_str(word);
    }
    if chars_max < NAME_CHARS_MIN || safe.is_empty() {
        return None;
    }
    let numbered = (2..100).map(|number| format!("{safe}_{number}"));
    std::iter::once(safe.clone()).chain(numbered).find(|name| !taken.contains(name.as_str()))
}
