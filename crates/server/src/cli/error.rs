//! Converts errors of clap into one line with the flag and the environment variable of the setting. The line contains
//! an invalid value only if the message of the setting's parser does, because the value may be a secret.

use std::error::Error as _;

use clap::Args as _;
use clap::error::{ContextKind, ErrorKind};

use crate::settings::Settings;

/// Why the arguments do not start a command.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The text for `--help` or `--version`.
    Help(String),
    /// The arguments, the environment or the settings file are invalid.
    Invalid(String),
}

impl From<clap::Error> for CliError {
    fn from(error: clap::Error) -> Self {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Self::Help(error.render().to_string()),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                Self::Invalid("the command needs a subcommand; see `toolgate --help`".to_owned())
            }
            _ => Self::Invalid(invalid_value(&error).unwrap_or_else(|| first_paragraph(&error))),
        }
    }
}

/// The message for a value that one of our parsers rejected.
fn invalid_value(error: &clap::Error) -> Option<String> {
    let problem = error.source()?.to_string();
    let argument = error.get(ContextKind::InvalidArg)?.to_string();
    let flag = argument.split_whitespace().next()?;
    let Some(variable) = environment_variable(flag) else {
        return Some(format!("{flag}: {problem}"));
    };
    let problem = problem.strip_prefix(&format!("{variable}: ")).unwrap_or(&problem);
    Some(format!("{flag} ({variable}): {problem}"))
}

/// The environment variable of a setting; `None` for other flags.
fn environment_variable(flag: &str) -> Option<String> {
    let command = Settings::augment_args(clap::Command::new(""));
    let argument = command.get_arguments().find(|argument| argument.get_long() == flag.strip_prefix("--"))?;
    Some(argument.get_env()?.to_string_lossy().into_owned())
}

/// The message for all other errors, without clap's usage text.
fn first_paragraph(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines: Vec<_> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let paragraph = lines.join(" ");
    format!("{}; see `toolgate --help`", paragraph.strip_prefix("error: ").unwrap_or(&paragraph))
}
