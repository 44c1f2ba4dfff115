//! The call log as CSV or NDJSON, streamed page by page with at most one page in memory.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{Stream, stream};
use toolgate_domain::call::CallId;
use toolgate_storage::{CallPage, CallQuery};

use crate::concurrency_limit::ConcurrencyPermit;
use crate::csv::CsvColumns;
use crate::error::RestError;
use crate::key_revalidation::KeyRevalidation;
use crate::reply::{ApiReply, CSV_MEDIA_TYPE, NDJSON_MEDIA_TYPE};
use crate::request::ApiRequest;
use crate::wire::call::CallOut;

/// Calls per database query.
const EXPORT_PAGE_SIZE: u32 = 500;

/// How often the caller's key is revalidated without a change notification.
const REVALIDATION_INTERVAL: Duration = Duration::from_secs(1);

/// The format of an export.
pub(super) enum ExportFormat {
    Csv(CsvColumns),
    /// One JSON object a line.
    Ndjson,
}

impl ExportFormat {
    pub(super) fn csv() -> Self {
        Self::Csv(CsvColumns::from_schema::<CallOut<'_>>())
    }

    fn media_type(&self) -> &'static str {
        match self {
            Self::Csv(_) => CSV_MEDIA_TYPE,
            Self::Ndjson => NDJSON_MEDIA_TYPE,
        }
    }

    fn file_name(&self) -> &'static str {
        match self {
            Self::Csv(_) => "calls.csv",
            Self::Ndjson => "calls.ndjson",
        }
    }

    fn header(&self) -> String {
        match self {
            Self::Csv(columns) => columns.header(),
            Self::Ndjson => String::new(),
        }
    }

    fn append_rows(&self, mut text: String, page: &CallPage) -> Result<String, serde_json::Error> {
        for call in &page.calls {
            let row = CallOut::logged(call);
            match self {
                Self::Csv(columns) => columns.write_row(&row, &mut text)?,
                Self::Ndjson => {
                    text.push_str(&serde_json::to_string(&row)?);
                    text.push('\n');
                }
            }
        }
        Ok(text)
    }
}

/// The calls as a download. The first page is read before the reply starts, so that a database error still becomes
/// an error reply.
pub(super) async fn reply(
    request: &ApiRequest,
    mut query: CallQuery,
    format: ExportFormat,
) -> Result<ApiReply, RestError> {
    let permit = request
        .context
        .export_limit
        .try_acquire(request.principal()?.user_id())
        .ok_or_else(RestError::too_many_exports)?;
    query.limit = EXPORT_PAGE_SIZE;
    let first_page = request.storage().calls(&query).await?;
    let source = CallLogPages { key: request.key_revalidation(REVALIDATION_INTERVAL)?, query, _permit: permit };
    let (media_type, file_name) = (format.media_type(), format.file_name());
    let body = Body::from_stream(chunks(format, first_page, source));
    Ok(ApiReply::stream(media_type, body).into_download(file_name))
}

/// Why an export ends early. The connection is then aborted, so that a partial file is not mistaken for a complete one.
type ExportError = Box<dyn std::error::Error + Send + Sync>;

/// Source of the pages after the first.
trait PageSource {
    /// The page of calls that are older than `before`.
    fn page(&mut self, before: CallId) -> impl Future<Output = Result<CallPage, ExportError>> + Send;
}

/// Reads pages of the log while the caller's key is valid.
struct CallLogPages {
    key: KeyRevalidation,
    query: CallQuery,
    _permit: ConcurrencyPermit,
}

impl PageSource for CallLogPages {
    async fn page(&mut self, before: CallId) -> Result<CallPage, ExportError> {
        let visibility = self.key.visibility(self.query.visibility).await;
        self.query.visibility = visibility.ok_or("the key is no longer valid")?;
        self.query.before = Some(before);
        Ok(self.key.context.services.storage.calls(&self.query).await?)
    }
}

/// The position of an export in the log.
enum ExportCursor {
    /// The header line and this page, which is already read.
    First(CallPage),
    /// The page of calls that are older than this one.
    Before(CallId),
    Done,
}

/// The chunks of the export, one per page.
fn chunks<S: PageSource>(
    format: ExportFormat,
    first_page: CallPage,
    source: S,
) -> impl Stream<Item = Result<Bytes, ExportError>> {
    stream::try_unfold((ExportCursor::First(first_page), format, source), |(cursor, format, mut source)| async move {
        let (header, page) = match cursor {
            ExportCursor::First(page) => (format.header(), page),
            ExportCursor::Before(call) => {
                let page = source.page(call).await;
                (String::new(), page.inspect_err(|error| tracing::warn!(?error, "export of calls aborted"))?)
            }
            ExportCursor::Done => return Ok(None),
        };
        let text = format.append_rows(header, &page)?;
        Ok(Some((text.into(), (page.next.map_or(ExportCursor::Done, ExportCursor::Before), format, source))))
    })
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
            ..CallRecord::new(UserId(1), ServerId(2), ToolId(3), "cursor".to_owned())
        };
        LoggedCall {
            id: CallId(id),
            record,
            server_name: None,
            tool_name: None,
            credential_name: None,
            is_captured: false,
        }
    }

    fn page(ids: &[i64], next: Option<i64>) -> CallPage {
        CallPage { calls: ids.iter().map(|id| call(*id)).collect(), next: next.map(CallId) }
    }

    impl<R: Fn(i64) -> toolgate_storage::Result<CallPage> + Send> PageSource for R {
        async fn page(&mut self, CallId(before): CallId) -> Result<CallPage, ExportError> {
            Ok(self(before)?)
        }
    }

    /// The export of a log whose pages after the first come from `read`.
    async fn export(
        read: impl Fn(i64) -> toolgate_storage::Result<CallPage> + Send + 'static,
    ) -> Result<String, axum::Error> {
        let body = Body::from_stream(chunks(ExportFormat::csv(), page(&[9, 8], Some(8)), read)).collect().await?;
        Ok(String::from_utf8(body.to_bytes().to_vec()).unwrap())
    }

    #[tokio::test]
    async fn every_page_is_exported_even_after_an_empty_one() {
        let csv = export(|before| {
            Ok(match before {
                8 => page(&[], Some(5)),
                5 => page(&[4], Some(4)),
                4 => page(&[1], None),
                other => panic!("no page begins before {other}"),
            })
        });
        let csv = csv.await.unwrap();
        let ids: Vec<&str> = csv.lines().map(|line| line.split_once(',').unwrap().0).collect();
        assert_eq!(ids, ["id", "9", "8", "4", "1"]);
        let row = "9,1970-01-01T00:00:00.000,2,,3,,cursor,,,success,,,,0.0,0.0,0,0,false,,,r,false,,,,,";
        assert_eq!(csv.lines().nth(1), Some(row));
    }

    #[tokio::test]
    async fn an_export_that_fails_is_aborted() {
        let aborted = export(|before| match before {
            8 => Ok(page(&[7], Some(7))),
            _ => Err(StorageError::NotFound(ObjectKind::Call)),
        });
        assert!(aborted.await.is_err());
    }
}
