//! How the process ends when something is wrong: one line, no backtrace.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use crate::cli::CliError;

const EXIT_BAD_SETTINGS: u8 = 2;

/// Help and version were asked for and are no failure; anything else is a bad setting.
pub(crate) fn cli_error(error: &CliError) -> ExitCode {
    match error {
        CliError::Help(text) => {
            // Who asked may have stopped listening (`toolgate --help | head -1`).
            let _ = write!(std::io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        CliError::Invalid(message) => {
            print_error(message);
            ExitCode::from(EXIT_BAD_SETTINGS)
        }
    }
}

/// The settings were fine, but the command could not be carried out.
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    print_error(with_causes(error));
    ExitCode::FAILURE
}

fn print_error(message: impl Display) {
    let line = message.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(std::io::stderr().lock(), "toolgate: {line}");
}

/// Some errors tell their cause in their own text, some do not: each cause is told once.
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
    fn every_cause_is_told_once() {
        let quoting = anyhow!("no route").context("cannot connect: no route");
        assert_eq!(with_causes(&quoting), "cannot connect: no route");
        let silent = Err::<(), _>(anyhow!("disk full")).context("cannot write").unwrap_err();
        assert_eq!(with_causes(&silent), "cannot write: disk full");
    }
}
