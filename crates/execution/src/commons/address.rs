//! Where the commons is. It may hold a password, so no error and no `Debug` repeats it.

use redis::{Client, ConnectionAddr, IntoConnectionInfo as _};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

/// An address that can be dialled.
#[derive(Clone, Debug)]
pub struct Address(SecretString);

/// Why one cannot.
#[derive(Debug, thiserror::Error)]
#[error(
    "it must be redis://USER:PASSWORD@HOST:PORT/NUMBER, of which only the host has to be there, with `/`, `@`, `#` and \
     the like in the password percent-encoded; rediss:// (TLS) is not supported"
)]
pub struct BadAddress;

impl Address {
    /// A password with a bare slash makes a part of itself the host or the path, which somebody may show.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let url = Url::parse(text).map_err(|_| BadAddress)?;
        let is_known = matches!(url.scheme(), "redis" | "valkey");
        let is_plain = url.has_host() && url.fragment().is_none() && url.query().is_none();
        if !is_known || !is_plain || url.host_str() == Some("") {
            return Err(BadAddress);
        }
        let address = Self(text.into());
        address.client().map(|_| address)
    }

    pub(super) fn client(&self) -> Result<Client, BadAddress> {
        let info = self.0.expose_secret().into_connection_info().map_err(|_| BadAddress)?;
        let is_tcp = matches!(info.addr(), ConnectionAddr::Tcp(..));
        if is_tcp { Client::open(info).map_err(|_| BadAddress) } else { Err(BadAddress) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_host_and_are_never_repeated() {
        for good in ["redis://h", "valkey://h:7000/3", "redis://:p%2Fw@127.0.0.1", "redis://u:p@[::1]:6379/0"] {
            assert!(Address::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "hidden",
            "redis://",
            "redis:///1",
            "redis:hidden@h",
            "rediss://:hidden@h",
            "unix:///hidden",
            "http://:hidden@h",
            "redis://:1/hidden@h",
            "redis://:a#hidden@h",
            "redis://:a?hidden@h",
            "redis://:hidden@h/x",
            "redis://:hidden@0.0.0.0",
        ] {
            let error = Address::parse(bad).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hidden"), "{bad}");
        }
        assert!(!format!("{:?}", Address::parse("redis://:hidden@h").unwrap()).contains("hidden"));
    }
}
