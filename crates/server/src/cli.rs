//! The command line: which command, with which settings.

mod error;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use toolgate_domain::api_key::{Scope, Scopes};
use toolgate_domain::time::Timestamp;

use crate::settings::{Settings, arguments};
pub(crate) use error::CliError;

/// Turns HTTP APIs into MCP servers that AI clients can use.
#[derive(Debug, Parser)]
#[command(name = "toolgate", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Run the service (also without a word)
    Serve,
    /// Manage the keys of the management API; works while the service runs
    #[command(subcommand)]
    Key(KeyCommand),
    /// Seal all stored secrets anew, with a fresh key where keys are in the key file; works while the service runs
    RotateKeys,
    /// Look through the whole database for damage; works while the service runs
    Check,
    /// Write a whole copy of the database to a file; works while the service runs
    Backup(BackupFile),
    /// Put a backup in place of the database; the service must not run
    Restore(BackupFile),
    /// Turn what another program calls an API with into the configuration of a tool; needs no running service
    #[command(subcommand)]
    Import(ImportCommand),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BackupFile {
    /// The backup
    pub(crate) file: PathBuf,
    /// Replace what is there: a file by a backup; a database by a restore, which keeps it under another name
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Read a curl command from standard input and print the tool as JSON, credentials included
    Curl {
        /// Also guess types, arguments, a name and a description, and read every command of the text
        #[arg(long)]
        infer: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key and print it, this once
    Create(CreateKey),
    /// List the keys, without their secrets
    List,
    /// Revoke a key at once
    Revoke {
        /// Its number in `toolgate key list`
        id: i64,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CreateKey {
    /// What to call the key
    #[arg(long, default_value = "command line")]
    pub(crate) name: String,
    /// Whose key it is, by name or number [default: the first administrator]
    #[arg(long, value_name = "NAME_OR_ID")]
    pub(crate) user: Option<String>,
    /// What it may do: read, write, admin, mcp, separated by commas
    #[arg(long, default_value = "read,write", value_parser = scopes)]
    pub(crate) scopes: Scopes,
    /// When it stops working (UTC), such as 2027-01-01T00:00:00 [default: never]
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    pub(crate) expires: Option<Timestamp>,
}

impl Cli {
    /// Reads the arguments (the first is the program's name), the environment and the settings file.
    pub(crate) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, CliError> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let matches = parse(&args)?;
        let Some(file) = Self::from(&matches)?.settings.config else {
            return Self::from(&matches);
        };
        let in_file = |problem: String| CliError::Invalid(format!("{}: {problem}", file.display()));
        let from_file = arguments(&file, &matches).map_err(|error| in_file(error.to_string()))?;
        let after_name = args.len().min(1);
        args.splice(after_name..after_name, from_file);
        let read = parse(&args).and_then(|matches| Self::from(&matches));
        // The arguments alone were fine.
        read.map_err(|error| match error {
            CliError::Invalid(problem) => in_file(problem),
            CliError::Help(_) => error,
        })
    }

    fn from(matches: &ArgMatches) -> Result<Self, CliError> {
        Ok(Self::from_arg_matches(matches)?)
    }
}

fn parse(args: &[OsString]) -> Result<ArgMatches, CliError> {
    Ok(Cli::command().try_get_matches_from(args)?)
}

fn scopes(text: &str) -> Result<Scopes, String> {
    let scope = |name: &str| {
        Scope::parse(name).ok_or_else(|| format!("{name:?} is not a scope; known are {}", Scope::NAMES.join(", ")))
    };
    text.split(',').map(str::trim).map(scope).collect()
}

fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| format!("{text:?} is not a time; write for example 2027-01-01T00:00:00"))
}
