//! What the clients of a vendor accept in a list of tools.

use crate::client_type;
use crate::closed_set::closed_set;

closed_set! {
    /// The rules of a family of clients for lists of tools.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum ClientProfile {
        /// Any other client: the rules that most model APIs share.
        Common = "common",
        /// Claude Desktop, Claude Code and claude.ai.
        Claude = "claude",
        /// Cursor.
        Cursor = "cursor",
        /// Visual Studio Code and GitHub Copilot.
        Vscode = "vscode" | "copilot",
        /// `ChatGPT` and Codex.
        Openai = "openai",
        /// Gemini.
        Gemini = "gemini",
        /// Windsurf.
        Windsurf = "windsurf",
    }
}

impl ClientProfile {
    /// All profiles.
    pub const ALL: [Self; 7] =
        [Self::Common, Self::Claude, Self::Cursor, Self::Vscode, Self::Openai, Self::Gemini, Self::Windsurf];

    /// The built-in profile of a client type (see [`client_type`]).
    pub fn from_client_type(client_type: &str) -> Self {
        match client_type {
            "claude-code" | "claude-desktop" => Self::Claude,
            "cursor" => Self::Cursor,
            "vscode" => Self::Vscode,
            "chatgpt" | "codex" => Self::Openai,
            "gemini" => Self::Gemini,
            "windsurf" => Self::Windsurf,
            other if other.split('-').any(|word| word == "copilot") => Self::Vscode,
            _ => Self::Common,
        }
    }

    /// The most tools that the client passes to its model; `None` if it has no limit or loads tools on demand.
    pub fn tools_max(self) -> Option<usize> {
        match self {
            Self::Common | Self::Claude | Self::Cursor => None,
            Self::Vscode | Self::Openai | Self::Gemini => Some(128),
            Self::Windsurf => Some(100),
        }
    }

    /// The longest name of a tool, in characters; `None` if names are listed as they are.
    pub fn name_chars_max(self) -> Option<usize> {
        match self {
            Self::Common => None,
            Self::Cursor => Some(60),
            Self::Claude | Self::Vscode | Self::Openai | Self::Gemini | Self::Windsurf => Some(64),
        }
    }

    /// Whether the client loads tools on demand by itself, so that it gains nothing from a search on the server.
    pub fn defers_tools(self) -> bool {
        matches!(self, Self::Claude | Self::Cursor | Self::Vscode)
    }

    /// The built-in profile of a client that reports this name.
    pub fn from_client_name(name: &str) -> Self {
        Self::from_client_type(&client_type::client_type(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_get_the_profile_of_their_vendor() {
        for (name, expected) in [
            ("Claude Code", ClientProfile::Claude),
            ("claude-ai", ClientProfile::Claude),
            ("cursor-vscode", ClientProfile::Cursor),
            ("Visual Studio Code", ClientProfile::Vscode),
            ("github-copilot-developer", ClientProfile::Vscode),
            ("codex-mcp-client", ClientProfile::Openai),
            ("openai-mcp", ClientProfile::Openai),
            ("gemini-cli-mcp-client", ClientProfile::Gemini),
            ("Windsurf", ClientProfile::Windsurf),
            ("my-agent", ClientProfile::Common),
            ("", ClientProfile::Common),
        ] {
            assert_eq!(ClientProfile::from_client_name(name), expected, "{name}");
        }
        assert_eq!(ClientProfile::ALL.map(ClientProfile::as_str).as_slice(), ClientProfile::NAMES);
        assert_eq!(ClientProfile::parse("copilot"), Some(ClientProfile::Vscode));
    }
}
