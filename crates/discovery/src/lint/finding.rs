//! Findings of the linter.

use toolgate_domain::closed_set;
use toolgate_domain::ids::ToolId;

closed_set! {
    /// The severity of a finding.
    pub enum FindingLevel {
        /// Clients refuse or drop the tool, or a secret is public.
        Error = "error",
        /// Models fail, or pay more than they have to.
        Warn = "warn",
        /// Could be better.
        Info = "info",
    }
}

closed_set! {
    /// An action that resolves a finding.
    pub enum FindingFix {
        /// Give the tool another name.
        Rename = "rename",
        /// Adapt lists to clients, which folds the variants of a schema into one object.
        Fold = "fold",
        /// Pause the tools without calls.
        Pause = "pause",
        /// Limit the tokens of responses.
        Budget = "budget",
        /// Let clients search for tools.
        Search = "search",
    }
}

closed_set! {
    /// The rule that is violated.
    pub enum FindingCode {
        /// The list costs more than its budget.
        ListBudget = "list_budget",
        /// The list has more tools than a client shows.
        TooManyTools = "too_many_tools",
        /// One tool costs much more than the others.
        ExpensiveTool = "expensive_tool",
        /// The name is too long for a client.
        LongName = "long_name",
        /// The name has characters that clients refuse.
        NameCharacters = "name_characters",
        /// There is no description.
        NoDescription = "no_description",
        /// The description has no word that the name does not have.
        RepeatsName = "description_repeats_name",
        /// The description does not say what the tool returns.
        NoResult = "result_not_described",
        /// Two descriptions have nearly the same words.
        SimilarTools = "similar_tools",
        /// An argument without description whose name does not explain it.
        UnclearArgument = "unclear_argument",
        /// An argument whose values are only in its description.
        MissingEnum = "missing_enum",
        /// An argument whose format is only in its description.
        FormatInProse = "format_in_prose",
        /// A schema that consists of variants.
        TopLevelVariants = "top_level_variants",
        /// A reference that clients cannot follow.
        ForeignReference = "foreign_reference",
        /// Deeply nested arguments.
        DeepNesting = "deep_nesting",
        /// A default value that looks like a secret.
        SecretDefault = "secret_default",
        /// Results that are too long for a client.
        LargeAnswers = "large_answers",
        /// An argument on which many calls fail.
        FailedArgument = "failed_argument",
        /// Many arguments, of which some are never sent.
        UnusedArguments = "unused_arguments",
    }
}

impl FindingCode {
    /// The severity of findings with this code.
    pub fn level(self) -> FindingLevel {
        match self {
            Self::NameCharacters | Self::ForeignReference | Self::SecretDefault => FindingLevel::Error,
            Self::ListBudget
            | Self::TooManyTools
            | Self::LongName
            | Self::NoDescription
            | Self::RepeatsName
            | Self::SimilarTools
            | Self::UnclearArgument
            | Self::TopLevelVariants
            | Self::LargeAnswers
            | Self::FailedArgument => FindingLevel::Warn,
            Self::ExpensiveTool
            | Self::NoResult
            | Self::MissingEnum
            | Self::FormatInProse
            | Self::DeepNesting
            | Self::UnusedArguments => FindingLevel::Info,
        }
    }

    /// The action that usually resolves such a finding.
    fn usual_fix(self) -> Option<FindingFix> {
        match self {
            Self::LongName | Self::NameCharacters => Some(FindingFix::Rename),
            Self::TopLevelVariants => Some(FindingFix::Fold),
            Self::ListBudget => Some(FindingFix::Pause),
            Self::LargeAnswers => Some(FindingFix::Budget),
            Self::TooManyTools => Some(FindingFix::Search),
            _ => None,
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The tool, unless it is about the whole list.
    pub tool_id: Option<ToolId>,
    /// The argument, if it is about one.
    pub argument: Option<String>,
    /// The rule.
    pub code: FindingCode,
    /// What is wrong, and what to do.
    pub message: String,
    /// An action that resolves it.
    pub fix: Option<FindingFix>,
    /// A name for the tool that resolves the finding.
    pub suggested_name: Option<String>,
}

impl Finding {
    pub(super) fn list(code: FindingCode, message: String) -> Self {
        Self { tool_id: None, argument: None, code, message, fix: code.usual_fix(), suggested_name: None }
    }

    pub(super) fn tool(tool_id: ToolId, code: FindingCode, message: String) -> Self {
        Self { tool_id: Some(tool_id), ..Self::list(code, message) }
    }

    pub(super) fn argument(tool_id: ToolId, argument: &str, code: FindingCode, message: String) -> Self {
        Self { argument: Some(argument.to_owned()), ..Self::tool(tool_id, code, message) }
    }
}
