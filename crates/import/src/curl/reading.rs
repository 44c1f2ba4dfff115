//! The way from a text to what its commands would send.

use std::borrow::Cow;
use std::iter;

use super::TEXT_MAX;
use super::command::{self, CurlWords};
use super::dialect::Dialect;
use super::error::{CurlError, Misread};
use super::options::Options;
use super::request::Request;
use super::source::Source;
use super::stdin::{self, Stdin};
use super::warnings::Warnings;
use super::words::{self, Start};

/// What the curl commands of a text would send, at most so many of them.
pub(super) fn requests(text: &str, most: usize) -> Result<Vec<Request>, CurlError> {
    if text.len() > TEXT_MAX {
        return Err(CurlError::new(format!("the text is longer than {TEXT_MAX} bytes"), None));
    }
    let source = Source::new(text);
    let dialect = Dialect::of(&source);
    let found = read_anywhere(&source.text, dialect, most).map_err(|misread| source.locate(misread))?;
    if found.is_empty() { Err(CurlError::no_command(text)) } else { Ok(found) }
}

/// Reads the text from its beginning. What stands before a command need not be of its shell, for prose has apostrophes:
/// if nothing is found, it is read from where a command seems to begin. If there is a mistake in one, then it is
/// looked at again with a milder eye.
fn read_anywhere(text: &str, dialect: Dialect, most: usize) -> Result<Vec<Request>, Misread> {
    let strict = iter::once(0).chain(command::starts(text)).map(|at| Start { at, is_lenient: false });
    let is_empty = |read: &Result<Vec<Request>, Misread>| matches!(read, Ok(none) if none.is_empty());
    let attempt = |start| (start, read(text, dialect, start, most));
    match strict.map(attempt).find(|(_, read)| !is_empty(read)) {
        None => Ok(Vec::new()),
        Some((start, Err(misread))) if text.contains("\\'") => {
            read(text, dialect, Start { is_lenient: true, ..start }, most).map_err(|_| misread)
        }
        Some((_, misread)) => misread,
    }
}

/// Reads the commands of a text; of what is no curl command nothing needs to make sense.
fn read(text: &str, dialect: Dialect, start: Start, most: usize) -> Result<Vec<Request>, Misread> {
    let mut requests: Vec<Request> = Vec::new();
    let mut handed_over = None;
    let mut commands = words::commands(text, dialect, start);
    while requests.len() < most {
        let Some(command) = commands.next() else { return Ok(requests) };
        let (command, misread) = match command {
            Ok(command) => (command, None),
            Err((misread, part)) => (part, Some(misread)),
        };
        let received = std::mem::replace(&mut handed_over, stdin::handed_over(&command));
        let stdin = Stdin::new(command.stdin.or(received));
        match (CurlWords::of(command.words), misread) {
            (Some(_), Some(misread)) => return Err(misread),
            (None, Some(_)) => return Ok(requests),
            (None, None) => {}
            (Some(curl), None) => {
                let most = most - requests.len();
                requests.extend(requests_of(curl, stdin, &command.warnings, most)?);
            }
        }
    }
    let is_curl = |command: words::Read| command.is_ok_and(|command| CurlWords::of(command.words).is_some());
    if let Some(first) = requests.first_mut().filter(|_| commands.any(is_curl)) {
        first.warnings.add(if most == 1 {
            "The text has more than one command; only the first was read.".into()
        } else {
            Cow::from(format!("The text has more than {most} commands; the others were not read."))
        });
    }
    Ok(requests)
}

/// What one command would send: one request, or several with `--next` between them.
fn requests_of(curl: CurlWords, mut stdin: Stdin, warnings: &Warnings, most: usize) -> Result<Vec<Request>, Misread> {
    let at = curl.at;
    let all = Options::read(curl.words, most)?;
    let is_cut = all.len() > most;
    let taken = all.into_iter().take(most).map(|mut options| {
        options.at = at;
        options.warnings.extend(warnings);
        if is_cut {
            options.warnings.add("What follows --next is another request; only the first was read.");
        }
        // what one leaves of it is there for the next
        Request::of(options, &mut stdin)
    });
    taken.collect()
}
