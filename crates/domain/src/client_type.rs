//! Detects the type of the AI client that makes a call; reports group calls by client type.
//!
//! Clients send their names in four places and in many spellings (`claude-ai`, `Claude Code`, `cursor-vscode`), so
//! names are compared word by word in lower case. Only whole words match; otherwise `authorized` would match `zed`.
//! Names are untrusted input: they are stored truncated and without control characters.

use std::iter;

use crate::text::is_deceptive;

/// Maximum length of a client type that is derived from a name, in characters.
pub const CLIENT_TYPE_MAX: usize = 50;
/// Maximum length of a stored client name, in characters.
pub const CLIENT_NAME_MAX: usize = 100;
/// The type of a client that sends no usable name.
pub const UNKNOWN: &str = "unknown";

/// Number of characters of a name that are examined.
const EXAMINED_MAX: usize = 300;

/// Words of a client name, and the client type that they identify. The first match wins: Cursor sends `cursor-vscode`.
const KNOWN_CLIENTS: [(&str, &str); 19] = [
    ("claude-code", "claude-code"),
    ("cursor", "cursor"),
    ("windsurf", "windsurf"),
    ("codeium", "windsurf"),
    // Also matches claude-ai and claude-desktop: the desktop application has used all three names.
    ("claude", "claude-desktop"),
    ("visual-studio-code", "vscode"),
    ("vscode", "vscode"),
    ("cline", "cline"),
    ("roo", "roo"),
    ("zed", "zed"),
    ("continue", "continue"),
    ("goose", "goose"),
    ("codex", "codex"),
    ("gemini", "gemini"),
    ("openai", "chatgpt"),
    ("chatgpt", "chatgpt"),
    ("n8n", "n8n"),
    ("inspector", "mcp-inspector"),
    (BRIDGE, BRIDGE),
];

/// A stdio-to-HTTP bridge that adds its name to the client's: `client-name (via mcp-remote 0.1.30)`.
const BRIDGE: &str = "mcp-remote";

/// The sources of a client's name, in order of precedence.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientSources<'a> {
    /// The header `X-MCP-Client`.
    pub x_mcp_client: Option<&'a str>,
    /// `clientInfo.name` in the `_meta` of the request.
    pub client_info_name: Option<&'a str>,
    /// `clientInfo.name` from the `initialize` request of the session.
    pub session_client: Option<&'a str>,
    /// The header `User-Agent`.
    pub user_agent: Option<&'a str>,
}

/// The type and the name of a client, from the first source that has a name.
pub fn detect(sources: ClientSources<'_>) -> (String, Option<String>) {
    let product = sources.user_agent.and_then(product);
    let names = [sources.x_mcp_client, sources.client_info_name, sources.session_client, product];
    match names.into_iter().flatten().find_map(client_name) {
        Some(name) => (client_type(&name), Some(name)),
        None => (UNKNOWN.to_owned(), None),
    }
}

/// Whether this is one of the predefined types, not one derived from a client's name.
pub fn is_predefined(client_type: &str) -> bool {
    client_type == UNKNOWN || KNOWN_CLIENTS.iter().any(|(_, known_type)| *known_type == client_type)
}

/// The client type for a name.
pub fn client_type(name: &str) -> String {
    let name: String = name.chars().take(EXAMINED_MAX).collect();
    let ascii_name = deunicode::deunicode(&name).to_ascii_lowercase();
    let name_slug = slug(&ascii_name);
    let suffixes: Vec<&str> = suffixes(&name_slug).collect();
    match KNOWN_CLIENTS.iter().find(|(words, _)| suffixes.iter().any(|suffix| starts_with_words(suffix, words))) {
        Some((BRIDGE, _)) => {
            client_behind_bridge(&ascii_name).map_or_else(|| BRIDGE.to_owned(), |slug| truncate(&slug))
        }
        Some((_, client_type)) => (*client_type).to_owned(),
        None if name_slug.is_empty() => UNKNOWN.to_owned(),
        None => truncate(&name_slug),
    }
}

/// The part of a name that is stored: printable and truncated. `None` if nothing is left.
fn client_name(name: &str) -> Option<String> {
    let is_printable = |c: &char| !c.is_control() && !is_deceptive(*c);
    let printable: String = name.trim().chars().filter(is_printable).take(CLIENT_NAME_MAX).collect();
    Some(printable.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The first product of a `User-Agent`, without its version: `python-httpx2` for `python-httpx2/2.16.0`.
fn product(user_agent: &str) -> Option<&str> {
    user_agent.trim_start().split(|c: char| c == '/' || c.is_whitespace()).next()
}

/// The client behind the bridge: the part of the name inside or before the parentheses that does not name the bridge.
fn client_behind_bridge(ascii_name: &str) -> Option<String> {
    let (outer, inner) = ascii_name.split_once('(')?;
    let inner = inner.trim_start();
    let parts = [slug(outer), slug(inner.strip_prefix("via ").unwrap_or(inner))];
    parts.into_iter().find(|part| !part.is_empty() && !suffixes(part).any(|suffix| starts_with_words(suffix, BRIDGE)))
}

/// The words of an ASCII text, joined by dashes.
fn slug(ascii_text: &str) -> String {
    let mut slug = String::with_capacity(ascii_text.len());
    for word in ascii_text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        slug.push_str(if slug.is_empty() { "" } else { "-" });
        slug.push_str(word);
    }
    slug
}

/// The suffixes of a slug, one starting at each word.
fn suffixes(slug: &str) -> impl Iterator<Item = &str> {
    iter::successors(Some(slug), |rest| Some(rest.split_once('-')?.1))
}

/// Whether a slug starts with these words, as whole words.
fn starts_with_words(slug: &str, words: &str) -> bool {
    slug.strip_prefix(words).is_some_and(|after| after.is_empty() || after.starts_with('-'))
}

fn truncate(slug: &str) -> String {
    let short: String = slug.chars().take(CLIENT_TYPE_MAX).collect();
    short.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_recognised_by_their_names() {
        for (name, expected) in [
            ("claude-code", "claude-code"),
            ("Claude Code", "claude-code"),
            ("claude_code/2.1 (cli)", "claude-code"),
            ("cursor-vscode", "cursor"),
            ("Cursor", "cursor"),
            ("Windsurf", "windsurf"),
            ("codeium", "windsurf"),
            ("claude-ai", "claude-desktop"),
            ("Claude Desktop", "claude-desktop"),
            ("Claude", "claude-desktop"),
            ("Visual Studio Code", "vscode"),
            ("Visual Studio Code - Insiders", "vscode"),
            ("vscode", "vscode"),
            ("Cline", "cline"),
            ("roo-cline", "cline"),
            ("Roo Code", "roo"),
            ("Zed", "zed"),
            ("continue-client", "continue"),
            ("goose", "goose"),
            ("codex-mcp-client", "codex"),
            ("gemini-cli-mcp-client", "gemini"),
            ("openai-mcp", "chatgpt"),
            ("ChatGPT", "chatgpt"),
            ("@n8n/n8n-nodes-langchain.mcpClientTool", "n8n"),
            ("mcp-inspector", "mcp-inspector"),
            ("@modelcontextprotocol/inspector", "mcp-inspector"),
        ] {
            assert_eq!(client_type(name), expected, "{name}");
        }
    }

    #[test]
    fn only_whole_words_match() {
        for name in ["authorized", "precursor", "mongoose", "recline", "kangaroo", "discontinued", "inspectors"] {
            assert_eq!(client_type(name), name);
        }
    }

    #[test]
    fn a_client_behind_the_bridge_is_recognised() {
        for (name, expected) in [
            ("mcp-remote (via cursor)", "cursor"),
            ("claude-ai (via mcp-remote 0.1.30)", "claude-desktop"),
            ("My Agent (via mcp-remote 0.1.30)", "my-agent"),
            ("mcp-remote (via My Agent)", "my-agent"),
            ("mcp-remote (My Agent)", "my-agent"),
            ("mcp-remote", "mcp-remote"),
            ("mcp-remote ()", "mcp-remote"),
            ("mcp-remote-fallback-test", "mcp-remote"),
            ("(via mcp-remote 0.1.30)", "mcp-remote"),
        ] {
            assert_eq!(client_type(name), expected, "{name}");
        }
    }

    #[test]
    fn other_names_become_short_slugs() {
        for (name, expected) in [
            ("My_Cool Agent!", "my-cool-agent"),
            ("日本語クライアント", "ri-ben-yu-kuraianto"),
            ("Größe", "grosse"),
            ("", UNKNOWN),
            (" \t", UNKNOWN),
            ("!!!", UNKNOWN),
            ("\u{0}\u{202e}", UNKNOWN),
        ] {
            assert_eq!(client_type(name), expected, "{name}");
        }
        assert_eq!(client_type(&"x".repeat(10_240)), "x".repeat(50));
        assert_eq!(client_type(&"日".repeat(10_240)), format!("{}ri", "ri-".repeat(16)));
        assert_eq!(client_type(&format!("{}-b", "a".repeat(49))), "a".repeat(49));
    }

    #[test]
    fn the_first_source_with_a_name_wins() {
        let mut sources = ClientSources {
            x_mcp_client: Some("Zed"),
            client_info_name: Some("cursor-vscode"),
            session_client: Some("claude-ai"),
            user_agent: Some("python-httpx2/2.16.0"),
        };
        let detected = |sources| {
            let (client_type, name) = detect(sources);
            (client_type, name.unwrap_or_default())
        };
        let pair = |client_type: &str, name: &str| (client_type.to_owned(), name.to_owned());
        assert_eq!(detected(sources), pair("zed", "Zed"));
        sources.x_mcp_client = Some(" \u{1}");
        assert_eq!(detected(sources), pair("cursor", "cursor-vscode"));
        sources.client_info_name = Some("");
        assert_eq!(detected(sources), pair("claude-desktop", "claude-ai"));
        sources.session_client = None;
        assert_eq!(detected(sources), pair("python-httpx2", "python-httpx2"));
        sources.user_agent = Some(" Cursor/1.2 (linux) Zed");
        assert_eq!(detected(sources), pair("cursor", "Cursor"));
        for unusable in [None, Some(""), Some("/1.0")] {
            let sources = ClientSources { user_agent: unusable, ..ClientSources::default() };
            assert_eq!(detect(sources), (UNKNOWN.to_owned(), None));
        }
        sources.x_mcp_client = Some("???");
        assert_eq!(detected(sources), pair(UNKNOWN, "???"));
    }

    #[test]
    fn stored_names_are_short_and_on_one_line() {
        let sources =
            |name| ClientSources { client_info_name: Some(name), user_agent: Some("x"), ..ClientSources::default() };
        assert_eq!(detect(sources("  a\r\n\u{1b}[31mb\u{202e} ")).1.as_deref(), Some("a[31mb"));
        let long = "é".repeat(10_240);
        assert_eq!(detect(sources(&long)), ("e".repeat(50), Some("é".repeat(100))));
    }
}
