//! Calls that get the result of an earlier call: [`CachedResults`](crate::cached_results::CachedResults).

use std::sync::Arc;

use bytes::Bytes;
use toolgate_execution::{Failure, ToolOutput, UpstreamMeasurements};

use crate::cached_results::{CachedResult, ENTRY_BYTES_MAX, ResultKey};
use crate::catalog::tools::PublishedTool;
use crate::mcp_request::MessageContext;
use crate::outcome::content_json;

/// The key of a call whose texts are not captured; `None` if the call must be executed even if its response is cached,
/// to trace it or to shorten its result.
pub(super) fn key(context: &MessageContext, tool: &PublishedTool, arguments: Option<&Arc<str>>) -> Option<ResultKey> {
    let snapshot = context.snapshot();
    let is_cacheable = tool.compiled.as_ref()?.has_cacheable_results()
        && context.span.0.scope().is_none()
        && snapshot.tools.shaping(tool.id).is_none();
    is_cacheable.then(|| ResultKey {
        compile_id: tool.compile_id,
        arguments: arguments.cloned(),
        era: context.era,
        coerces_arguments: snapshot.coerces_arguments,
    })
}

/// The result of an earlier call.
pub(super) fn find(context: &MessageContext, key: &ResultKey) -> Option<CachedResult> {
    let service = context.service();
    let cached = service.cached_results.get(key)?;
    service.executor.count_cache_hit();
    Some(cached)
}

/// Stores a result whose response is cached, and returns it as JSON.
pub(super) fn store(
    context: &MessageContext,
    key: ResultKey,
    measurements: UpstreamMeasurements,
    result: &Result<ToolOutput, Failure>,
) -> Option<Bytes> {
    let UpstreamMeasurements { cached_until, upstream_status, response_bytes, .. } = measurements;
    let (expires_at, output) = (cached_until?, result.as_ref().ok()?);
    if response_bytes > ENTRY_BYTES_MAX as u64 {
        return None;
    }
    // Without the capacity that it does not need.
    let json = Bytes::from(content_json(output, context.era)?.into_boxed_slice());
    let cached = CachedResult { json: json.clone(), upstream_status, response_bytes, expires_at };
    context.service().cached_results.insert(key, cached);
    Some(json)
}
