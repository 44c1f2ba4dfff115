//! Statement parameters and result rows. Only integers, text and bytes are used, which both databases treat alike.

use serde::de::DeserializeOwned;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use toolgate_domain::api_key::KeyHash;
use toolgate_domain::time::Timestamp;

use crate::error::Result;

/// A value bound to a statement.
#[derive(Clone, Debug)]
pub(super) enum Param {
    Int(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// Implements the conversion of each type to a parameter.
macro_rules! into_param {
    ($($type:ty: $into:expr;)+) => {$(
        impl From<$type> for Param {
            fn from(value: $type) -> Self {
                $into(value)
            }
        }
    )+};
}

into_param! {
    i64: |value| Self::Int(Some(value));
    Option<i64>: Self::Int;
    Timestamp: |value: Timestamp| Self::Int(Some(value.as_millis()));
    &str: |value: &str| Self::Text(Some(value.to_owned()));
    String: |value| Self::Text(Some(value));
    Option<&str>: |value: Option<&str>| Self::Text(value.map(str::to_owned));
    Option<String>: Self::Text;
    Vec<u8>: |value| Self::Bytes(Some(value));
    &KeyHash: |value: &KeyHash| Self::Bytes(Some(value.0.to_vec()));
    Option<&KeyHash>: |value: Option<&KeyHash>| Self::Bytes(value.map(|hash| hash.0.to_vec()));
}

/// The values of a statement, in the order of its placeholders.
macro_rules! params {
    ($($value:expr),* $(,)?) => { vec![$($crate::sql::row::Param::from($value)),*] };
}
pub(super) use params;

/// A row of either database.
pub(super) enum SqlRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// Decodes one column of a row of either database.
macro_rules! column {
    ($row:expr, $name:expr) => {
        match $row {
            SqlRow::Sqlite(row) => row.try_get($name)?,
            SqlRow::Postgres(row) => row.try_get($name)?,
        }
    };
}

impl SqlRow {
    pub(super) fn int(&self, name: &str) -> Result<i64> {
        Ok(column!(self, name))
    }

    pub(super) fn opt_int(&self, name: &str) -> Result<Option<i64>> {
        Ok(column!(self, name))
    }

    /// A count, which is never negative.
    pub(super) fn count(&self, name: &str) -> Result<u64> {
        Ok(u64::try_from(self.int(name)?).unwrap_or_default())
    }

    pub(super) fn time(&self, name: &str) -> Result<Timestamp> {
        self.int(name).map(Timestamp::from_millis)
    }

    pub(super) fn text(&self, name: &str) -> Result<String> {
        Ok(column!(self, name))
    }

    pub(super) fn opt_text(&self, name: &str) -> Result<Option<String>> {
        Ok(column!(self, name))
    }

    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>> {
        Ok(column!(self, name))
    }

    /// A SHA-256 hash of a key.
    pub(super) fn key_hash(&self, name: &str) -> Result<KeyHash> {
        to_key_hash(name, self.bytes(name)?)
    }

    /// A SHA-256 hash of a key, if there is one.
    pub(super) fn opt_key_hash(&self, name: &str) -> Result<Option<KeyHash>> {
        let bytes: Option<Vec<u8>> = column!(self, name);
        bytes.map(|bytes| to_key_hash(name, bytes)).transpose()
    }

    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        self.parsed(name, |text| serde_json::from_str(text).ok())
    }

    /// A text that `parse` converts; fails if `parse` does not accept it.
    pub(super) fn parsed<T>(&self, name: &str, parse: fn(&str) -> Option<T>) -> Result<T> {
        let text = self.text(name)?;
        let unknown =
            || sqlx::Error::ColumnDecode { index: name.to_owned(), source: format!("unknown value {text:?}").into() };
        Ok(parse(&text).ok_or_else(unknown)?)
    }
}

fn to_key_hash(name: &str, bytes: Vec<u8>) -> Result<KeyHash> {
    let malformed = |_| sqlx::Error::ColumnDecode { index: name.to_owned(), source: "not 32 bytes".into() };
    Ok(KeyHash(bytes.try_into().map_err(malformed)?))
}
