//! The spans of statements, for requests that are traced. The position in the trace is a task-local variable, so that
//! storage operations need no parameter for it.

use sqlx::SqlStr;
use toolgate_domain::trace::{SpanKind, TraceScope, TraceSpan};

/// The longest part of a statement that a span contains, in bytes.
const STATEMENT_MAX: usize = 1000;

tokio::task_local! {
    static SCOPE: TraceScope;
}

/// Runs `work`; its statements become spans below `scope`, if there is one.
pub async fn with_trace<T>(scope: Option<TraceScope>, work: impl Future<Output = T>) -> T {
    match scope {
        Some(scope) => SCOPE.scope(scope, work).await,
        None => work.await,
    }
}

/// Begins the span of an operation such as `COMMIT`, if this task is traced.
pub(crate) fn operation_span(operation: &'static str, is_postgres: bool) -> TraceSpan {
    let span = SCOPE.try_with(|scope| TraceSpan::start(Some(scope), SpanKind::Client, operation)).unwrap_or_default();
    span.set("db.system.name", if is_postgres { "postgresql" } else { "sqlite" });
    span.set("db.operation.name", operation);
    span
}

/// Begins the span of a statement, if this task is traced. Its text has placeholders instead of values.
pub(crate) fn statement_span(statement: &SqlStr, is_postgres: bool) -> TraceSpan {
    let text = statement.as_str();
    let span = operation_span(operation(text), is_postgres);
    span.set("db.query.text", text.get(..text.floor_char_boundary(STATEMENT_MAX)).unwrap_or_default());
    span
}

fn operation(statement: &str) -> &'static str {
    let first = statement.split_ascii_whitespace().next().unwrap_or_default();
    let known = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"];
    known.into_iter().find(|word| first.eq_ignore_ascii_case(word)).unwrap_or("EXECUTE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_is_the_first_word() {
        assert_eq!(operation("\n  select 1"), "SELECT");
        assert_eq!(operation("INSERT INTO a"), "INSERT");
        assert_eq!(operation("PRAGMA x"), "EXECUTE");
    }
}
