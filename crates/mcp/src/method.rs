//! The MCP methods: their names, and the eras that have them.

use crate::era::Era;

/// A method that clients can request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum McpMethod {
    ToolsCall,
    ToolsList,
    PromptsList,
    PromptsGet,
    ResourcesList,
    ResourcesTemplatesList,
    ResourcesRead,
    ResourcesSubscribe,
    ResourcesUnsubscribe,
    SubscriptionsListen,
    CompletionComplete,
    LoggingSetLevel,
    Initialize,
    ServerDiscover,
    Ping,
}

impl McpMethod {
    /// The most frequent method is first, because `parse` searches in this order.
    const ALL: [Self; 15] = [
        Self::ToolsCall,
        Self::ToolsList,
        Self::PromptsList,
        Self::PromptsGet,
        Self::ResourcesList,
        Self::ResourcesTemplatesList,
        Self::ResourcesRead,
        Self::ResourcesSubscribe,
        Self::ResourcesUnsubscribe,
        Self::SubscriptionsListen,
        Self::CompletionComplete,
        Self::LoggingSetLevel,
        Self::Initialize,
        Self::ServerDiscover,
        Self::Ping,
    ];

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ToolsCall => "tools/call",
            Self::ToolsList => "tools/list",
            Self::PromptsList => "prompts/list",
            Self::PromptsGet => "prompts/get",
            Self::ResourcesList => "resources/list",
            Self::ResourcesTemplatesList => "resources/templates/list",
            Self::ResourcesRead => "resources/read",
            Self::ResourcesSubscribe => "resources/subscribe",
            Self::ResourcesUnsubscribe => "resources/unsubscribe",
            Self::SubscriptionsListen => "subscriptions/listen",
            Self::CompletionComplete => "completion/complete",
            Self::LoggingSetLevel => "logging/setLevel",
            Self::Initialize => "initialize",
            Self::ServerDiscover => "server/discover",
            Self::Ping => "ping",
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_name() {
        for method in McpMethod::ALL {
            assert_eq!(McpMethod::parse(method.as_str()), Some(method));
        }
        assert_eq!(McpMethod::parse("tools/Call"), None);
    }
}
