//! Names of tools that clients drop or refuse.

use toolgate_domain::client_profile::ClientProfile;

use crate::lint::finding::{Finding, FindingCode};
use crate::lint::{LintedServer, LintedTool};

/// What Claude puts around the name of the server, before the name of the tool.
const CLAUDE_PREFIX_CHARS: usize = "mcp____".len();
const CLAUDE_NAME_MAX: usize = 64;

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

/// Checks the length with the name of the server, which Claude counts in and which leaves the least room, and the
/// characters, which the APIs of all models limit in the same way, unless names are rewritten.
pub(super) fn check(server: &LintedServer<'_>, tool: &LintedTool<'_>, findings: &mut Vec<Finding>) {
    let (name, chars) = (tool.name, tool.name.chars().count());
    if CLAUDE_PREFIX_CHARS + server.slug.chars().count() + chars > CLAUDE_NAME_MAX {
        let client = client_name(ClientProfile::Claude);
        let message = format!(
            "The name \"{name}\" has {chars} characters; {client} drops tools over {CLAUDE_NAME_MAX} with the \
             server's name."
        );
        findings.push(Finding::tool(tool.id, FindingCode::LongName, message));
    }
    // rewritten names keep their dots
    let is_refused = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-');
    if name.chars().any(|c| if server.has_safe_names { c == '.' } else { is_refused(c) }) {
        let message = format!(
            "The name \"{name}\" has characters that Claude, ChatGPT and Gemini refuse. Use letters, digits, _ and -."
        );
        findings.push(Finding::tool(tool.id, FindingCode::NameCharacters, message));
    }
}
