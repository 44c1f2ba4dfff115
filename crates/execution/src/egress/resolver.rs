//! From names to addresses. Each name is asked for once at a time and remembered for a few seconds: a burst of new
//! connections costs one lookup, and a name that moves is followed soon.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;

use super::error::EgressError;

const REMEMBERED_FOR: Duration = Duration::from_secs(10);
const NAMES_MAX: u64 = 1024;

/// Remembers what names led to. Nothing is decided here: whoever dials checks the addresses each time.
pub(super) struct Resolver {
    known: Cache<String, Arc<[IpAddr]>>,
}

impl Resolver {
    pub(super) fn new() -> Self {
        Self { known: Cache::builder().time_to_live(REMEMBERED_FOR).max_capacity(NAMES_MAX).build() }
    }

    /// All addresses of a name, in the order of the system's resolver, which also reads the hosts file.
    pub(super) async fn resolve(&self, name: &str) -> Result<Arc<[IpAddr]>, EgressError> {
        let found = self.known.try_get_with_by_ref(name, look_up(name)).await;
        found.map_err(|error: Arc<EgressError>| EgressError::clone(&error))
    }

    /// To be called when no address of a name answers: it may have moved.
    pub(super) async fn forget(&self, name: &str) {
        self.known.invalidate(name).await;
    }

    /// Makes a name lead somewhere, for tests that must not ask a real resolver.
    #[cfg(test)]
    pub(super) async fn remember(&self, name: &str, addresses: &[IpAddr]) {
        self.known.insert(name.to_owned(), addresses.into()).await;
    }
}

async fn look_up(name: &str) -> Result<Arc<[IpAddr]>, EgressError> {
    let found = tokio::net::lookup_host((name, 0)).await.map_err(|error| {
        tracing::debug!(name, %error, "an upstream's name does not resolve");
        EgressError::Dns
    })?;
    let addresses: Arc<[IpAddr]> = found.map(|address| address.ip()).collect();
    if addresses.is_empty() { Err(EgressError::Dns) } else { Ok(addresses) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn names_are_looked_up_once_and_can_be_forgotten() {
        let resolver = Resolver::new();
        let addresses = resolver.resolve("localhost").await.unwrap();
        assert!(!addresses.is_empty() && addresses.iter().all(IpAddr::is_loopback));
        assert!(Arc::ptr_eq(&addresses, &resolver.resolve("localhost").await.unwrap()));
        resolver.forget("localhost").await;
        assert!(!Arc::ptr_eq(&addresses, &resolver.resolve("localhost").await.unwrap()));
    }

    #[tokio::test]
    async fn a_name_that_no_resolver_can_ask_for_does_not_resolve() {
        let label_too_long = "x".repeat(300);
        assert_eq!(Resolver::new().resolve(&label_too_long).await.unwrap_err(), EgressError::Dns);
    }
}
