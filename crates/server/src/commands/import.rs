//! `toolgate import`: `curl` reads a curl command from standard input and prints a tool configuration; `openapi`,
//! `postman` and `har` list the tools of a document, or create them in a running service.

mod commit;
mod document;
mod form;
mod indent;
mod refusal;
mod service_client;
mod table;

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use anyhow::{Context, bail};
use toolgate_import::curl::{self, TEXT_MAX};

use super::{note, print};
use crate::cli::ImportCommand;
use crate::settings::Settings;
use document::ImportDocument;

/// Runs one of the import commands.
pub(crate) fn import(
    command: &ImportCommand,
    base_url_flag: Option<&str>,
    settings: &Settings,
) -> anyhow::Result<ExitCode> {
    let (args, format) = match command {
        ImportCommand::Curl { infer } => return import_curl(*infer).map(|()| ExitCode::SUCCESS),
        ImportCommand::Openapi(args) => (args, None),
        ImportCommand::Postman(args) => (args, Some("postman")),
        ImportCommand::Har(args) => (args, Some("har")),
    };
    let document = ImportDocument::read(args, format, args.api_url.as_deref().or(base_url_flag))?;
    match args.target.server {
        Some(server) if !args.target.dry_run => commit::commit(&document, server, args, settings),
        _ => document.print(args.json),
    }
}

fn import_curl(infer: bool) -> anyhow::Result<()> {
    let input = std::io::stdin();
    if input.is_terminal() {
        note("Paste a curl command, then press Ctrl-D on an empty line:");
    }
    let text = read_text(input.lock())?;
    let json =
        if infer { serde_json::to_string(&curl::infer(&text)?) } else { serde_json::to_string(&curl::import(&text)?) };
    print(indent::indent(&json?))
}

/// Reads the whole input, up to the size that the importer accepts.
fn read_text(input: impl Read) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    // Reads one byte more than allowed, to distinguish a text that is too long from one that just fits.
    let limit = u64::try_from(TEXT_MAX)?.saturating_add(1);
    input.take(limit).read_to_end(&mut bytes).context("cannot read standard input")?;
    if bytes.len() > TEXT_MAX {
        bail!("standard input is longer than {TEXT_MAX} bytes, which is too long for a curl command");
    }
    let text = match decode_utf16(&bytes) {
        Some(text) => text,
        None => String::from_utf8(bytes).map_err(|error| error.utf8_error()).context("standard input is not UTF-8")?,
    };
    if text.trim().is_empty() {
        bail!("standard input is empty; pipe a curl command into it");
    }
    Ok(text)
}

/// Decodes little-endian UTF-16 with a byte order mark, which Windows PowerShell writes; `None` for other text.
fn decode_utf16(bytes: &[u8]) -> Option<String> {
    let units = bytes
        .strip_prefix(&[0xff, 0xfe])?
        .chunks(2)
        .map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | u16::from(*byte)));
    String::from_utf16(&units.collect::<Vec<u16>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_maximum_length_is_read_and_a_longer_one_is_refused() {
        let longest = "x".repeat(TEXT_MAX);
        assert_eq!(read_text(longest.as_bytes()).unwrap(), longest);
        let error = read_text(std::io::repeat(b'x')).unwrap_err();
        assert!(error.to_string().starts_with("standard input is longer than 262144 bytes"), "{error}");
    }

    #[test]
    fn utf_16_text_of_windows_is_read() {
        let bytes: Vec<u8> = "\u{feff}curl é".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read_text(&bytes[..]).unwrap(), "curl é");
    }

    #[test]
    fn text_that_is_not_utf_8_or_is_empty_is_refused() {
        let error = read_text(&b"curl \xff"[..]).unwrap_err();
        assert!(
            format!("{error:#}").contains("not UTF-8: invalid utf-8 sequence of 1 bytes from index 5"),
            "{error:#}"
        );
        assert!(read_text(&b" \r\n\t"[..]).is_err());
    }
}
