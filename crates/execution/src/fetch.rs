//! A resource whose content comes from an upstream: one request, built with the variables of the resource URI.

use std::time::Duration;

use http::{HeaderMap, Method};
use percent_encoding::percent_decode_str;
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::resource::Resource;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::tool::HttpMethod;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::uri_template::{UriTemplate, Variables};
use toolgate_domain::wp_query;

use crate::call_settings::{CallSettings, CalledObject};
use crate::call_trace::CallTrace;
use crate::egress::message::OutboundRequest;
use crate::failure::Failure;
use crate::tool::auth::{Auth, CredentialUse};
use crate::tool::headers;
use crate::tool::redaction::Redactor;
use crate::tool::secret_header::CredentialUnavailable;
use crate::tool::url::EndpointTemplate;
use crate::upstream_call::UpstreamCall;

const OTHER_VALUES_ADVICE: &str = "Read the resource with other values in its URI.";

/// A resource ready to be fetched.
#[derive(Debug)]
pub struct CompiledFetch {
    settings: CallSettings,
    address: FetchAddress,
    method: Method,
    headers: HeaderMap,
    auth: Auth,
    pub(crate) redactor: Redactor,
}

#[derive(Debug)]
enum FetchAddress {
    Template(UriTemplate),
    WpQuery(JsonObject),
}

impl CompiledFetch {
    /// Compiles a resource of the type `url`.
    pub fn url(resource: &Resource, secrets: Result<&Secrets, CredentialUnavailable>) -> Result<Self, String> {
        let config = resource.spec.data_source_config.members();
        let url = config_text(&config, "url").unwrap_or_default();
        let template = UriTemplate::parse(&url).map_err(|error| error.to_string())?;
        Ok(Self::compile(resource, &config, FetchAddress::Template(template), secrets))
    }

    /// Compiles a resource of the type `wp_query`.
    pub fn wp_query(resource: &Resource, secrets: Result<&Secrets, CredentialUnavailable>) -> Result<Self, String> {
        let config = &resource.spec.data_source_config;
        wp_query::request_url(config, &[]).map_err(|error| error.to_string())?;
        Ok(Self::compile(resource, &config.members(), FetchAddress::WpQuery(config.clone()), secrets))
    }

    /// Whether the request only reads: its method says so.
    pub fn only_reads(&self) -> bool {
        HttpMethod::parse(self.method.as_str()).is_some_and(HttpMethod::only_reads)
    }

    fn compile(
        resource: &Resource,
        config: &Members,
        address: FetchAddress,
        secrets: Result<&Secrets, CredentialUnavailable>,
    ) -> Self {
        let method = config_text(config, "method").unwrap_or_default().to_ascii_uppercase();
        let plain: PlainHeaders =
            config.get("headers").and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default();
        let auth_type = config_text(config, "auth_type").and_then(|name| AuthType::parse(&name));
        let (headers, auth) = headers::compile(&plain, auth_type.unwrap_or(AuthType::None), secrets);
        // Resources have no revision number.
        let defaults = CallSettings::new(CalledObject::Resource(resource.id), resource.updated_at.as_millis());
        Self {
            settings: CallSettings {
                timeout: config_seconds(config, "timeout").unwrap_or(defaults.timeout),
                cache_ttl: config_seconds(config, "cache_ttl").unwrap_or(defaults.cache_ttl),
                ..defaults
            },
            address,
            method: Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET),
            headers,
            auth,
            redactor: secrets.map(Redactor::from_secrets).unwrap_or_default(),
        }
    }

    pub(crate) fn upstream_call<'a>(
        &'a self,
        variables: &'a [(String, String)],
        trace: Option<CallTrace<'a>>,
    ) -> UpstreamCall<'a> {
        UpstreamCall {
            settings: &self.settings,
            auth: &self.auth,
            may_use_cache: true,
            trace,
            build_request: Box::new(move |credential| self.request(variables, credential)),
        }
    }

    fn request(
        &self,
        variables: &[(String, String)],
        credential: CredentialUse<'_>,
    ) -> Result<OutboundRequest, Failure> {
        let mut headers = headers::for_request(&self.headers, credential);
        self.auth.set_headers(&mut headers, credential)?;
        let endpoint = EndpointTemplate::compile(&self.address(variables)?).ok_or_else(invalid_address)?;
        let uri = endpoint.build_uri(&[], &[], self.auth.in_url(credential)).map_err(|_| invalid_address())?;
        Ok(OutboundRequest { method: self.method.clone(), uri, headers, body: bytes::Bytes::new() })
    }

    /// Variables come from untrusted clients: they must not lead to a parent path or another origin.
    fn address(&self, variables: &[(String, String)]) -> Result<String, Failure> {
        if variables.iter().any(|(_, value)| has_dot_segment(value)) {
            return Err(invalid_address());
        }
        match &self.address {
            FetchAddress::WpQuery(config) => wp_query::request_url(config, variables).map_err(|error| {
                Failure::new(FailureReason::BadArguments, format!("the resource URI is not usable: {error}"))
                    .with_advice(OTHER_VALUES_ADVICE)
                    .with_model_advice(OTHER_VALUES_ADVICE)
            }),
            FetchAddress::Template(template) => {
                let values: Variables = variables.iter().cloned().collect();
                let expanded = template.expand(&values);
                let is_same_origin =
                    origin(&expanded).is_some() && origin(&expanded) == origin(&template.expand(&Variables::new()));
                if is_same_origin { Ok(expanded) } else { Err(invalid_address()) }
            }
        }
    }
}

/// Whether a value contains a `.` or `..` segment.
fn has_dot_segment(value: &str) -> bool {
    let decoded = percent_decode_str(value).decode_utf8_lossy();
    decoded.split(['/', '\\']).any(|segment| matches!(segment, "." | ".."))
}

fn origin(address: &str) -> Option<url::Origin> {
    url::Url::parse(address).ok().map(|url| url.origin()).filter(url::Origin::is_tuple)
}

fn invalid_address() -> Failure {
    Failure::new(FailureReason::BadArguments, "the variables of this resource URI do not form a valid upstream URL")
        .with_advice(OTHER_VALUES_ADVICE)
        .with_model_advice(OTHER_VALUES_ADVICE)
}

fn config_text(config: &Members, key: &str) -> Option<String> {
    config.get(key).and_then(|value| json::as_string(value)).filter(|text| !text.is_empty())
}

fn config_seconds(config: &Members, key: &str) -> Option<Duration> {
    config.get(key).and_then(|value| serde_json::from_str(value.get()).ok()).map(Duration::from_secs)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use toolgate_domain::data_source::DataSourceType;
    use toolgate_domain::ids::{ResourceId, ServerId};
    use toolgate_domain::resource::ResourceSpec;
    use toolgate_domain::time::Timestamp;

    pub(crate) fn fetch(kind: DataSourceType, config: &str) -> CompiledFetch {
        let mut spec = ResourceSpec::new("x://y".into(), "n".into());
        spec.data_source_type = kind;
        spec.data_source_config = JsonObject::from_stored(config.into());
        let epoch = Timestamp::from_millis(0);
        let resource =
            Resource { id: ResourceId(1), server_id: ServerId(1), created_at: epoch, updated_at: epoch, spec };
        let secrets = Secrets::default();
        match kind {
            DataSourceType::Url => CompiledFetch::url(&resource, Ok(&secrets)).unwrap(),
            _ => CompiledFetch::wp_query(&resource, Ok(&secrets)).unwrap(),
        }
    }

    fn uri(fetch: &CompiledFetch, id: &str) -> Result<String, Failure> {
        fetch.request(&[("id".to_owned(), id.to_owned())], CredentialUse::Stored).map(|request| request.uri.to_string())
    }

    #[test]
    fn variables_fill_the_url_and_cannot_change_its_path() {
        let simple = fetch(DataSourceType::Url, r#"{"url":"http://127.0.0.1/u/{id}/x{?q}"}"#);
        assert_eq!(uri(&simple, "a/b?c").unwrap(), "http://127.0.0.1/u/a%2Fb%3Fc/x");
        let reserved = fetch(DataSourceType::Url, r#"{"url":"http://127.0.0.1/u/{+id}"}"#);
        assert_eq!(uri(&reserved, "a/b").unwrap(), "http://127.0.0.1/u/a/b");
        for bad in ["..", ".", "../x", "a/../../b", "%2e%2e/x", "a\\..\\b"] {
            assert!(uri(&reserved, bad).is_err() && uri(&simple, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_wp_query_becomes_a_url_of_the_site() {
        let posts = fetch(DataSourceType::WpQuery, r#"{"site_url":"http://127.0.0.1","query":{"s":"{{id}}"}}"#);
        assert_eq!(uri(&posts, "a&b").unwrap(), "http://127.0.0.1/wp-json/wp/v2/posts?search=a%26b");
    }

    #[test]
    fn a_resource_without_its_credential_sends_nothing() {
        let bearer = fetch(DataSourceType::Url, r#"{"url":"http://127.0.0.1/","auth_type":"bearer"}"#);
        assert_eq!(uri(&bearer, "1").unwrap_err().reason, FailureReason::BadCredential);
    }
}
