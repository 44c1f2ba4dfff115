//! Rates the text of a failure by rules, one point each.

use std::fmt;

use toolgate_domain::tokens::estimate;

use super::{FailureCase, FailureReply};

/// Limit for the words that Toolgate adds, in estimated tokens.
const OWN_TOKENS_MAX: usize = 90;
/// Limit for the words quoted from the upstream, in estimated tokens.
const UPSTREAM_TOKENS_MAX: usize = 120;

/// Texts that no reply may contain: addresses, files, classes, SQL, libraries, and fields of a tool that a model cannot
/// change.
const UNCLEAN: [&str; 18] = [
    "127.0.0.1",
    "localhost",
    "http://",
    "/tickets",
    "/srv",
    "Exception",
    "Traceback",
    ".py",
    ".java",
    "SELECT",
    "mapping",
    "endpoint_url",
    "input_schema",
    "jsonschema",
    "serde",
    "hyper",
    "rustls",
    SECRET,
];
/// The credential of a tool.
const SECRET: &str = "s3cret-token";

/// A requirement on the reply to a failing call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureRule {
    /// The reply is marked as a failure.
    Marked,
    /// The text names the cause.
    Cause,
    /// The text says what to do.
    Remedy,
    /// The text names the accepted values.
    Values,
    /// The text has no secret, address, path, class name, stack trace or SQL.
    Clean,
    /// The text has at most 90 tokens, and 120 more for the words of the upstream.
    Short,
}

impl fmt::Display for FailureRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Marked => "marked",
            Self::Cause => "cause",
            Self::Remedy => "remedy",
            Self::Values => "values",
            Self::Clean => "clean",
            Self::Short => "short",
        })
    }
}

/// The points of one case.
#[derive(Debug, Clone)]
pub struct FailureScore {
    /// The number of rules that apply.
    pub possible: usize,
    /// The rules that the text breaks, each with a description of the problem.
    pub broken_rules: Vec<(FailureRule, String)>,
    /// Whether the text contains a secret.
    pub has_secret: bool,
}

impl FailureScore {
    /// The number of rules that the text follows.
    pub fn points(&self) -> usize {
        self.possible - self.broken_rules.len()
    }
}

impl FailureCase {
    /// How many rules apply: [`FailureRule::Values`] only if there are values to name.
    pub fn possible_points(&self) -> usize {
        5 + usize::from(!self.values.is_empty())
    }

    /// Rates a reply.
    pub fn score(&self, reply: &FailureReply) -> FailureScore {
        let FailureReply { message, advice, is_marked } = reply;
        let whole_text = format!("{message}\n{advice}");
        let missing = |text: &str, parts: &[&str]| {
            parts.iter().find(|part| !text.contains(**part)).map(|part| format!("no {part:?}"))
        };
        let no_advice = || advice.is_empty().then(|| "no advice".to_owned());
        let mut rules = vec![
            (FailureRule::Marked, (!is_marked).then(|| "not marked".to_owned())),
            (FailureRule::Cause, missing(message, self.cause)),
            (FailureRule::Remedy, missing(advice, self.remedy).or_else(no_advice)),
            (FailureRule::Clean, self.unclean(&whole_text)),
            (FailureRule::Short, too_long(message, advice)),
        ];
        if !self.values.is_empty() {
            rules.push((FailureRule::Values, missing(&whole_text, self.values)));
        }
        let possible = self.possible_points();
        let broken_rules = rules.into_iter().filter_map(|(rule, problem)| Some((rule, problem?))).collect();
        let mut secrets = self.secrets.iter().chain([&SECRET]);
        let has_secret = secrets.any(|secret| whole_text.contains(secret));
        FailureScore { possible, broken_rules, has_secret }
    }

    fn unclean(&self, text: &str) -> Option<String> {
        let words = UNCLEAN.iter().chain(self.absent).chain(self.secrets);
        words.into_iter().find(|word| text.contains(**word)).map(|word| format!("the text contains {word:?}"))
    }
}

fn too_long(message: &str, advice: &str) -> Option<String> {
    let advice_tokens = if advice == message { 0 } else { estimate(advice) };
    let tokens = estimate(message) + advice_tokens;
    let has_upstream_words = message.contains("HTTP ") || message.contains("what came follows");
    let limit = OWN_TOKENS_MAX + if has_upstream_words { UPSTREAM_TOKENS_MAX } else { 0 };
    (tokens > limit || advice_tokens > OWN_TOKENS_MAX).then(|| format!("{tokens} tokens of {limit}"))
}
