//! Failing calls, and the texts that the reply to each must contain. The tests and `make model` use the same cases.
//!
//! [`start`] starts a service with the tools of the cases; [`FailureReply::request`] makes a call, and
//! [`FailureCase::score`] rates the reply: is the failure marked, are cause, remedy and accepted values named, is the
//! text clean and short.

mod arguments;
mod bodies;
mod order_arguments;
mod reply;
mod score;
mod tools;
mod upstream;

use serde_json::Value;

pub use reply::FailureReply;
pub use score::{FailureRule, FailureScore};
pub use tools::start;

/// One failing call.
#[derive(Debug, Clone)]
pub struct FailureCase {
    /// What is wrong with the call, in a few words.
    pub name: &'static str,
    /// The tool that is called.
    pub tool: &'static str,
    /// The arguments of the call.
    pub arguments: Value,
    /// Texts that the message must contain.
    pub cause: &'static [&'static str],
    /// Texts that the advice must contain.
    pub remedy: &'static [&'static str],
    /// The accepted values, ranges or patterns that the text must name; empty if there are none.
    pub values: &'static [&'static str],
    /// Texts that the reply must not contain, in addition to those forbidden in every reply.
    pub absent: &'static [&'static str],
    /// Secrets of the call, which the reply must not contain either.
    pub secrets: &'static [&'static str],
}

impl FailureCase {
    fn new(name: &'static str, tool: &'static str, arguments: Value) -> Self {
        Self { name, tool, arguments, cause: &[], remedy: &[], values: &[], absent: &[], secrets: &[] }
    }

    fn cause(self, cause: &'static [&'static str]) -> Self {
        Self { cause, ..self }
    }

    fn remedy(self, remedy: &'static [&'static str]) -> Self {
        Self { remedy, ..self }
    }

    fn values(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }

    fn absent(self, absent: &'static [&'static str]) -> Self {
        Self { absent, ..self }
    }

    fn secrets(self, secrets: &'static [&'static str]) -> Self {
        Self { secrets, ..self }
    }
}

/// All cases.
pub fn failure_cases() -> Vec<FailureCase> {
    argument_cases().into_iter().chain(upstream::cases()).chain(bodies::cases()).collect()
}

/// The cases of invalid arguments: no request is sent, and every kind of caller gets the same text.
pub fn argument_cases() -> Vec<FailureCase> {
    arguments::cases().into_iter().chain(order_arguments::cases()).collect()
}

/// Calls of tools that do not exist.
pub fn unknown_tool_cases() -> Vec<FailureCase> {
    arguments::unknown_tools()
}
