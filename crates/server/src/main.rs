//! The binary: reads the settings, then serves or runs one command. Whatever stops it becomes one line on
//! stderr and an exit code, 2 where the settings are at fault and 1 for everything else.

mod banner;
mod cli;
mod commands;
mod commons;
mod data_dir;
mod database;
mod demo;
mod encryption_keys;
mod exit;
mod first_key;
mod listener;
mod logging;
mod memory;
mod private_file;
mod recording;
mod serve;
mod settings;
mod shell;
mod signals;
mod warnings;
mod web;
mod workers;

use std::process::ExitCode;

use cli::{Cli, Command};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memory::in_small_pages();
    let outcome = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(cli),
        Err(refusal) => return exit::refused(&refusal),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::failed(&error),
    }
}

fn run(Cli { command, settings }: Cli) -> anyhow::Result<()> {
    logging::start(&settings);
    match command.unwrap_or(Command::Serve) {
        Command::Serve => wait_for(serve::serve(settings)),
        Command::Key(command) => wait_for(commands::key(command, &settings)),
        Command::RotateKeys => wait_for(commands::rotate_keys(&settings)),
        Command::Backup(to) => wait_for(commands::backup(&to, &settings)),
        Command::Restore(from) => wait_for(commands::restore(&from, &settings)),
        Command::Check => wait_for(commands::check(&settings)),
        Command::Import(command) => commands::import(&command),
    }
}

fn wait_for(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(work);
    // What still runs was given its time to end; waiting for it now could take for ever.
    runtime.shutdown_background();
    outcome
}
