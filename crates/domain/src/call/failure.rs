//! Why calls fail: a closed set for reports, and for each a sentence on what to do about it.

use crate::closed_set::closed_set;

closed_set! {
    /// Why a call failed: a closed set, for reports. The sentence for the caller is beside it. New ones are added at the
    /// end, for their numbers are stored.
    pub enum FailureReason {
        /// The arguments do not fit the tool's `input_schema`, or cannot be put where the mapping says.
        BadArguments = "bad_arguments",
        /// The upstream answered 4xx.
        Upstream4xx = "upstream_4xx",
        /// The upstream answered 5xx.
        Upstream5xx = "upstream_5xx",
        /// The upstream answered 429.
        RateLimitedUpstream = "rate_limited_upstream",
        /// The upstream speaks MCP, and its result says that it failed.
        UpstreamError = "upstream_error",
        /// The tool's time was over.
        Timeout = "timeout",
        /// Nobody listens there.
        ConnectionRefused = "connection_refused",
        /// There is no way there, or the connection broke before an answer.
        ConnectionFailed = "connection_failed",
        /// The upstream's name does not resolve.
        Dns = "dns",
        /// No secure connection could be made.
        Tls = "tls",
        /// The destination is not allowed.
        BlockedDestination = "blocked_destination",
        /// The answer is larger than is read.
        TooLarge = "too_large",
        /// The answer is not what was asked for: cut off, badly framed, not of the declared shape.
        BadResponse = "bad_response",
        /// The tool's credential is missing, unreadable, or was refused when a token was asked for.
        BadCredential = "bad_credential",
        /// The client went away.
        Cancelled = "cancelled",
        /// Our fault, or that of a tool which cannot be used as it is stored.
        Internal = "internal",
    }
}

impl FailureReason {
    /// A number to store: 1 for the first, so that 0 is free for success.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The reason of a stored number. One that a newer version gave is a reason all the same.
    pub fn of_number(number: u8) -> Option<Self> {
        let place = usize::from(number).checked_sub(1)?;
        Some(Self::NAMES.get(place).and_then(|name| Self::parse(name)).unwrap_or(Self::Internal))
    }

    /// What to do about it, in a sentence for whoever can: the model that called, or the tool's owner. The log of
    /// calls, the result of a test and the answer to a client say it, the latter two more precisely where more is known.
    pub fn advice(self) -> &'static str {
        match self {
            Self::BadArguments => "Correct the arguments and call again; the tool's input_schema says what it takes.",
            Self::Upstream4xx => {
                "The API refused this request: check the arguments against its answer, then the tool's address, mapping and credential."
            }
            Self::Upstream5xx => "The API failed by itself: try again later, or ask those who run it.",
            Self::RateLimitedUpstream => {
                "The API wants fewer calls: wait before the next one, or raise the limit there."
            }
            Self::UpstreamError => "Read what the API answered: it says why it failed.",
            Self::Timeout => "The API was too slow: ask for less, or raise the tool's timeout.",
            Self::ConnectionRefused => {
                "Check that the API is running, and the host and port in the tool's endpoint_url."
            }
            Self::ConnectionFailed => {
                "Check that the API is running and can be reached from this service, and the host and port in the tool's endpoint_url."
            }
            Self::Dns => "Check the host name in the tool's endpoint_url.",
            Self::Tls => "Check the API's certificate, and whether its port speaks https.",
            Self::BlockedDestination => {
                "Give the tool another address; whoever runs this service can allow some that are not public with TOOLGATE_UPSTREAM_ALLOW."
            }
            Self::TooLarge => "Ask for less, for example with a filter or a smaller page.",
            Self::BadResponse => {
                "The API's answer cannot be used as it is: try again, or have the API or the tool corrected."
            }
            Self::BadCredential => "The tool's owner has to set its credential again.",
            Self::Cancelled => "Nothing has to be done: the client went away before its answer.",
            Self::Internal => "This is a fault of Toolgate: look into its log under the request's id.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_are_those_they_always_were() {
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
            assert_eq!((reason.number(), FailureReason::of_number(number)), (number, Some(reason)));
        }
        assert_eq!(FailureReason::of_number(0), None);
        assert_eq!(FailureReason::of_number(200), Some(FailureReason::Internal));
    }

    #[test]
    fn every_reason_has_a_sentence_of_advice_of_its_own() {
        let mut sentences: Vec<&str> = FailureReason::NAMES
            .iter()
            .map(|name| FailureReason::parse(name).unwrap().advice())
            .inspect(|sentence| assert!(sentence.ends_with('.'), "{sentence}"))
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), FailureReason::NAMES.len());
    }
}
