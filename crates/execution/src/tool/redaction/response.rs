//! Masks secrets in a response before any part of it reaches a client.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use secrecy::SecretString;
use toolgate_domain::headers::MASK;

use super::Redactor;
use super::json_mask::mask_ranges;
use super::searched_secrets::{SearchedSecrets, has_encoded_letters};
use crate::content;
use crate::content::media::MediaType;
use crate::egress::message::UpstreamResponse;

impl Redactor {
    /// The response with the secrets of the tool and of the call masked; not copied if it contains none.
    pub(crate) fn mask_response(
        &self,
        mut call_secrets: Vec<SecretString>,
        response: Arc<UpstreamResponse>,
    ) -> Arc<UpstreamResponse> {
        call_secrets.extend_from_slice(&response.sent_tokens);
        if response.body.is_empty() || (self.secrets.is_empty() && call_secrets.is_empty()) {
            return response;
        }
        let call_secrets = if call_secrets.is_empty() { None } else { SearchedSecrets::new(&call_secrets) };
        let masked = match self.response_secrets() {
            Some(secrets) => mask_body(&response, secrets, call_secrets.as_ref()),
            // Too many secrets to search for: the response may contain any of them.
            None => Some(MASK.to_owned()),
        };
        match masked {
            Some(text) => Arc::new(with_text(&response, text)),
            None => response,
        }
    }
}

/// The body as text with the secrets masked; `None` if it contains none.
fn mask_body(
    response: &UpstreamResponse,
    secrets: &SearchedSecrets,
    call_secrets: Option<&SearchedSecrets>,
) -> Option<String> {
    let all = || [Some(secrets), call_secrets].into_iter().flatten();
    let may_be_in = |text: &[u8]| {
        let has_encoded_letters = has_encoded_letters(text);
        all().any(|secrets| secrets.may_be_in(text, has_encoded_letters))
    };
    match content::to_text(response) {
        Some(text) if may_be_in(text.as_bytes()) => {
            let text = String::from_utf8_lossy(text.as_bytes());
            let no_needles = super::Needles::default();
            let call_needles = call_secrets.map_or(&no_needles, |secrets| &secrets.needles);
            let ranges = super::excerpt::find_in_parts(&text, [&secrets.needles, call_needles]);
            (!ranges.is_empty()).then(|| mask_ranges(&text, &ranges))
        }
        Some(_) => None,
        None if MediaType::from_headers(&response.headers).block_type().is_some() => None,
        // Binary data in which a secret cannot be replaced.
        None => may_be_in(&response.body).then(|| MASK.to_owned()),
    }
}

/// The response with another text as its body.
fn with_text(response: &UpstreamResponse, text: String) -> UpstreamResponse {
    let mut headers = response.headers.clone();
    let media = MediaType::from_headers(&headers);
    let essence = if media.is_binary() { "text/plain" } else { media.essence.as_str() };
    if let Ok(content_type) = HeaderValue::try_from(format!("{essence}; charset=utf-8")) {
        headers.insert(CONTENT_TYPE, content_type);
    }
    UpstreamResponse { headers, body: Bytes::from(text), ..response.clone() }
}
