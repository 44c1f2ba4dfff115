//! How an exchange with an upstream fails, and what a model and its owner read of it: what happened, and what to do.
//! An address is never told.

use std::error::Error;
use std::io;

use toolgate_domain::call::FailureReason;

use super::guard::Blocked;
use super::redirect::BadRedirect;
use super::tls::TlsFault;

/// Why there is no answer.
///
/// `Clone`, so that all who wait for one exchange can share its failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    /// The guard refuses the destination.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// The address is not one that can be called: no scheme, a host or port that is none.
    #[error("The address of the upstream is not valid.")]
    BadAddress,
    /// The name does not resolve.
    #[error("The upstream's host name could not be resolved.")]
    Dns,
    /// Nobody listens there.
    #[error("The upstream refused the connection.")]
    Refused,
    /// There is no way there, or none within the time for connecting.
    #[error("No connection to the upstream could be made.")]
    Unreachable,
    /// No secure connection.
    #[error("No secure connection to the upstream could be made: {0}")]
    Tls(TlsFault),
    /// The deadline has passed.
    #[error("The upstream did not answer in time.")]
    Timeout,
    /// The body is larger than is read.
    #[error("The upstream's answer is larger than 8 MiB.")]
    TooLarge,
    /// The head is larger than is read.
    #[error("The upstream's answer has more than 128 KiB or 200 lines of headers.")]
    HeadTooLarge,
    /// A redirect that is not followed.
    #[error(transparent)]
    Redirect(#[from] BadRedirect),
    /// The answer did not come, or not whole.
    #[error(transparent)]
    Broken(#[from] BrokenAnswer),
}

/// In which way an answer is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenAnswer {
    /// The connection ended before the head of an answer.
    #[error("The upstream closed the connection without an answer.")]
    Missing,
    /// The connection ended within the body.
    #[error("The upstream's answer was cut off.")]
    Cut,
    /// What came is not HTTP.
    #[error("The upstream's answer is not valid HTTP.")]
    NotHttp,
    /// `Content-Encoding` names something that was not asked for.
    #[error("The upstream's answer is compressed in a way that was not asked for.")]
    UnknownCoding,
    /// The body is not what `Content-Encoding` says, or ends too early or too late.
    #[error("The upstream's answer is not compressed as its Content-Encoding says.")]
    BadCoding,
}

impl BrokenAnswer {
    fn advice(self) -> &'static str {
        match self {
            Self::Missing | Self::Cut => "Try again; if it stays so, check that the API is well.",
            Self::NotHttp => "Check that the host and port in the tool's endpoint_url are those of an HTTP API.",
            Self::UnknownCoding => "Have the API compress its answers with gzip or br, or not at all.",
            Self::BadCoding => "Have the API corrected: its answers must be what their Content-Encoding says.",
        }
    }
}

impl EgressError {
    /// The kind of failure, for reports.
    pub fn reason(&self) -> FailureReason {
        match self {
            Self::Blocked(_) | Self::BadAddress => FailureReason::BlockedDestination,
            Self::Dns => FailureReason::Dns,
            Self::Refused => FailureReason::ConnectionRefused,
            Self::Unreachable | Self::Broken(BrokenAnswer::Missing) => FailureReason::ConnectionFailed,
            Self::Tls(_) => FailureReason::Tls,
            Self::Timeout => FailureReason::Timeout,
            Self::TooLarge | Self::HeadTooLarge => FailureReason::TooLarge,
            Self::Redirect(_) | Self::Broken(_) => FailureReason::BadResponse,
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Blocked(blocked) => blocked.advice(),
            Self::BadAddress => "Correct the tool's endpoint_url.",
            Self::Tls(fault) => fault.advice(),
            Self::HeadTooLarge => "Have the API send fewer headers.",
            Self::Redirect(redirect) => redirect.advice(),
            Self::Broken(broken) => broken.advice(),
            Self::Dns | Self::Refused | Self::Unreachable | Self::Timeout | Self::TooLarge => self.reason().advice(),
        }
    }

    /// Whether the way to the upstream failed, so that another attempt may fare better.
    pub fn is_connection_error(&self) -> bool {
        match self {
            Self::Dns | Self::Refused | Self::Unreachable => true,
            Self::Broken(broken) => matches!(broken, BrokenAnswer::Missing | BrokenAnswer::Cut),
            _ => false,
        }
    }

    /// What hyper reports when there was no head of an answer.
    pub(super) fn without_head(error: &hyper::Error) -> Self {
        tracing::debug!(?error, "an upstream gave no answer");
        match error {
            error if error.is_parse_too_large() => Self::HeadTooLarge,
            error if error.is_parse() => BrokenAnswer::NotHttp.into(),
            _ => BrokenAnswer::Missing.into(),
        }
    }

    /// What hyper reports within a body.
    pub(super) fn within_body(error: &hyper::Error) -> Self {
        tracing::debug!(?error, "an upstream's answer broke off");
        let malformed =
            |error: &io::Error| matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData);
        if error.is_parse() || find::<io::Error>(error).is_some_and(malformed) {
            return BrokenAnswer::NotHttp.into();
        }
        BrokenAnswer::Cut.into()
    }
}

/// The first `T` among an error and its causes. An `io::Error` around another error does not name it as its source,
/// so that one is asked for what it holds.
pub(super) fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(current) = next {
        if let Some(found) = current.downcast_ref() {
            return Some(found);
        }
        next = match current.downcast_ref::<io::Error>() {
            Some(io) => io.get_ref().map(|held| held as &(dyn Error + 'static)),
            None => current.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_found_also_inside_io_errors() {
        let wrapped = io::Error::other(io::Error::other(EgressError::from(Blocked::UserInfo)));
        assert_eq!(find::<EgressError>(&wrapped), Some(&EgressError::Blocked(Blocked::UserInfo)));
        assert_eq!(find::<EgressError>(&io::Error::from(io::ErrorKind::BrokenPipe)), None);
    }

    #[test]
    fn what_happened_and_what_to_do_are_told_apart() {
        use BrokenAnswer::{BadCoding, Cut, Missing, NotHttp, UnknownCoding};
        let mut all = vec![EgressError::BadAddress, EgressError::Dns, EgressError::Refused, EgressError::Unreachable];
        all.extend([EgressError::Timeout, EgressError::TooLarge, EgressError::HeadTooLarge]);
        all.extend([Blocked::UserInfo, Blocked::NoHost].map(EgressError::Blocked));
        let faults = [TlsFault::Expired, TlsFault::WrongName, TlsFault::UnknownIssuer, TlsFault::BadCertificate];
        all.extend(faults.into_iter().chain([TlsFault::Handshake]).map(EgressError::Tls));
        all.extend([Missing, Cut, NotHttp, UnknownCoding, BadCoding].map(EgressError::Broken));
        let redirects =
            [BadRedirect::TooMany, BadRedirect::BadLocation, BadRedirect::NotHttp, BadRedirect::OtherOrigin];
        all.extend(redirects.map(EgressError::Redirect));
        for error in all {
            let (message, advice) = (error.to_string(), error.advice());
            assert!(advice.ends_with('.') && !message.contains(advice), "{message} {advice}");
            for order in ["heck ", "ry again", "et the tool's", "TOOLGATE"] {
                assert!(!message.contains(order), "the message says what to do: {message}");
            }
        }
    }

    #[test]
    fn only_failures_on_the_way_invite_another_attempt() {
        let yes = [EgressError::Dns, EgressError::Refused, EgressError::Unreachable, BrokenAnswer::Cut.into()];
        assert!(yes.iter().all(EgressError::is_connection_error));
        let no = [EgressError::Timeout, EgressError::TooLarge, BrokenAnswer::NotHttp.into(), Blocked::NoHost.into()];
        assert!(!no.iter().any(EgressError::is_connection_error));
    }
}
