//! Runs the parsing steps, from pasted text to the requests that its commands would send.

use std::borrow::Cow;
use std::iter;

use super::TEXT_MAX;
use super::command::{self, CurlWords};
use super::dialect::Dialect;
use super::error::{CurlError, ParseError};
use super::options::Options;
use super::pasted_text::PastedText;
use super::request::CurlRequest;
use super::stdin::{self, Stdin};
use super::words::{self, ParseStart};
use crate::warnings::Warnings;

/// Parses the curl commands of a text and returns at most `max` requests.
pub(super) fn parse_requests(text: &str, max: usize) -> Result<Vec<CurlRequest>, CurlError> {
    if text.len() > TEXT_MAX {
        return Err(CurlError::new(format!("the text is longer than {TEXT_MAX} bytes"), None));
    }
    let source = PastedText::new(text);
    let dialect = Dialect::detect(&source.text, source.prompt_dialect);
    let requests = parse_anywhere(&source.text, dialect, max).map_err(|error| source.locate(error))?;
    if requests.is_empty() { Err(CurlError::no_command(text)) } else { Ok(requests) }
}

/// Parses the text from its beginning. The text before a command may be prose, whose apostrophes look like open quotes:
/// if no command is found, parsing starts again at each offset where a command seems to begin. If a text that contains
/// `\'` has a syntax error, it is parsed again with lenient rules.
fn parse_anywhere(text: &str, dialect: Dialect, max: usize) -> Result<Vec<CurlRequest>, ParseError> {
    let strict_starts =
        iter::once(0).chain(command::candidate_offsets(text)).map(|offset| ParseStart { offset, is_lenient: false });
    let is_empty = |result: &Result<Vec<CurlRequest>, ParseError>| result.as_ref().is_ok_and(Vec::is_empty);
    let attempt = |start| (start, parse_commands(text, dialect, start, max));
    match strict_starts.map(attempt).find(|(_, result)| !is_empty(result)) {
        None => Ok(Vec::new()),
        Some((start, Err(error))) if text.contains("\\'") => {
            parse_commands(text, dialect, ParseStart { is_lenient: true, ..start }, max).map_err(|_| error)
        }
        Some((_, result)) => result,
    }
}

/// Parses the commands of a text. A syntax error outside curl commands is not reported: it only ends the parsing.
fn parse_commands(text: &str, dialect: Dialect, start: ParseStart, max: usize) -> Result<Vec<CurlRequest>, ParseError> {
    let mut requests: Vec<CurlRequest> = Vec::new();
    let mut piped_output = None;
    let mut commands = words::commands(text, dialect, start);
    while requests.len() < max {
        let Some(command) = commands.next() else { return Ok(requests) };
        let (command, error) = match command {
            Ok(command) => (command, None),
            Err((error, partial)) => (partial, Some(error)),
        };
        let piped_input = std::mem::replace(&mut piped_output, stdin::piped_output(&command));
        let stdin = Stdin(command.stdin.or(piped_input));
        match (CurlWords::from_words(command.words), error) {
            (Some(_), Some(error)) => return Err(error),
            (None, Some(_)) => return Ok(requests),
            (None, None) => {}
            (Some(curl), None) => {
                let max = max - requests.len();
                requests.extend(requests_of_command(curl, stdin, &command.warnings, max)?);
            }
        }
    }
    let is_curl =
        |command: words::CommandResult| command.is_ok_and(|command| CurlWords::from_words(command.words).is_some());
    if let Some(first) = requests.first_mut().filter(|_| commands.any(is_curl)) {
        first.request.warnings.add(if max == 1 {
            "The text has more than one command. Only the first one was imported.".into()
        } else {
            Cow::from(format!("The text has more than {max} commands. Only the first {max} were imported."))
        });
    }
    Ok(requests)
}

/// Returns the requests of one command; `--next` separates several requests.
fn requests_of_command(
    curl: CurlWords,
    mut stdin: Stdin,
    warnings: &Warnings,
    max: usize,
) -> Result<Vec<CurlRequest>, ParseError> {
    let offset = curl.offset;
    let all_options = Options::parse(curl.words, max)?;
    let has_more = all_options.len() > max;
    let requests = all_options.into_iter().take(max).map(|mut options| {
        options.offset = offset;
        options.warnings.extend(warnings);
        if has_more {
            options.warnings.add("--next starts another request, which was not imported.");
        }
        // The requests of a command share its standard input: the first one that reads it consumes it.
        CurlRequest::from_options(options, &mut stdin)
    });
    requests.collect()
}
