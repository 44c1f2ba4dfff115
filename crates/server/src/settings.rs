//! The single list of settings: defines flags, environment variables, keys of the settings file and `--help`.

mod base_url;
mod config_file;
mod derived;
mod node_name;
mod openid;
mod otlp;
mod parse;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use http::HeaderMap;
use secrecy::SecretString;
use toolgate_domain::oauth::allowed_people::AllowedPeople;
use toolgate_execution::cluster::RedisUrl;
use toolgate_execution::egress::guard::EgressRule;

pub(crate) use base_url::PublicUrl;
pub(crate) use config_file::config_file_arguments;
pub(crate) use otlp::OtlpEndpoint;
pub(crate) use parse::{MetricsTools, Networks, Origins, RedirectSchemes, api_key as parse_api_key};
#[cfg(test)]
pub(crate) use tests::from_flags;

/// All settings; each has a default.
#[derive(Clone, Debug, clap::Args)]
#[command(
    next_help_heading = "Settings (a flag overrides its environment variable, which overrides the settings file)"
)]
pub(crate) struct Settings {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, global = true, env = "TOOLGATE_LISTEN", value_name = "ADDRESS")]
    #[arg(default_value = "127.0.0.1:8080", value_parser = parse::listen)]
    pub(crate) listen: SocketAddr,

    /// Public address of the service, as clients reach it [default: `http://` and the listen address]
    #[arg(long, global = true, env = "TOOLGATE_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<PublicUrl>,

    /// Folder for the database file and the key files; created if missing
    #[arg(long, global = true, env = "TOOLGATE_DATA_DIR", value_name = "FOLDER", default_value = "./toolgate-data")]
    pub(crate) data_dir: PathBuf,

    /// Database: `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/NAME` [default: toolgate.db in the data folder]
    #[arg(long, global = true, env = "TOOLGATE_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    #[arg(value_parser = parse::database_url)]
    pub(crate) database_url: Option<SecretString>,

    /// Redis or Valkey in which nodes share rate limits, cached responses and sessions:
    /// `redis://USER:PASSWORD@HOST:PORT/NUMBER`, `rediss://` for TLS, `redis+cluster://HOST:PORT,HOST:PORT` for a Redis
    /// Cluster [default: none, each node has its own limits and cache]
    #[arg(long, global = true, env = "TOOLGATE_REDIS_URL", value_name = "URL", hide_env_values = true)]
    #[arg(value_parser = RedisUrl::parse)]
    pub(crate) redis_url: Option<RedisUrl>,

    /// File with the certificates of the authorities that sign the certificate of Redis, in PEM form [default: the
    /// authorities that the system trusts]
    #[arg(long, global = true, env = "TOOLGATE_REDIS_CA_FILE", value_name = "FILE")]
    pub(crate) redis_ca_file: Option<PathBuf>,

    /// How long a call waits for one Redis operation, in milliseconds (10 to 10000)
    #[arg(long = "redis-timeout-ms", global = true, env = "TOOLGATE_REDIS_TIMEOUT_MS", value_name = "MS")]
    #[arg(id = "redis_timeout_ms", default_value = "50", value_parser = parse::redis_timeout)]
    pub(crate) redis_timeout: Duration,

    /// Key of the first administrator [default: created at the first start and shown once]
    #[arg(long, global = true, env = "TOOLGATE_API_KEY", value_name = "KEY", hide_env_values = true)]
    #[arg(value_parser = parse::api_key)]
    pub(crate) api_key: Option<SecretString>,

    /// First segment of the management API's path: /PREFIX/NAMESPACE/v1
    #[arg(long, global = true, env = "TOOLGATE_REST_PREFIX", value_name = "PREFIX")]
    #[arg(default_value = "wp-json", value_parser = parse::segment)]
    pub(crate) rest_prefix: String,

    /// Second segment of the management API's path
    #[arg(long, global = true, env = "TOOLGATE_REST_NAMESPACE", value_name = "NAMESPACE")]
    #[arg(default_value = "toolgate", value_parser = parse::segment)]
    pub(crate) rest_namespace: String,

    /// Non-public addresses that tools may call: CIDRs, host names, `loopback`, `private`, each with an
    /// optional :port, separated by commas [default: loopback,private if only this machine can reach the
    /// service, else none]
    #[arg(long, global = true, env = "TOOLGATE_UPSTREAM_ALLOW", value_name = "LIST")]
    pub(crate) upstream_allow: Option<EgressRule>,

    /// Encryption keys for stored secrets, 32 bytes each in base64 or hex, separated by commas: the first one encrypts,
    /// all decrypt [default: the file encryption-keys in the data folder, created at the first start]
    #[arg(long, global = true, env = "TOOLGATE_ENCRYPTION_KEYS", value_name = "KEYS", hide_env_values = true)]
    #[arg(value_parser = parse::encryption_keys)]
    pub(crate) encryption_keys: Option<SecretString>,

    /// Proxies whose X-Forwarded-For, -Proto and -Host headers are trusted: addresses and CIDRs, separated by commas
    /// [default: none]
    #[arg(long, global = true, env = "TOOLGATE_TRUSTED_PROXIES", value_name = "LIST")]
    #[arg(default_value = "", hide_default_value = true, value_parser = parse::networks)]
    pub(crate) trusted_proxies: Networks,

    /// Origins whose pages may call the management API, such as `https://console.example`, separated by
    /// commas [default: none]
    #[arg(long, global = true, env = "TOOLGATE_CORS_ORIGINS", value_name = "LIST")]
    #[arg(default_value = "", hide_default_value = true, value_parser = parse::origins)]
    pub(crate) cors_origins: Origins,

    /// Whether OAuth clients may register themselves at /register: `open`, or `off` to accept only clients with a
    /// metadata document and clients that an administrator registered
    #[arg(long, global = true, env = "TOOLGATE_OAUTH_REGISTRATION", value_name = "MODE", default_value = "open")]
    pub(crate) oauth_registration: OAuthRegistration,

    /// Schemes of redirect URIs that OAuth clients may register in addition to https, http on loopback, schemes with a
    /// dot and those of known programs, such as `myapp`, separated by commas [default: none]
    #[arg(long, global = true, env = "TOOLGATE_OAUTH_REDIRECT_SCHEMES", value_name = "LIST")]
    #[arg(default_value = "", hide_default_value = true, value_parser = parse::redirect_schemes)]
    pub(crate) oauth_redirect_schemes: RedirectSchemes,

    /// Issuer of an OpenID provider through which people sign in, such as `https://accounts.google.com`; needs a client
    /// id and a client secret [default: none, people sign in with a key, a password or a link]
    #[arg(long, global = true, env = "TOOLGATE_OIDC_ISSUER", value_name = "URL", value_parser = openid::issuer)]
    pub(crate) oidc_issuer: Option<String>,

    /// Id of this service at the OpenID provider
    #[arg(long, global = true, env = "TOOLGATE_OIDC_CLIENT_ID", value_name = "ID", value_parser = openid::client_id)]
    pub(crate) oidc_client_id: Option<String>,

    /// Secret of this service at the OpenID provider
    #[arg(long, global = true, env = "TOOLGATE_OIDC_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    #[arg(value_parser = openid::client_secret)]
    pub(crate) oidc_client_secret: Option<SecretString>,

    /// Who may sign in through the OpenID provider for the first time, and becomes a user with the role member: domains
    /// of verified e-mail addresses such as `example.com` (at Google: of Workspaces), and subjects such as `sub:1234`,
    /// separated by commas
    /// [default: none, only people who linked their account before]
    #[arg(long, global = true, env = "TOOLGATE_OIDC_ALLOW", value_name = "LIST")]
    #[arg(default_value = "", hide_default_value = true, value_parser = AllowedPeople::parse)]
    pub(crate) oidc_allow: AllowedPeople,

    /// Name of the OpenID provider on the sign-in page [default: the host of its issuer]
    #[arg(long, global = true, env = "TOOLGATE_OIDC_NAME", value_name = "NAME", value_parser = openid::name)]
    pub(crate) oidc_name: Option<String>,

    /// Number of days for which single calls are stored; reports are not deleted
    #[arg(long, global = true, env = "TOOLGATE_RETENTION_DAYS", value_name = "DAYS")]
    #[arg(default_value = "30", value_parser = parse::retention_days)]
    pub(crate) retention_days: u32,

    /// Maximum size of the journal of calls in the data folder, in mebibytes (16 to 1048576); if the journal is full
    /// because the database is unavailable, the oldest calls are dropped and counted
    #[arg(long, global = true, env = "TOOLGATE_JOURNAL_MAX_MIB", value_name = "MIB")]
    #[arg(default_value = "1024", value_parser = parse::journal_max_mib)]
    pub(crate) journal_max_mib: u32,

    /// Memory for the complete responses of tools whose results are shortened, in mebibytes (0 to 65536): clients get
    /// the rest with the tool `read_more`; 0 stores none
    #[arg(long, global = true, env = "TOOLGATE_OVERFLOW_MIB", value_name = "MIB")]
    #[arg(default_value = "64", value_parser = parse::response_overflow_mib)]
    pub(crate) overflow_mib: u32,

    /// Whether calls are recorded; `off` is for measuring the cost of recording
    #[arg(long, global = true, env = "TOOLGATE_RECORDING", value_name = "SWITCH", default_value = "on")]
    pub(crate) recording: Switch,

    /// Whether a call is recorded with the address of its client, which is stored as long as the call
    #[arg(long, global = true, env = "TOOLGATE_RECORD_CLIENT_ADDRESS", value_name = "SWITCH")]
    #[arg(default_value = "true", hide_possible_values = true, action = clap::ArgAction::Set)]
    #[arg(value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) record_client_address: bool,

    /// Adds a demo server with tools for a built-in API
    #[arg(long, global = true, env = "TOOLGATE_DEMO", value_name = "SWITCH", num_args = 0..=1, require_equals = true)]
    #[arg(default_value = "false", default_missing_value = "true", hide_default_value = true)]
    #[arg(hide_possible_values = true, value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) demo: bool,

    /// Separate address for metrics and health checks, without a key; port 0 picks a free port [default: none, metrics
    /// are at /metrics of the main address and need an API key with the scope metrics]
    #[arg(long, global = true, env = "TOOLGATE_METRICS_LISTEN", value_name = "ADDRESS", value_parser = parse::listen)]
    pub(crate) metrics_listen: Option<SocketAddr>,

    /// Tools with their own metrics: `off`, or `topN` for the N tools with most calls (top1 to top1000); all others are
    /// counted together
    #[arg(long, global = true, env = "TOOLGATE_METRICS_TOOLS", value_name = "TOOLS")]
    #[arg(default_value = "off", value_parser = parse::metrics_tools)]
    pub(crate) metrics_tools: MetricsTools,

    /// OpenTelemetry collector that gets traces over OTLP/HTTP, such as `http://127.0.0.1:4318` [default: none, nothing
    /// is traced]
    #[arg(long, global = true, env = "TOOLGATE_OTLP_ENDPOINT", value_name = "URL", value_parser = OtlpEndpoint::parse)]
    pub(crate) otlp_endpoint: Option<OtlpEndpoint>,

    /// Headers for the collector, such as credentials: `NAME=VALUE`, separated by commas, with percent-encoded values
    #[arg(long, global = true, env = "TOOLGATE_OTLP_HEADERS", value_name = "LIST", hide_env_values = true)]
    #[arg(value_parser = otlp::headers)]
    pub(crate) otlp_headers: Option<HeaderMap>,

    /// Whether the collector also gets each recorded call as a log record
    #[arg(long, global = true, env = "TOOLGATE_OTLP_LOGS", value_name = "SWITCH", default_value = "off")]
    pub(crate) otlp_logs: Switch,

    /// Share of requests that are traced, from 0 to 1
    #[arg(long, global = true, env = "TOOLGATE_TRACE_SAMPLE", value_name = "SHARE")]
    #[arg(default_value = "0.01", value_parser = otlp::sample)]
    pub(crate) trace_sample: f64,

    /// Requests a second that are traced because their caller traces them (header `traceparent`), 0 to 100000
    #[arg(long, global = true, env = "TOOLGATE_TRACE_PARENT_RATE", value_name = "NUMBER")]
    #[arg(default_value = "10", value_parser = otlp::parent_rate)]
    pub(crate) trace_parent_rate: u32,

    /// Name of this node in JSON logs, metrics and the list of nodes: up to 64 letters, digits, `.`, `_` and `-`
    /// [default: the host name]
    #[arg(long, global = true, env = "TOOLGATE_NODE", value_name = "NAME", value_parser = node_name::parse)]
    pub(crate) node: Option<String>,

    /// Log filter: a level, or levels per module such as info,sqlx=debug
    #[arg(long, global = true, env = "TOOLGATE_LOG", value_name = "FILTER")]
    #[arg(default_value = "info", value_parser = parse::log_filter)]
    pub(crate) log: String,

    /// Format of the log on stderr
    #[arg(long, global = true, env = "TOOLGATE_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,

    /// TOML file with the same settings, with underscores instead of dashes (`base_url = "..."`)
    #[arg(long, global = true, env = "TOOLGATE_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// An on/off setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

/// Whether OAuth clients may register themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OAuthRegistration {
    /// Every client may.
    Open,
    /// No client may.
    Off,
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line, for machines.
    Json,
}

#[cfg(test)]
mod tests;
