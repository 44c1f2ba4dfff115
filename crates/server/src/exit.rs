//! Error output and exit codes: one line, no backtrace.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::Write;
use std::process::ExitCode;

use crate::cli::CliError;

const EXIT_BAD_SETTINGS: u8 = 2;

/// Settings that are invalid together, or a setting whose file cannot be used. Both are found after the settings are
/// parsed.
#[derive(Debug)]
pub(crate) struct InvalidSettings(pub(crate) anyhow::Error);

impl Display for InvalidSettings {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Error for InvalidSettings {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Prints the help or the version with exit code 0, or an error about an invalid setting with exit code 2.
pub(crate) fn cli_error(error: &CliError) -> ExitCode {
    match error {
        CliError::Help(text) => {
            // The reader may have closed the pipe (`toolgate --help | head -1`).
            let _ = write!(std::io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        CliError::Invalid(message) => {
            print_error(message);
            ExitCode::from(EXIT_BAD_SETTINGS)
        }
    }
}

/// Reports that a command failed.
pub(crate) fn command_error(error: &anyhow::Error) -> ExitCode {
    print_error(with_causes(error));
    if error.is::<InvalidSettings>() { ExitCode::from(EXIT_BAD_SETTINGS) } else { ExitCode::FAILURE }
}

fn print_error(message: impl Display) {
    let line = message.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(std::io::stderr().lock(), "toolgate: {line}");
}

/// Joins the error and its causes. Some errors already contain the text of their cause, which is not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| {
        if text.is_empty() {
            cause
        } else if text.contains(&cause) {
            text
        } else {
            format!("{text}: {cause}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context, anyhow};

    #[test]
    fn every_cause_is_printed_once() {
        let with_cause_in_text = anyhow!("no route").context("cannot connect: no route");
        assert_eq!(with_causes(&with_cause_in_text), "cannot connect: no route");
        let without_cause_in_text = Err::<(), _>(anyhow!("disk full")).context("cannot write").unwrap_err();
        assert_eq!(with_causes(&without_cause_in_text), "cannot write: disk full");
    }
}
