//! Statement parameters and result rows. Only integers, text and bytes are used, which both databases treat alike.

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
    Bytes(Vec<u8>),
}

impl From<i64> for Param {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<Option<i64>> for Param {
    fn from(value: Option<i64>) -> Self {
        Self::Int(value)
    }
}

impl From<Timestamp> for Param {
    fn from(value: Timestamp) -> Self {
        Self::Int(Some(value.as_millis()))
    }
}

impl From<&str> for Param {
    fn from(value: &str) -> Self {
        Self::Text(Some(value.to_owned()))
    }
}

impl From<String> for Param {
    fn from(value: String) -> Self {
        Self::Text(Some(value))
    }
}

impl From<Option<&str>> for Param {
    fn from(value: Option<&str>) -> Self {
        Self::Text(value.map(str::to_owned))
    }
}

impl From<Vec<u8>> for Param {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

/// The values of a statement, in the order of its placeholders.
macro_rules! params {
    ($($value:expr),* $(,)?) => { vec![$($crate::sql::row::Param::from($value)),*] };
}
pub(super) use params;

/// Binds the parameters and runs a statement. A macro, because the databases' executors have no common type.
macro_rules! run {
    ($executor:expr, $sql:expr, $params:expr, $method:ident) => {{
        let mut query = sqlx::query($sql);
        for param in $params {
            query = match param {
                $crate::sql::row::Param::Int(value) => query.bind(value),
                $crate::sql::row::Param::Text(value) => query.bind(value),
                $crate::sql::row::Param::Bytes(value) => query.bind(value),
            };
        }
        query.$method($executor).await?
    }};
}
pub(super) use run;

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
        let hash = <[u8; 32]>::try_from(self.bytes(name)?);
        let malformed = |_| sqlx::Error::ColumnDecode { index: name.to_owned(), source: "not 32 bytes".into() };
        Ok(KeyHash(hash.map_err(malformed)?))
    }

    /// A text that `parse` converts; fails if `parse` does not accept it.
    pub(super) fn parsed<T>(&self, name: &str, parse: fn(&str) -> Option<T>) -> Result<T> {
        let text = self.text(name)?;
        let unknown =
            || sqlx::Error::ColumnDecode { index: name.to_owned(), source: format!("unknown value {text:?}").into() };
        Ok(parse(&text).ok_or_else(unknown)?)
    }
}
