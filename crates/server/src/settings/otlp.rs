//! The settings of traces: the collector, its headers, and which requests are traced.

use anyhow::{Context, bail, ensure};
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

const PARENT_RATE_MAX: u32 = 100_000;
/// The paths that are added to the address.
const SIGNAL_PATHS: [&str; 2] = ["/v1/traces", "/v1/logs"];

/// The address of an OpenTelemetry collector, without the path of a signal.
#[derive(Clone, Debug)]
pub(crate) struct OtlpEndpoint(Url);

impl OtlpEndpoint {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let url = url.context("it must be an http or https address, like http://127.0.0.1:4318")?;
        ensure!(
            url.username().is_empty() && url.password().is_none(),
            "it must not contain a user name or a password; use --otlp-headers (TOOLGATE_OTLP_HEADERS) for credentials"
        );
        ensure!(url.query().is_none() && url.fragment().is_none(), "it must not contain a query or a fragment");
        let path = url.path().trim_end_matches('/');
        if let Some(added) = SIGNAL_PATHS.into_iter().find(|added| path.ends_with(added)) {
            bail!("leave out {added}: the service adds it, as with OTEL_EXPORTER_OTLP_ENDPOINT");
        }
        Ok(Self(url))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// The URL of the signal with this path.
    pub(crate) fn signal_url(&self, path: &str) -> String {
        format!("{}{path}", self.as_str())
    }

    /// Host and port, in the form of a rule for allowed destinations.
    pub(crate) fn host_and_port(&self) -> String {
        let port = self.0.port_or_known_default().unwrap_or(443);
        match self.0.host() {
            Some(Host::Ipv6(address)) => format!("[{address}]:{port}"),
            Some(host) => format!("{host}:{port}"),
            None => String::new(),
        }
    }
}

/// Parses `name=value,name=value` with percent-encoded values, as in `OTEL_EXPORTER_OTLP_HEADERS`. Errors do not
/// contain the values, which may be secret.
pub(super) fn headers(text: &str) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (name, value) = item.split_once('=').context(
            "an item is not a name, `=` and a value; separate items by commas, like api-key=SECRET, and write a comma \
             in a value as %2C",
        )?;
        let name = HeaderName::try_from(name.trim()).context("an item begins with a text that is not a header name")?;
        let value = percent_decode_str(value.trim()).collect::<Vec<u8>>();
        let mut value = HeaderValue::from_bytes(&value)
            .with_context(|| format!("the value of {name} has characters that a header cannot have"))?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    ensure!(!headers.is_empty(), "it contains no header; unset it if the collector needs none");
    Ok(headers)
}

pub(super) fn sample(text: &str) -> anyhow::Result<f64> {
    let ratio = text.parse::<f64>().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.with_context(|| format!("{text:?} is not a number from 0 to 1; 0.01 traces one request of a hundred"))
}

pub(super) fn parent_rate(text: &str) -> anyhow::Result<u32> {
    let rate = text.parse().ok().filter(|rate| *rate <= PARENT_RATE_MAX);
    rate.with_context(|| format!("{text:?} is not a number of requests a second from 0 to {PARENT_RATE_MAX}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_a_base_url_without_credentials_query_and_signal_path() {
        let endpoint = OtlpEndpoint::parse("https://otel.example/base/").unwrap();
        assert_eq!(endpoint.signal_url("/v1/traces"), "https://otel.example/base/v1/traces");
        assert_eq!(endpoint.host_and_port(), "otel.example:443");
        assert_eq!(OtlpEndpoint::parse("http://[::1]:4318").unwrap().host_and_port(), "[::1]:4318");
        assert_eq!(
            OtlpEndpoint::parse("http://127.0.0.1:4318").unwrap().signal_url("/v1/logs"),
            "http://127.0.0.1:4318/v1/logs"
        );
        for bad in [
            "",
            "127.0.0.1:4318",
            "grpc://h:4317",
            "http://u:hidden@h:4318",
            "http://h:4318?key=hidden",
            "http://h:4318/v1/traces",
        ] {
            assert!(!OtlpEndpoint::parse(bad).unwrap_err().to_string().contains("hidden"), "{bad}");
        }
    }

    #[test]
    fn headers_are_pairs_and_errors_hide_their_values() {
        let parsed = headers("authorization=Basic%20aGk6aGk=, x-tenant = 7 ,").unwrap();
        assert_eq!(parsed["authorization"], "Basic aGk6aGk=");
        assert_eq!(parsed["x-tenant"], "7");
        assert!(!format!("{parsed:?}").contains("aGk6"), "values are not shown");
        for bad in ["", "hidden", "a b=hidden", "x=%0Ahidden"] {
            assert!(!format!("{:#}", headers(bad).unwrap_err()).contains("hidden"), "{bad}");
        }
    }

    #[test]
    fn shares_and_rates_out_of_range_are_refused() {
        assert!(["0", "1", "0.25"].into_iter().all(|share| sample(share).is_ok()));
        for bad in ["1.1", "-0.1", "NaN", "10%", ""] {
            assert!(sample(bad).is_err(), "{bad}");
        }
        assert_eq!(parent_rate("0").unwrap(), 0);
        assert!(parent_rate("-1").is_err() && parent_rate("100001").is_err() && parent_rate("many").is_err());
    }
}
