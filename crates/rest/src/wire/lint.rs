//! The cost and the findings of a list of tools.

use toolgate_discovery::lint::{
    ConversationList, Finding, FindingCode, FindingFix, FindingLevel, LintReport, ListedTokens,
};
use toolgate_domain::discovery::DiscoveryMode;

use crate::reply_object::reply_object;
use crate::schema::{Omittable, reply_values};

reply_values! {
    DiscoveryMode => {"type": "string", "enum": DiscoveryMode::NAMES},
    FindingCode => {"type": "string", "enum": FindingCode::NAMES},
    FindingLevel => {"type": "string", "enum": FindingLevel::NAMES},
    FindingFix => {"type": "string", "enum": FindingFix::NAMES},
}

reply_object! {
    /// The estimated tokens of a tool in the list.
    pub(crate) struct ListedToolTokensOut(tokens: &ListedTokens) {
        tool_id: i64 = tokens.tool_id.0,
        name: usize = tokens.name,
        description: usize = tokens.description,
        /// Tokens of the input schema.
        schema: usize = tokens.schema,
        total: usize = tokens.total,
        /// Whether it was called in the last 30 days; true if that is not known.
        used: bool = tokens.is_used,
    }
}

reply_object! {
    /// A fault that makes models fail or costs tokens unnecessarily.
    pub(crate) struct LintFindingOut(finding: Finding) {
        /// The tool, unless the finding is about the whole list.
        tool_id: Omittable<i64> = Omittable(finding.tool_id.map(|id| id.0)),
        /// The argument, if the finding is about one.
        argument: Omittable<String> = Omittable(finding.argument),
        level: FindingLevel = finding.code.level(),
        code: FindingCode = finding.code,
        message: String = finding.message,
        /// The action that corrects it, if one action is enough.
        fix: Omittable<FindingFix> = Omittable(finding.fix),
        /// A name that clients accept; only if the action is to rename the tool.
        suggested_name: Omittable<String> = Omittable(finding.suggested_name),
    }
}

reply_object! {
    /// The list that a client without its own limit gets at the start of a conversation.
    pub(crate) struct ConversationListOut(list: ConversationList, discovery: DiscoveryMode) {
        /// The setting of the server.
        discovery: DiscoveryMode = discovery,
        /// Whether the client searches for tools: the list then has only pinned tools and those for search.
        searches: bool = list.searches,
        /// Number of tools, including built-in ones.
        tools: usize = list.tools,
        /// Estimated tokens of the list.
        tokens: usize = list.tokens,
    }
}

reply_object! {
    /// The cost and the findings of the active tools of a server.
    pub(crate) struct ServerLintOut(report: LintReport, discovery: DiscoveryMode) {
        /// Estimated tokens of all tools.
        tokens: usize = report.tokens,
        conversation: ConversationListOut = ConversationListOut::new(report.conversation, discovery),
        /// The tools in the order of the list.
        tools: Vec<ListedToolTokensOut> = report.tools.iter().map(ListedToolTokensOut::new).collect(),
        /// First those of the whole list, then those of the tools.
        findings: Vec<LintFindingOut> = report.findings.into_iter().map(LintFindingOut::new).collect(),
    }
}
