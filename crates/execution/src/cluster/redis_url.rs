//! The Redis URL. It may contain a password, so neither errors nor `Debug` repeat it.

use std::time::Duration;

use redis::cluster::ClusterClientBuilder;
use redis::{Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo as _, RedisResult, TlsCertificates};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use super::redis_client::{CONNECT_TIMEOUT, RedisClient};

/// The end of a URL scheme that selects a Redis Cluster.
const CLUSTER_SUFFIX: &str = "+cluster";

/// The response timeout of the cluster client. It is longer than the longest timeout of operations that can be set.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// How often a command is redirected to another node of a Redis Cluster.
const CLUSTER_RETRIES: u32 = 3;

/// A valid Redis URL.
#[derive(Clone, Debug)]
pub struct RedisUrl {
    /// The URL of each host. Several hosts are those of a Redis Cluster.
    hosts: Vec<SecretString>,
    is_cluster: bool,
    /// Certificates of the authorities that are trusted instead of those of the system, in PEM form.
    ca_certificates: Option<Vec<u8>>,
}

/// The URL is not valid or not supported.
#[derive(Debug, thiserror::Error)]
#[error(
    "it must be redis://USER:PASSWORD@HOST:PORT/NUMBER; only the host is required. Percent-encode characters such as \
     `/`, `@` and `#` in the password. Use rediss:// for TLS, and redis+cluster://HOST:PORT,HOST:PORT or \
     rediss+cluster:// for a Redis Cluster, which has no NUMBER"
)]
pub struct InvalidRedisUrl;

/// The certificates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidRedisCa {
    /// The connection is not encrypted.
    #[error("certificates are used only with rediss:// in the URL of Redis")]
    NoTls,
    /// The file contains no certificate, or a damaged one.
    #[error("it must contain certificates in PEM form")]
    NoCertificate,
}

impl RedisUrl {
    /// Rejects URLs in which an unencoded password would become part of the host or path, which logs may show.
    pub fn parse(text: &str) -> Result<Self, InvalidRedisUrl> {
        let (scheme, rest) = text.split_once("://").ok_or(InvalidRedisUrl)?;
        let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        let (user, hosts) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
        let (base_scheme, is_cluster) = match scheme.strip_suffix(CLUSTER_SUFFIX) {
            Some(base) => (base, true),
            None => (scheme, hosts.contains(',')),
        };
        let host_url = |host: &str| format!("{base_scheme}://{user}{host}{path}");
        let hosts: Vec<_> = hosts.split(',').map(|host| SecretString::from(host_url(host))).collect();
        let url = Self { hosts, is_cluster, ca_certificates: None };
        url.client().map(|_| url)
    }

    /// Trusts only servers with a certificate of these authorities, in PEM form, instead of those of the system.
    pub fn with_ca_certificates(self, pem: Vec<u8>) -> Result<Self, InvalidRedisCa> {
        let is_encrypted = self.infos().is_ok_and(|infos| infos.iter().all(is_encrypted));
        if !is_encrypted {
            return Err(InvalidRedisCa::NoTls);
        }
        if !pem.windows(27).any(|text| text == b"-----BEGIN CERTIFICATE-----") {
            return Err(InvalidRedisCa::NoCertificate);
        }
        let url = Self { ca_certificates: Some(pem), ..self };
        url.client().map(|_| url).map_err(|_| InvalidRedisCa::NoCertificate)
    }

    pub(super) fn client(&self) -> Result<RedisClient, InvalidRedisUrl> {
        let infos = self.infos()?;
        let has_number = infos.iter().any(|info| info.redis_settings().db() != 0);
        if self.is_cluster && has_number {
            return Err(InvalidRedisUrl);
        }
        if infos.iter().any(is_encrypted) {
            // The client uses the default provider of the process, which may be set to this one already.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let addresses = infos.iter().map(|info| info.addr().to_string()).collect::<Vec<_>>().join(", ");
        let certificates =
            self.ca_certificates.clone().map(|pem| TlsCertificates { client_tls: None, root_cert: Some(pem) });
        let host_client = |info: ConnectionInfo| match certificates.clone() {
            Some(certificates) => Client::build_with_tls(info, certificates),
            None => Client::open(info),
        };
        let hosts: RedisResult<Vec<_>> = infos.iter().cloned().map(host_client).collect();
        let cluster = self.is_cluster.then(|| {
            let builder = ClusterClientBuilder::new(infos)
                .connection_timeout(CONNECT_TIMEOUT)
                // `RedisConnection` applies the timeout of operations.
                .response_timeout(RESPONSE_TIMEOUT)
                .retries(CLUSTER_RETRIES);
            certificates.clone().into_iter().fold(builder, ClusterClientBuilder::certs).build()
        });
        let (hosts, cluster) =
            hosts.and_then(|hosts| Ok((hosts, cluster.transpose()?))).map_err(|_| InvalidRedisUrl)?;
        Ok(RedisClient { hosts, cluster, addresses })
    }

    fn infos(&self) -> Result<Vec<ConnectionInfo>, InvalidRedisUrl> {
        self.hosts.iter().map(|url| connection_info(url.expose_secret())).collect()
    }
}

fn connection_info(text: &str) -> Result<ConnectionInfo, InvalidRedisUrl> {
    let url = Url::parse(text).map_err(|_| InvalidRedisUrl)?;
    let has_redis_scheme = matches!(url.scheme(), "redis" | "valkey" | "rediss" | "valkeys");
    let has_only_host_and_path = url.has_host() && url.fragment().is_none() && url.query().is_none();
    if !has_redis_scheme || !has_only_host_and_path || url.host_str() == Some("") {
        return Err(InvalidRedisUrl);
    }
    let info = text.into_connection_info().map_err(|_| InvalidRedisUrl)?;
    let is_network = matches!(info.addr(), ConnectionAddr::Tcp(..) | ConnectionAddr::TcpTls { .. });
    if is_network { Ok(info) } else { Err(InvalidRedisUrl) }
}

fn is_encrypted(info: &ConnectionInfo) -> bool {
    matches!(info.addr(), ConnectionAddr::TcpTls { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_urls_are_refused_and_no_url_is_repeated() {
        for good in [
            "redis://h",
            "valkey://h:7000/3",
            "redis://:p%2Fw@127.0.0.1",
            "redis://u:p@[::1]:6379/0",
            "rediss://u:p@h:6380/1",
            "valkeys://h",
            "redis+cluster://h",
            "redis://:p@h:7000,h:7001,[::1]:7002",
            "rediss+cluster://u:p@one:7000,two:7000/0",
        ] {
            assert!(RedisUrl::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "hidden",
            "redis://",
            "redis:///1",
            "redis:hidden@h",
            "unix:///hidden",
            "http://:hidden@h",
            "redis://:1/hidden@h",
            "redis://:a#hidden@h",
            "redis://:a?hidden@h",
            "redis://:hidden@h/x",
            "redis://:hidden@0.0.0.0",
            "rediss://:hidden@h#insecure",
            "redis+cluster://:hidden@h/1",
            "redis://:hidden@h,",
            "redis://:hidden@h,h/2",
            "redis+unix:///hidden",
            "+cluster://:hidden@h",
        ] {
            let error = RedisUrl::parse(bad).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hidden"), "{bad}");
        }
        assert!(!format!("{:?}", RedisUrl::parse("redis://:hidden@h").unwrap()).contains("hidden"));
    }

    #[test]
    fn certificates_need_tls_and_pem() {
        let with_ca = |url: &str, pem: &str| RedisUrl::parse(url).unwrap().with_ca_certificates(pem.into());
        let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(matches!(with_ca("redis://h", damaged), Err(InvalidRedisCa::NoTls)));
        for pem in ["", "text", damaged] {
            for url in ["rediss://h", "rediss+cluster://h"] {
                assert!(matches!(with_ca(url, pem), Err(InvalidRedisCa::NoCertificate)), "{url} {pem:?}");
            }
        }
    }
}
