//! Why tool calls fail: a closed set for reports, and for each reason a sentence of advice.

use crate::closed_set::closed_set;

closed_set! {
    /// Why a call failed. Variants are stored by number: append new ones at the end, and never reorder them.
    pub enum FailureReason {
        /// The arguments do not match the tool's `input_schema`, or cannot be encoded for the location in
        /// `parameter_mapping`.
        BadArguments = "bad_arguments",
        /// The upstream returned a 4xx status.
        Upstream4xx = "upstream_4xx",
        /// The upstream returned a 5xx status.
        Upstream5xx = "upstream_5xx",
        /// The upstream returned status 429.
        RateLimitedUpstream = "rate_limited_upstream",
        /// The upstream returns MCP results, and its result is marked as an error.
        UpstreamError = "upstream_error",
        /// The tool's timeout elapsed.
        Timeout = "timeout",
        /// The upstream refused the connection.
        ConnectionRefused = "connection_refused",
        /// The upstream is unreachable, or the connection closed before a response arrived.
        ConnectionFailed = "connection_failed",
        /// The upstream's host name does not resolve.
        Dns = "dns",
        /// The TLS handshake failed.
        Tls = "tls",
        /// The destination is not allowed.
        BlockedDestination = "blocked_destination",
        /// The response exceeds the size limit.
        TooLarge = "too_large",
        /// The response is invalid: truncated, badly framed, or not of the declared shape.
        BadResponse = "bad_response",
        /// The tool's credential is missing or unreadable, or the token endpoint rejected it.
        BadCredential = "bad_credential",
        /// The client cancelled the call or disconnected.
        Cancelled = "cancelled",
        /// Toolgate failed, or the stored tool is unusable.
        Internal = "internal",
    }
}

impl FailureReason {
    /// The number that is stored: from 1, because 0 means success.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The reason for a stored number; `None` for 0. A number written by a newer version reads as [`Self::Internal`].
    pub fn from_number(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Some(Self::NAMES.get(index).and_then(|name| Self::parse(name)).unwrap_or(Self::Internal))
    }

    /// What the calling model or the tool's owner can do about the failure. The call log shows it,
    /// and so do the results of tool tests and calls, unless the error has more specific advice.
    pub fn advice(self) -> &'static str {
        match self {
            Self::BadArguments => {
                "Correct the arguments and call again; the tool's input_schema describes what it accepts."
            }
            Self::Upstream4xx => {
                "The upstream API rejected the request: check the arguments against its response, then the tool's URL, mapping and credential."
            }
            Self::Upstream5xx => "The upstream API failed: try again later, or contact its operator.",
            Self::RateLimitedUpstream => {
                "The upstream API rate-limited the call: wait before the next call, or raise the limit at the upstream."
            }
            Self::UpstreamError => "Read the upstream's response: it says why the call failed.",
            Self::Timeout => "The upstream API was too slow: request less data, or raise the tool's timeout.",
            Self::ConnectionRefused => {
                "Check that the upstream API is running, and check the host and port in the tool's endpoint_url."
            }
            Self::ConnectionFailed => {
                "Check that the upstream API is running and reachable from Toolgate, and check the host and port in the tool's endpoint_url."
            }
            Self::Dns => "Check the host name in the tool's endpoint_url.",
            Self::Tls => "Check the upstream's certificate, and that its port serves HTTPS.",
            Self::BlockedDestination => {
                "Use another endpoint_url; the operator can allow addresses that are not public with TOOLGATE_UPSTREAM_ALLOW."
            }
            Self::TooLarge => "Request less data, for example with a filter or a smaller page.",
            Self::BadResponse => {
                "The upstream's response is invalid: try again, or correct the upstream API or the tool."
            }
            Self::BadCredential => "The tool's owner must set its credential again.",
            Self::Cancelled => "No action is needed: the client cancelled the call.",
            Self::Internal => "Toolgate failed: search its log for the request id.",
        }
    }

    /// What the calling model can do about the failure, unless the error has more specific advice. It never asks a
    /// model to change the tool: only the user can.
    pub fn advice_for_model(self) -> &'static str {
        match self {
            Self::BadArguments => "Correct the arguments and call again.",
            Self::Upstream4xx => "The API refused the call: read what it says and correct the arguments.",
            Self::Upstream5xx => "Try once more later; the arguments are not the cause.",
            Self::RateLimitedUpstream => "The API allows no more calls now. Wait a minute before the next try.",
            Self::UpstreamError => "Read what the API says, then decide.",
            Self::Timeout => "Ask for less, or try once more.",
            Self::ConnectionRefused | Self::Dns | Self::Tls => ADDRESS_ADVICE,
            Self::ConnectionFailed => "Try once more. If it fails again, tell the user that the API cannot be reached.",
            Self::BlockedDestination => {
                "Calling again will not help. Tell the user that the tool's address needs attention: it is not allowed, \
                 unless the operator adds it to TOOLGATE_UPSTREAM_ALLOW."
            }
            Self::TooLarge => "Ask for less, for example with a filter or a smaller page.",
            Self::BadResponse => "Try once more. If it fails again, tell the user that the API's answer is not valid.",
            Self::BadCredential => {
                "Calling again will not help. Tell the user that the tool's credential needs attention."
            }
            Self::Cancelled => "No action is needed: the call was cancelled.",
            Self::Internal => "Calling again will not help. Tell the user that this tool needs attention.",
        }
    }
}

const ADDRESS_ADVICE: &str = "Calling again will not help. Tell the user that the tool's address needs attention.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_never_change() {
        let stored = [
            "bad_arguments",
            "upstream_4xx",
            "upstream_5xx",
            "rate_limited_upstream",
            "upstream_error",
            "timeout",
            "connection_refused",
            "connection_failed",
            "dns",
            "tls",
            "blocked_destination",
            "too_large",
            "bad_response",
            "bad_credential",
            "cancelled",
            "internal",
        ];
        assert_eq!(FailureReason::NAMES, stored);
        for (number, name) in (1..).zip(stored) {
            let reason = FailureReason::parse(name).unwrap();
            assert_eq!((reason.number(), FailureReason::from_number(number)), (number, Some(reason)));
        }
        assert_eq!(FailureReason::from_number(0), None);
        assert_eq!(FailureReason::from_number(200), Some(FailureReason::Internal));
    }

    #[test]
    fn every_reason_has_its_own_advice() {
        let mut sentences: Vec<&str> = FailureReason::NAMES
            .iter()
            .map(|name| FailureReason::parse(name).unwrap().advice())
            .inspect(|sentence| assert!(sentence.ends_with('.'), "{sentence}"))
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), FailureReason::NAMES.len());
    }

    #[test]
    fn advice_for_models_is_short_and_does_not_ask_them_to_change_the_tool() {
        for name in FailureReason::NAMES {
            let advice = FailureReason::parse(name).unwrap().advice_for_model();
            assert!(advice.ends_with('.') && crate::tokens::estimate(advice) <= 45, "{advice}");
            for setting in ["endpoint_url", "mapping", "input_schema", "certificate", "Check the host"] {
                assert!(!advice.contains(setting), "{advice}");
            }
        }
    }
}
