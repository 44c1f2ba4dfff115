//! How the process ends when something is wrong: one line, no backtrace.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use crate::cli::Refusal;

const BAD_SETTINGS: u8 = 2;

/// Help and version were asked for and are no failure; anything else is a bad setting.
pub(crate) fn refused(refusal: &Refusal) -> ExitCode {
    match refusal {
        Refusal::Answer(text) => {
            // Who asked may have stopped listening (`toolgate --help | head -1`).
            let _ = write!(std::io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        Refusal::Bad(message) => {
            complain(message);
            ExitCode::from(BAD_SETTINGS)
        }
    }
}

/// The settings were fine, but the command could not be carried out.
pub(crate) fn failed(error: &anyhow::Error) -> ExitCode {
    complain(with_causes(error));
    ExitCode::FAILURE
}

fn complain(message: impl Display) {
    let line = message.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(std::io::stderr().lock(), "toolgate: {line}");
}

/// Some errors tell their cause in their own text, some do not: each cause is told once.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| {
        if told.is_empty() {
            cause
        } else if told.contains(&cause) {
            told
        } else {
            format!("{told}: {cause}")
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
