//! Warnings about settings that are valid but risky.

use secrecy::ExposeSecret;

use crate::settings::{Settings, Switch};

const KEY_LENGTH_MIN: usize = 20;

/// Logs a warning for each risky setting.
pub(crate) fn log_risks(settings: &Settings) {
    for risk in risks(settings) {
        tracing::warn!("{risk}");
    }
}

fn risks(settings: &Settings) -> impl Iterator<Item = &'static str> {
    [
        (
            settings.api_key.as_ref().is_some_and(|key| key.expose_secret().len() < KEY_LENGTH_MIN),
            "TOOLGATE_API_KEY is shorter than 20 characters and could be guessed; unset it to have the service create a key",
        ),
        (
            settings.base_url.is_none() && settings.is_exposed(),
            "the service listens on a network address over plain HTTP, which exposes keys; put a proxy with TLS in \
             front of it and set TOOLGATE_BASE_URL to the public address",
        ),
        (
            settings.is_exposed() && allows_private_networks(settings),
            "TOOLGATE_UPSTREAM_ALLOW allows tools to call loopback or private addresses while the service is reachable \
             from other machines; allow single hosts and ports instead",
        ),
        (
            settings.recording == Switch::Off,
            "TOOLGATE_RECORDING is off: calls are not recorded and are missing in reports",
        ),
    ]
    .into_iter()
    .filter_map(|(is_risky, text)| is_risky.then_some(text))
}

/// Whether the rule contains the keyword `loopback` or `private`, which allow whole networks.
fn allows_private_networks(settings: &Settings) -> bool {
    let rule = settings.egress_rule().to_string();
    rule.split(',').any(|item| item.starts_with("loopback") || item.starts_with("private"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::from_flags;

    fn risk_count(args: &[&str]) -> usize {
        risks(&from_flags(args)).count()
    }

    #[test]
    fn only_risky_settings_cause_a_warning() {
        assert_eq!(risk_count(&[]), 0);
        assert_eq!(risk_count(&["--listen=0.0.0.0:8080", "--base-url=https://tools.example.com"]), 0);
        assert_eq!(risk_count(&["--listen=0.0.0.0:8080"]), 1);
        assert_eq!(risk_count(&["--upstream-allow=private"]), 0);
        assert_eq!(risk_count(&["--upstream-allow=private", "--base-url=https://tools.example.com"]), 1);
        assert_eq!(risk_count(&["--upstream-allow=10.0.0.5:443", "--base-url=https://tools.example.com"]), 0);
        assert_eq!(risk_count(&["--api-key=short"]), 1);
    }
}
