//! How many clients can register themselves within a minute.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;
use toolgate_domain::sliding_window::{SlidingWindow, WindowLimits};
use toolgate_domain::sync::lock;

use crate::client_network::client_network;

/// Most clients that registered themselves and were never allowed access.
pub(crate) const UNUSED_CLIENTS_MAX: u32 = 10_000;

/// Requests per address and in total, for registrations and for refused requests.
const LIMITS: WindowLimits = WindowLimits { window: Duration::from_mins(1), per_key_max: 30, total_max: 600 };

/// The requests of the last minute on this node. Registrations and refused requests are counted separately, so that
/// the faults of one client do not keep another one behind the same address from registering.
pub(crate) struct RegistrationLimits {
    registered: Mutex<SlidingWindow<IpAddr>>,
    refused: Mutex<SlidingWindow<IpAddr>>,
}

impl Default for RegistrationLimits {
    fn default() -> Self {
        let window = || Mutex::new(SlidingWindow::new(LIMITS));
        Self { registered: window(), refused: window() }
    }
}

impl RegistrationLimits {
    /// Counts a registration. The error is the time to wait.
    pub(crate) fn admit_registration(&self, address: IpAddr) -> Result<(), Duration> {
        lock(&self.registered).admit(client_network(address), Instant::now().into_std())
    }

    /// Counts a request with invalid metadata. The error is the time to wait.
    pub(crate) fn admit_invalid_request(&self, address: IpAddr) -> Result<(), Duration> {
        lock(&self.refused).admit(client_network(address), Instant::now().into_std())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn one_address_may_register_30_times_a_minute_and_others_go_on() {
        let limits = RegistrationLimits::default();
        for _ in 0..30 {
            limits.admit_registration(address("192.0.2.1")).unwrap();
        }
        tokio::time::advance(Duration::from_secs(20)).await;
        assert_eq!(limits.admit_registration(address("192.0.2.1")), Err(Duration::from_secs(40)));
        assert_eq!(limits.admit_registration(address("::ffff:192.0.2.1")), Err(Duration::from_secs(40)));
        assert_eq!(limits.admit_registration(address("192.0.2.2")), Ok(()));
        assert_eq!(limits.admit_invalid_request(address("192.0.2.1")), Ok(()));
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(limits.admit_registration(address("192.0.2.1")), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn all_addresses_together_may_register_600_times_a_minute() {
        let limits = RegistrationLimits::default();
        for number in 0..600u32 {
            let address = IpAddr::from(std::net::Ipv4Addr::from_bits(0xc000_0200 + number / 30));
            limits.admit_registration(address).unwrap();
        }
        assert_eq!(limits.admit_registration(address("203.0.113.9")), Err(Duration::from_mins(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn an_ipv6_network_counts_as_one_address() {
        let limits = RegistrationLimits::default();
        for number in 0..30 {
            limits.admit_registration(address(&format!("2001:db8::{number}"))).unwrap();
        }
        assert!(limits.admit_registration(address("2001:db8::ffff:1")).is_err());
        assert!(limits.admit_registration(address("2001:db8:0:1::1")).is_ok());
    }
}
