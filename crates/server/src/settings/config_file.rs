//! The optional TOML file. Its values fill the gaps that flags and environment leave, by standing in the
//! command line as if they had been typed there, so that they are read and refused in the same way.

use std::ffi::OsString;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use toml::{Table, Value};

use super::Settings;

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigFileError {
    #[error("cannot read it: {0}")]
    Read(#[from] std::io::Error),
    /// Without the line itself, which may hold a secret.
    #[error("line {line} is not TOML: {problem}")]
    Syntax { line: usize, problem: String },
    #[error("unknown setting {key:?}; known are {known}")]
    Unknown { key: String, known: String },
    #[error("the setting {key:?} must be a text, a number, true or false, or a list of them")]
    Kind { key: String },
}

/// The settings of the file that `given` lacks, as arguments.
pub(crate) fn arguments(path: &Path, given: &ArgMatches) -> Result<Vec<OsString>, ConfigFileError> {
    let settings = read(&std::fs::read_to_string(path)?)?;
    let is_unset = |key: &str| !matches!(given.value_source(key), Some(source) if source != ValueSource::DefaultValue);
    let unset = settings.into_iter().filter(|(key, _)| is_unset(key));
    Ok(unset.map(|(key, value)| format!("--{}={value}", key.replace('_', "-")).into()).collect())
}

fn read(text: &str) -> Result<Vec<(String, String)>, ConfigFileError> {
    let table: Table = toml::from_str(text).map_err(|error| syntax(text, &error))?;
    let known = keys();
    let mut settings = Vec::new();
    for (key, value) in table {
        if !known.contains(&key) {
            return Err(ConfigFileError::Unknown { key, known: known.join(", ") });
        }
        let Some(value) = as_text(&value) else {
            return Err(ConfigFileError::Kind { key });
        };
        settings.push((key, value));
    }
    Ok(settings)
}

/// All settings but the name of the file itself.
fn keys() -> Vec<String> {
    let command = Settings::augment_args(clap::Command::new(""));
    let ids = command.get_arguments().map(|arg| arg.get_id().to_string());
    ids.filter(|id| id != "config").collect()
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(as_text).collect();
            Some(items?.join(","))
        }
        Value::Boolean(value) => Some(value.to_string()),
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => None,
    }
}

fn syntax(text: &str, error: &toml::de::Error) -> ConfigFileError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.bytes().take(start);
    ConfigFileError::Syntax {
        line: before.filter(|byte| *byte == b'\n').count() + 1,
        problem: error.message().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_numbers_and_lists_are_read() {
        let found =
            read("listen = '127.0.0.1:1'\nretention_days = 7\ncors_origins = ['https://a', 'https://b']").unwrap();
        let expected = [("listen", "127.0.0.1:1"), ("retention_days", "7"), ("cors_origins", "https://a,https://b")];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
        for pair in expected {
            assert!(found.contains(&pair), "{pair:?} in {found:?}");
        }
    }

    #[test]
    fn unknown_keys_are_named() {
        for key in ["listn", "config", "help"] {
            let error = read(&format!("{key} = 'x'")).unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown setting {key:?}; known are listen, base_url, ")), "{error}");
        }
    }

    #[test]
    fn broken_lines_are_counted_and_never_shown() {
        let error = read("listen = '127.0.0.1:1'\napi_key = tg_very_secret\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2 is not TOML"), "{error}");
        assert!(!error.contains("very_secret"), "{error}");
        let error = read("api_key = 1.5").unwrap_err().to_string();
        assert_eq!(error, "the setting \"api_key\" must be a text, a number, true or false, or a list of them");
    }
}
