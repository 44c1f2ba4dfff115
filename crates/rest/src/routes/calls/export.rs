//! The log as a table: all of it, page after page, with no more than one page in memory.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use storage::{CallPage, CallQuery, Storage};

use crate::call::Call;
use crate::csv::Columns;
use crate::error::RestError;
use crate::reply::{CSV, Reply};
use crate::wire::CallOut;

/// Calls that are read at once.
const PAGE: u32 = 500;

/// What of the log is yet to be written.
struct Export {
    storage: Arc<dyn Storage>,
    query: CallQuery,
    columns: Columns,
    next: Next,
}

enum Next {
    /// This page, which is here already, below the line of names.
    First(CallPage),
    /// The page that the query is about.
    Page,
    Nothing,
}

/// Why a table ends early. The connection breaks, so that nobody takes what there is for all.
type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The first page is read here: a database that does not answer gets to say so.
pub(super) async fn table(call: &Call, mut query: CallQuery) -> Result<Reply, RestError> {
    query.limit = PAGE;
    let first = call.storage().calls(&query).await?;
    let export = Export {
        storage: Arc::clone(&call.context.storage),
        query,
        columns: Columns::of::<CallOut<'_>>(),
        next: Next::First(first),
    };
    let pages = stream::try_unfold(export, Export::write);
    Ok(Reply::stream(CSV, Body::from_stream(pages)).saved_as("calls"))
}

impl Export {
    async fn write(mut self) -> Result<Option<(Bytes, Self)>, Broken> {
        let (mut text, page) = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::First(page) => (self.columns.head(), page),
            Next::Page => (String::new(), self.read().await?),
            Next::Nothing => return Ok(None),
        };
        for call in &page.calls {
            self.columns.write(&CallOut::from(call), &mut text)?;
        }
        if page.next.is_some() {
            (self.query.before, self.next) = (page.next, Next::Page);
        }
        Ok(Some((text.into(), self)))
    }

    async fn read(&self) -> Result<CallPage, Broken> {
        let page = self.storage.calls(&self.query).await;
        Ok(page.inspect_err(|error| tracing::warn!(?error, "a table of calls broke off"))?)
    }
}
