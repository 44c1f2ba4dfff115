//! Whole responses of calls whose results were shortened, and binary content inside them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toolgate_shaping::blob_content;

use super::{ResourceContent, write_result};
use crate::jsonrpc::error::RpcError;
use crate::mcp_request::MessageContext;
use crate::outcome::MethodOutcome;
use crate::overflow::{StoredLookup, StoredResponse};

/// Reads the stored response of a reference, or the binary content at a position in it.
pub(super) fn read(context: &MessageContext, uri: &str, reference: &str) -> Result<MethodOutcome, RpcError> {
    let (response_reference, position) = match reference.split_once('.') {
        Some((response_reference, position)) => (response_reference, Some(position)),
        None => (reference, None),
    };
    let StoredLookup::Found(stored) = context.service().overflow.find(&context.response_owner(), response_reference)
    else {
        return Err(RpcError::resource_not_found(uri, context.era));
    };
    let body = match position {
        None => Some(ResourceContent::Text(stored.as_str().to_owned())),
        Some(position) => blob_at(&stored, position),
    };
    let body = body.ok_or_else(|| RpcError::resource_not_found(uri, context.era))?;
    let json = write_result(uri, stored.mime_type(), &body);
    Ok(MethodOutcome::cacheable(json, context.snapshot().freshness(0)))
}

fn blob_at(stored: &StoredResponse, position: &str) -> Option<ResourceContent> {
    let (mime, bytes) = blob_content(stored.as_str(), position.parse().ok()?)?;
    Some(ResourceContent::Blob { mime: Some(mime), base64: STANDARD.encode(bytes) })
}
