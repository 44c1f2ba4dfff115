//! The MCP methods: their names, and the eras that have them.

use toolgate_domain::closed_set;

use crate::era::Era;

closed_set! {
    /// A method that clients can request.
    pub(crate) enum McpMethod {
        ToolsCall = "tools/call",
        ToolsList = "tools/list",
        PromptsList = "prompts/list",
        PromptsGet = "prompts/get",
        ResourcesList = "resources/list",
        ResourcesTemplatesList = "resources/templates/list",
        ResourcesRead = "resources/read",
        ResourcesSubscribe = "resources/subscribe",
        ResourcesUnsubscribe = "resources/unsubscribe",
        SubscriptionsListen = "subscriptions/listen",
        CompletionComplete = "completion/complete",
        LoggingSetLevel = "logging/setLevel",
        Initialize = "initialize",
        ServerDiscover = "server/discover",
        Ping = "ping",
    }
}

impl McpMethod {
    /// Whether callers of this era can use the method.
    pub(crate) const fn exists_in(self, era: Era) -> bool {
        let is_modern = matches!(era, Era::Modern);
        match self {
            Self::ToolsCall
            | Self::ToolsList
            | Self::PromptsList
            | Self::PromptsGet
            | Self::ResourcesList
            | Self::ResourcesTemplatesList
            | Self::ResourcesRead
            | Self::CompletionComplete => true,
            Self::Initialize
            | Self::Ping
            | Self::LoggingSetLevel
            | Self::ResourcesSubscribe
            | Self::ResourcesUnsubscribe => !is_modern,
            Self::ServerDiscover | Self::SubscriptionsListen => is_modern,
        }
    }
}
