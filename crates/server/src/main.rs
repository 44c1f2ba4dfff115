//! The binary: reads the settings, then serves or runs one command. Whatever stops it becomes one line on
//! stderr and an exit code, 2 where the settings are at fault and 1 for everything else.

mod banner;
mod cli;
mod commands;
mod data_dir;
mod database;
mod encryption_keys;
mod exit;
mod first_key;
mod listener;
mod logging;
mod private_file;
mod serve;
mod settings;
mod signals;
mod warnings;
mod web;

use std::process::ExitCode;

use cli::{Cli, Command};
use settings::Settings;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let outcome = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(cli),
        Err(refusal) => return exit::refused(&refusal),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::failed(&error),
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    logging::start(&cli.settings);
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(carry_out(cli.command.unwrap_or(Command::Serve), cli.settings));
    // What still runs was given its time to end; waiting for it now could take for ever.
    runtime.shutdown_background();
    outcome
}

async fn carry_out(command: Command, settings: Settings) -> anyhow::Result<()> {
    match command {
        Command::Serve => serve::serve(settings).await,
        Command::Key(command) => commands::key(command, &settings).await,
        Command::RotateKeys => commands::rotate_keys(&settings).await,
        Command::Check => commands::check(&settings).await,
    }
}
