//! The parts of an http URI of a program on this computer, read from its text.

/// The hosts of loopback URIs. They are different hosts: a program that listens on one need not listen on another.
const HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// An http URI whose host is one of [`HOSTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LoopbackUri<'a> {
    host: &'static str,
    /// Path and query, exactly as written.
    rest: &'a str,
}

impl<'a> LoopbackUri<'a> {
    /// Reads the parts. `None` if the URI is not a loopback URI or its port is not a number from 1 to 65535.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let after_scheme = text.strip_prefix("http://")?;
        let (authority, rest) = match after_scheme.find(['/', '?', '#']) {
            Some(end) => after_scheme.split_at_checked(end)?,
            None => (after_scheme, ""),
        };
        let host = HOSTS.into_iter().find(|host| {
            let port = authority.strip_prefix(host);
            port.is_some_and(|port| port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        })?;
        Some(Self { host, rest })
    }

    pub(super) fn host(&self) -> &'static str {
        self.host
    }

    pub(super) fn is_same_without_port(&self, other: &LoopbackUri<'_>) -> bool {
        self.host == other.host && self.rest == other.rest
    }
}

fn is_port(text: &str) -> bool {
    // `parse` accepts a plus sign.
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port != 0)
}
