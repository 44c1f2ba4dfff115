//! Failures of requests to upstreams, with the message and the advice that models and tool owners read. The texts never
//! contain an address.

use std::error::Error;
use std::io;

use toolgate_domain::call::FailureReason;

use super::bad_redirect::BadRedirect;
use super::guard::Blocked;
use super::tls::TlsFault;

/// Why a request got no response.
///
/// `Clone`, so that all callers that wait for one request can share its failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    /// The guard refuses the destination.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// The address has no scheme, or an invalid host or port.
    #[error("The address of the upstream is not valid.")]
    BadAddress,
    /// The name does not resolve.
    #[error("The upstream's host name could not be resolved.")]
    Dns,
    /// The connection was refused.
    #[error("The upstream refused the connection.")]
    Refused,
    /// There is no route, or the connection timed out.
    #[error("Could not connect to the upstream.")]
    Unreachable,
    /// The TLS handshake failed.
    #[error("Could not make a secure connection to the upstream: {0}")]
    Tls(TlsFault),
    /// The deadline has passed.
    #[error("The upstream did not respond in time.")]
    Timeout,
    /// The body exceeds the limit.
    #[error("The upstream's response is larger than 8 MiB.")]
    TooLarge,
    /// The response head exceeds the limits.
    #[error("The upstream's response has more than 128 KiB or 200 lines of headers.")]
    HeadTooLarge,
    /// A redirect that is not followed.
    #[error(transparent)]
    Redirect(#[from] BadRedirect),
    /// The response is missing, truncated or malformed.
    #[error(transparent)]
    Broken(#[from] BrokenResponse),
}

/// What is wrong with a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenResponse {
    /// The connection ended before the response head.
    #[error("The upstream closed the connection without a response.")]
    Missing,
    /// The connection ended within the body.
    #[error("The upstream's response was cut off.")]
    Truncated,
    /// The response is not valid HTTP.
    #[error("The upstream's response is not valid HTTP.")]
    NotHttp,
    /// `Content-Encoding` names a coding that was not requested.
    #[error("The upstream's response is compressed in a way that was not requested.")]
    UnknownCoding,
    /// The body does not match `Content-Encoding`, or ends too early or too late.
    #[error("The upstream's response is not compressed as its Content-Encoding says.")]
    BadCoding,
}

impl BrokenResponse {
    fn advice(self) -> &'static str {
        match self {
            Self::Missing | Self::Truncated => "Try again. If it keeps failing, check that the API is healthy.",
            Self::NotHttp => "Check that the host and port in the tool's endpoint_url are those of an HTTP API.",
            Self::UnknownCoding => "Make the API compress its responses with gzip or br, or not at all.",
            Self::BadCoding => "Fix the API: its responses must match their Content-Encoding.",
        }
    }
}

impl EgressError {
    /// The reason that calls and reports record.
    pub fn reason(&self) -> FailureReason {
        match self {
            Self::Blocked(_) | Self::BadAddress => FailureReason::BlockedDestination,
            Self::Dns => FailureReason::Dns,
            Self::Refused => FailureReason::ConnectionRefused,
            Self::Unreachable | Self::Broken(BrokenResponse::Missing) => FailureReason::ConnectionFailed,
            Self::Tls(_) => FailureReason::Tls,
            Self::Timeout => FailureReason::Timeout,
            Self::TooLarge | Self::HeadTooLarge => FailureReason::TooLarge,
            Self::Redirect(_) | Self::Broken(_) => FailureReason::BadResponse,
        }
    }

    /// How to fix the problem.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Blocked(blocked) => blocked.advice(),
            Self::BadAddress => "Correct the tool's endpoint_url.",
            Self::Tls(fault) => fault.advice(),
            Self::HeadTooLarge => "Make the API send fewer headers.",
            Self::Redirect(redirect) => redirect.advice(),
            Self::Broken(broken) => broken.advice(),
            Self::Dns | Self::Refused | Self::Unreachable | Self::Timeout | Self::TooLarge => self.reason().advice(),
        }
    }

    /// The message for the calling model, without network terms.
    pub fn message_for_model(&self) -> String {
        let cause = match self {
            Self::Blocked(_) => return "destination not allowed: the API cannot be reached.".to_owned(),
            Self::BadAddress => "its address is not valid",
            Self::Dns => "its name does not resolve",
            Self::Refused => "it refuses the connection",
            Self::Unreachable => "there is no connection to it",
            Self::Tls(_) => "there is no secure connection to it",
            Self::Timeout => return "The API did not answer in time.".to_owned(),
            Self::TooLarge => return "The answer is larger than 8 MiB.".to_owned(),
            Self::HeadTooLarge => return "The API's answer has too many headers.".to_owned(),
            Self::Redirect(_) => return "The API redirects the call to an address that is not followed.".to_owned(),
            Self::Broken(BrokenResponse::Missing) => "The API closed the connection without an answer.",
            Self::Broken(BrokenResponse::Truncated) => "The API's answer was cut off.",
            Self::Broken(_) => "The API's answer cannot be read.",
        };
        match self {
            Self::Broken(_) => cause.to_owned(),
            _ => format!("The API cannot be reached: {cause}."),
        }
    }

    /// The advice for the calling model.
    pub fn advice_for_model(&self) -> &'static str {
        match self {
            Self::Broken(BrokenResponse::Missing | BrokenResponse::Truncated) => {
                FailureReason::ConnectionFailed.advice_for_model()
            }
            // The operator can allow this destination; the other blocked ones are never allowed.
            Self::Blocked(Blocked::NotAllowed { .. }) => FailureReason::BlockedDestination.advice_for_model(),
            Self::Blocked(_) | Self::BadAddress | Self::Redirect(_) | Self::Unreachable => {
                FailureReason::Dns.advice_for_model()
            }
            Self::Broken(_) | Self::HeadTooLarge => FailureReason::Internal.advice_for_model(),
            _ => self.reason().advice_for_model(),
        }
    }

    /// Whether the connection failed, so that a retry may succeed.
    pub fn is_connection_error(&self) -> bool {
        match self {
            Self::Dns | Self::Refused | Self::Unreachable => true,
            Self::Broken(broken) => matches!(broken, BrokenResponse::Missing | BrokenResponse::Truncated),
            _ => false,
        }
    }

    /// Converts an error that hyper reports before the response head.
    pub(super) fn from_head_error(error: &hyper::Error) -> Self {
        tracing::debug!(?error, "an upstream sent no response");
        match error {
            error if error.is_parse_too_large() => Self::HeadTooLarge,
            error if error.is_parse() => BrokenResponse::NotHttp.into(),
            _ => BrokenResponse::Missing.into(),
        }
    }

    /// Converts an error that hyper reports within a body.
    pub(super) fn from_body_error(error: &hyper::Error) -> Self {
        tracing::debug!(?error, "reading an upstream's response failed");
        let is_malformed =
            |error: &io::Error| matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData);
        if error.is_parse() || find_source::<io::Error>(error).is_some_and(is_malformed) {
            return BrokenResponse::NotHttp.into();
        }
        BrokenResponse::Truncated.into()
    }
}

/// The first `T` among an error and its sources. `io::Error::source` skips the error that it wraps, so `get_ref` is
/// used for an `io::Error`.
pub(super) fn find_source<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(found) = current.downcast_ref() {
            return Some(found);
        }
        next = match current.downcast_ref::<io::Error>() {
            Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => current.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_inside_io_errors_are_found() {
        let wrapped = io::Error::other(io::Error::other(EgressError::from(Blocked::UserInfo)));
        assert_eq!(find_source::<EgressError>(&wrapped), Some(&EgressError::Blocked(Blocked::UserInfo)));
        assert_eq!(find_source::<EgressError>(&io::Error::from(io::ErrorKind::BrokenPipe)), None);
    }

    #[test]
    fn messages_and_advice_do_not_overlap() {
        use BrokenResponse::{BadCoding, Missing, NotHttp, Truncated, UnknownCoding};
        let mut all = vec![EgressError::BadAddress, EgressError::Dns, EgressError::Refused, EgressError::Unreachable];
        all.extend([EgressError::Timeout, EgressError::TooLarge, EgressError::HeadTooLarge]);
        all.extend([Blocked::UserInfo, Blocked::NoHost].map(EgressError::Blocked));
        let faults = [TlsFault::Expired, TlsFault::WrongName, TlsFault::UnknownIssuer, TlsFault::BadCertificate];
        all.extend(faults.into_iter().chain([TlsFault::Handshake]).map(EgressError::Tls));
        all.extend([Missing, Truncated, NotHttp, UnknownCoding, BadCoding].map(EgressError::Broken));
        let redirects =
            [BadRedirect::TooMany, BadRedirect::BadLocation, BadRedirect::NotHttp, BadRedirect::OtherOrigin];
        all.extend(redirects.map(EgressError::Redirect));
        for error in all {
            let (message, advice) = (error.to_string(), error.advice());
            assert!(advice.ends_with('.') && !message.contains(advice), "{message} {advice}");
            // The first letters are omitted, because they can be upper or lower case.
            for imperative in ["heck ", "ry again", "et the tool's", "TOOLGATE"] {
                assert!(!message.contains(imperative), "the message contains advice: {message}");
            }
            let for_model = format!("{} {}", error.message_for_model(), error.advice_for_model());
            for word in ["heck ", "endpoint_url", "ertificate", "upstream", "DNS", "TLS", "HTTP"] {
                assert!(!for_model.contains(word), "a model cannot use {word}: {for_model}");
            }
        }
    }

    #[test]
    fn only_connection_errors_can_be_retried() {
        let retryable =
            [EgressError::Dns, EgressError::Refused, EgressError::Unreachable, BrokenResponse::Truncated.into()];
        assert!(retryable.iter().all(EgressError::is_connection_error));
        let not_retryable =
            [EgressError::Timeout, EgressError::TooLarge, BrokenResponse::NotHttp.into(), Blocked::NoHost.into()];
        assert!(!not_retryable.iter().any(EgressError::is_connection_error));
    }
}
