//! The log as a table: all of it, page after page, with no more than one page in memory.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{Stream, stream};
use toolgate_domain::call::CallId;
use toolgate_storage::{CallPage, CallQuery};

use crate::call::Call;
use crate::csv::Columns;
use crate::error::RestError;
use crate::lasting::Lasting;
use crate::reply::{CSV, Reply};
use crate::room::Place;
use crate::wire::CallOut;

/// Calls that are read at once.
const PAGE: u32 = 500;

/// How often to look at the key, though nothing is said to have changed.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The first page is read here: a database that does not answer gets to say so.
pub(super) async fn table(call: &Call, mut query: CallQuery) -> Result<Reply, RestError> {
    let place = call.context.exports.take(call.principal()?.user_id()).ok_or_else(RestError::too_many_exports)?;
    query.limit = PAGE;
    let first = call.storage().calls(&query).await?;
    let log = Log { key: call.lasting(LOOK_EVERY)?, query, _place: place };
    Ok(Reply::stream(CSV, Body::from_stream(pages(first, log))).saved_as("calls"))
}

/// Why a table ends early. The connection breaks, so that nobody takes what there is for all.
type Broken = Box<dyn std::error::Error + Send + Sync>;

/// What the pages of a table come from.
trait Source {
    /// The page before a call.
    fn page(&mut self, before: CallId) -> impl Future<Output = Result<CallPage, Broken>> + Send;
}

/// The log, as long as its reader may read it.
struct Log {
    key: Lasting,
    query: CallQuery,
    _place: Place,
}

impl Source for Log {
    async fn page(&mut self, before: CallId) -> Result<CallPage, Broken> {
        let visibility = self.key.visibility(self.query.visibility).await;
        self.query.visibility = visibility.ok_or("the key does not open the log any more")?;
        self.query.before = Some(before);
        Ok(self.key.context.storage.calls(&self.query).await?)
    }
}

/// What of the log is yet to be written.
enum Rest {
    /// This page, which is here already, below the line of names.
    First(CallPage),
    /// What comes before this call.
    Before(CallId),
    Nothing,
}

/// The pieces of a table, each a page of the log.
fn pages<S: Source>(first: CallPage, source: S) -> impl Stream<Item = Result<Bytes, Broken>> {
    let columns = Columns::of::<CallOut<'_>>();
    stream::try_unfold((Rest::First(first), columns, source), |(rest, columns, mut source)| async move {
        let (head, page) = match rest {
            Rest::First(page) => (columns.head(), page),
            Rest::Before(call) => {
                let page = source.page(call).await;
                (String::new(), page.inspect_err(|error| tracing::warn!(?error, "a table of calls broke off"))?)
            }
            Rest::Nothing => return Ok(None),
        };
        let text = rows(head, &columns, &page)?;
        Ok(Some((text.into(), (page.next.map_or(Rest::Nothing, Rest::Before), columns, source))))
    })
}

fn rows(mut text: String, columns: &Columns, page: &CallPage) -> Result<String, serde_json::Error> {
    for call in &page.calls {
        columns.write(&CallOut::from(call), &mut text)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use toolgate_domain::audit::ObjectKind;
    use toolgate_domain::call::CallRecord;
    use toolgate_domain::ids::{ServerId, ToolId, UserId};
    use toolgate_storage::{LoggedCall, StorageError};

    use super::*;

    fn call(id: i64) -> LoggedCall {
        let record = CallRecord {
            at: CallId(id).time(),
            failure: None,
            request_id: "r".to_owned(),
            ..CallRecord::begun(UserId(1), ServerId(2), ToolId(3), "cursor".to_owned())
        };
        LoggedCall { id: CallId(id), record, server_name: None, tool_name: None, is_captured: false }
    }

    fn page(ids: &[i64], next: Option<i64>) -> CallPage {
        CallPage { calls: ids.iter().map(|id| call(*id)).collect(), next: next.map(CallId) }
    }

    impl<R: Fn(i64) -> toolgate_storage::Result<CallPage> + Send> Source for R {
        async fn page(&mut self, CallId(before): CallId) -> Result<CallPage, Broken> {
            Ok(self(before)?)
        }
    }

    /// The table of a log whose pages after the first come from `read`.
    async fn table(
        read: impl Fn(i64) -> toolgate_storage::Result<CallPage> + Send + 'static,
    ) -> Result<String, axum::Error> {
        let body = Body::from_stream(pages(page(&[9, 8], Some(8)), read)).collect().await?;
        Ok(String::from_utf8(body.to_bytes().to_vec()).unwrap())
    }

    #[tokio::test]
    async fn every_page_is_in_the_table_also_after_an_empty_one() {
        let table = table(|before| {
            Ok(match before {
                8 => page(&[], Some(5)),
                5 => page(&[4], Some(4)),
                4 => page(&[1], None),
                other => panic!("nobody said that a page begins before {other}"),
            })
        });
        let table = table.await.unwrap();
        let ids: Vec<&str> = table.lines().map(|line| line.split_once(',').unwrap().0).collect();
        assert_eq!(ids, ["id", "9", "8", "4", "1"]);
        let row = "9,1970-01-01T00:00:00.000,2,,3,,cursor,,,success,,,,0.0,0.0,0,0,false,r,false";
        assert_eq!(table.lines().nth(1), Some(row));
    }

    #[tokio::test]
    async fn a_table_that_cannot_be_finished_breaks_off() {
        let broken = table(|before| match before {
            8 => Ok(page(&[7], Some(7))),
            _ => Err(StorageError::NotFound(ObjectKind::Call)),
        });
        assert!(broken.await.is_err());
    }
}
