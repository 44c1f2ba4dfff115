//! What clap has to say, in one line that names the setting by flag and variable. The refused value is
//! left to the parser that refused it, which knows whether it is a secret.

use std::error::Error as _;

use clap::Args as _;
use clap::error::{ContextKind, ErrorKind};

use crate::settings::Settings;

/// Why there is nothing to run.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Help or the version was asked for; here it is.
    Help(String),
    /// The arguments, the environment or the settings file are at fault.
    Invalid(String),
}

impl From<clap::Error> for CliError {
    fn from(error: clap::Error) -> Self {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Self::Help(error.render().to_string()),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Self::Invalid("the command needs one more word; see `toolgate --help`".to_owned())
            }
            _ => Self::Invalid(invalid_value(&error).unwrap_or_else(|| first_paragraph(&error))),
        }
    }
}

/// A value that one of our own parsers refused.
fn invalid_value(error: &clap::Error) -> Option<String> {
    let problem = error.source()?.to_string();
    let argument = error.get(ContextKind::InvalidArg)?.to_string();
    let flag = argument.split_whitespace().next()?;
    let Some(variable) = variable_of(flag) else {
        return Some(format!("{flag}: {problem}"));
    };
    let problem = problem.strip_prefix(&format!("{variable}: ")).unwrap_or(&problem);
    Some(format!("{flag} ({variable}): {problem}"))
}

/// The environment variable of a setting; other flags have none.
fn variable_of(flag: &str) -> Option<String> {
    let command = Settings::augment_args(clap::Command::new(""));
    let argument = command.get_arguments().find(|argument| argument.get_long() == flag.strip_prefix("--"))?;
    Some(argument.get_env()?.to_string_lossy().into_owned())
}

/// Whatever else clap refuses, without its advice on usage.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines: Vec<_> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let paragraph = lines.join(" ");
    format!("{}; see `toolgate --help`", paragraph.strip_prefix("error: ").unwrap_or(&paragraph))
}
