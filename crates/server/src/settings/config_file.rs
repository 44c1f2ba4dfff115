//! The optional TOML file. Its values are added to the command line as flags for settings that neither flags nor
//! the environment set, so that all values are parsed and validated in the same way.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use toml::{Table, Value};

use super::Settings;

/// The settings of the file as arguments, without those that flags or the environment set.
pub(crate) fn config_file_arguments(path: &Path, matches: &ArgMatches) -> anyhow::Result<Vec<OsString>> {
    let settings = parse(&std::fs::read_to_string(path).context("cannot read it")?)?;
    let is_unset =
        |key: &str| !matches!(matches.value_source(key), Some(source) if source != ValueSource::DefaultValue);
    let unset = settings.into_iter().filter(|(key, _)| is_unset(key));
    Ok(unset.map(|(key, value)| format!("--{}={value}", key.replace('_', "-")).into()).collect())
}

fn parse(text: &str) -> anyhow::Result<Vec<(String, String)>> {
    let table: Table = toml::from_str(text).map_err(|error| syntax_error(text, &error))?;
    let valid = setting_names();
    let mut settings = Vec::new();
    for (key, value) in table {
        ensure!(valid.contains(&key), "unknown setting {key:?}; valid settings are {}", valid.join(", "));
        let value = as_text(&value).with_context(|| {
            format!("the setting {key:?} must be a string, a number, true or false, or a list of them")
        })?;
        settings.push((key, value));
    }
    Ok(settings)
}

/// The names of all settings, except the path of this file.
fn setting_names() -> Vec<String> {
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
        Value::Float(number) => Some(number.to_string()),
        Value::Datetime(_) | Value::Table(_) => None,
    }
}

/// The message does not contain the line, which may contain a secret.
fn syntax_error(text: &str, error: &toml::de::Error) -> anyhow::Error {
    let start = error.span().map_or(0, |span| span.start);
    let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
    anyhow!("line {line} is not TOML: {}", error.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_numbers_and_lists_are_read() {
        let settings =
            parse("listen = '127.0.0.1:1'\nretention_days = 7\ncors_origins = ['https://a', 'https://b']").unwrap();
        let expected = [("listen", "127.0.0.1:1"), ("retention_days", "7"), ("cors_origins", "https://a,https://b")];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
        for pair in expected {
            assert!(settings.contains(&pair), "{pair:?} is missing in {settings:?}");
        }
    }

    #[test]
    fn unknown_keys_are_reported() {
        for key in ["listn", "config", "help"] {
            let error = parse(&format!("{key} = 'x'")).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("unknown setting {key:?}; valid settings are listen, base_url, ")),
                "{error}"
            );
        }
    }

    #[test]
    fn invalid_lines_are_reported_by_number_and_never_shown() {
        let error = parse("listen = '127.0.0.1:1'\napi_key = tg_very_secret\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2 is not TOML"), "{error}");
        assert!(!error.contains("very_secret"), "{error}");
        let error = parse("api_key = 2026-11-17").unwrap_err().to_string();
        assert_eq!(error, "the setting \"api_key\" must be a string, a number, true or false, or a list of them");
    }
}
