//! Rates the text of a failure by rules, one point each.

use std::fmt;

use toolgate_domain::tokens::estimate;

use super::{FailureCase, FailureReply};

/// The most tokens of Toolgate's own words.
const OWN_TOKENS_MAX: usize = 90;
/// The most tokens of the upstream's words.
const UPSTREAM_TOKENS_MAX: usize = 120;

/// What no text contains: addresses, files, classes, statements, settings of tools that a model cannot change.
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

/// What a text of a failure has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureRule {
    /// The reply is marked as a failure.
    Marked,
    /// The text names the cause.
    Cause,
    /// It says what to do.
    Remedy,
    /// It names the accepted values.
    Values,
    /// It has no secret, address, path, class name, stack trace or SQL.
    Clean,
    /// It has at most 90 tokens, and 120 more for the words of the upstream.
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
    /// The rules that apply.
    pub possible: usize,
    /// The rules that the text breaks, each with what is missing or too much.
    pub lost: Vec<(FailureRule, String)>,
    /// Whether the text has a secret.
    pub has_secret: bool,
}

impl FailureScore {
    /// The points.
    pub fn points(&self) -> usize {
        self.possible - self.lost.len()
    }
}

impl FailureCase {
    /// How many rules apply: that of values only if there are some to name.
    pub fn possible_points(&self) -> usize {
        5 + usize::from(!self.values.is_empty())
    }

    /// Rates a reply.
    pub fn score(&self, reply: &FailureReply) -> FailureScore {
        let FailureReply { message, advice, is_marked } = reply;
        let both = format!("{message}\n{advice}");
        let missing = |text: &str, parts: &[&str]| {
            parts.iter().find(|part| !text.contains(**part)).map(|part| format!("no {part:?}"))
        };
        let no_advice = || advice.is_empty().then(|| "no advice".to_owned());
        let mut rules = vec![
            (FailureRule::Marked, (!is_marked).then(|| "not marked".to_owned())),
            (FailureRule::Cause, missing(message, self.cause)),
            (FailureRule::Remedy, missing(advice, self.remedy).or_else(no_advice)),
            (FailureRule::Clean, self.unclean(&both)),
            (FailureRule::Short, too_long(message, advice)),
        ];
        if !self.values.is_empty() {
            rules.push((FailureRule::Values, missing(&both, self.values)));
        }
        let possible = self.possible_points();
        let lost = rules.into_iter().filter_map(|(rule, problem)| Some((rule, problem?))).collect();
        let absent = self.absent.iter().filter(|_| self.name.contains("secret"));
        let has_secret = both.contains(SECRET) || absent.into_iter().any(|secret| both.contains(secret));
        FailureScore { possible, lost, has_secret }
    }

    fn unclean(&self, text: &str) -> Option<String> {
        let words = UNCLEAN.iter().chain(self.absent);
        words.into_iter().find(|word| text.contains(**word)).map(|word| format!("{word:?} is in it"))
    }
}

fn too_long(message: &str, advice: &str) -> Option<String> {
    let advice_tokens = if advice == message { 0 } else { estimate(advice) };
    let tokens = estimate(message) + advice_tokens;
    let has_upstream_words = message.contains("HTTP ") || message.contains("what came follows");
    let limit = OWN_TOKENS_MAX + if has_upstream_words { UPSTREAM_TOKENS_MAX } else { 0 };
    (tokens > limit || advice_tokens > OWN_TOKENS_MAX).then(|| format!("{tokens} tokens of {limit}"))
}
