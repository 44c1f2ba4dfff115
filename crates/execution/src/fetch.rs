//! A resource whose content lies elsewhere: one request, with the variables of the address it was read by.

use std::time::Duration;

use http::{HeaderMap, Method};
use percent_encoding::percent_decode_str;
use toolgate_domain::call::FailureReason;
use toolgate_domain::headers::PlainHeaders;
use toolgate_domain::json::{self, JsonObject, Members};
use toolgate_domain::resource::Resource;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::upstream_auth::AuthType;
use toolgate_domain::uri_template::{UriTemplate, Variables};
use toolgate_domain::wp_query;

use crate::Failure;
use crate::egress::OutboundRequest;
use crate::errand::Errand;
use crate::tool::auth::{Auth, CredentialUnavailable, Injected};
use crate::tool::headers;
use crate::tool::url::Endpoint;

const TIMEOUT: Duration = Duration::from_secs(30);

const OTHER_VALUES: &str = "Read the resource at an address with other values.";

/// A resource ready to be fetched.
#[derive(Debug)]
pub struct CompiledFetch {
    id: i64,
    revision: i64,
    address: Address,
    method: Method,
    headers: HeaderMap,
    auth: Auth,
    timeout: Duration,
    cache_ttl: Duration,
}

#[derive(Debug)]
enum Address {
    Template(UriTemplate),
    WpQuery(JsonObject),
}

impl CompiledFetch {
    /// A `url` resource.
    pub fn url(resource: &Resource, secrets: Result<&Secrets, CredentialUnavailable>) -> Result<Self, String> {
        let config = resource.spec.data_source_config.members();
        let url = text(&config, "url").unwrap_or_default();
        let template = UriTemplate::parse(&url).map_err(|error| error.to_string())?;
        Ok(Self::compile(resource, &config, Address::Template(template), secrets))
    }

    /// A `wp_query` resource.
    pub fn wp_query(resource: &Resource, secrets: Result<&Secrets, CredentialUnavailable>) -> Result<Self, String> {
        let config = &resource.spec.data_source_config;
        wp_query::request_url(config, &[]).map_err(|error| error.to_string())?;
        Ok(Self::compile(resource, &config.members(), Address::WpQuery(config.clone()), secrets))
    }

    fn compile(
        resource: &Resource,
        config: &Members,
        address: Address,
        secrets: Result<&Secrets, CredentialUnavailable>,
    ) -> Self {
        let method = text(config, "method").unwrap_or_default().to_ascii_uppercase();
        let (headers, auth) = credentials(config, secrets).unwrap_or((HeaderMap::new(), Auth::Unavailable));
        Self {
            id: resource.id.0,
            revision: resource.updated_at.as_millis(),
            address,
            method: Method::from_bytes(method.as_bytes()).unwrap_or(Method::GET),
            headers,
            auth,
            timeout: seconds(config, "timeout").unwrap_or(TIMEOUT),
            cache_ttl: seconds(config, "cache_ttl").unwrap_or_default(),
        }
    }

    pub(crate) fn errand<'a>(&'a self, variables: &'a [(String, String)]) -> Errand<'a> {
        Errand {
            scope: (b'r', self.id, self.revision),
            auth: &self.auth,
            timeout: self.timeout,
            cache_ttl: self.cache_ttl,
            retry_count: 0,
            build: Box::new(move |injected| self.request(variables, injected)),
        }
    }

    fn request(&self, variables: &[(String, String)], injected: Injected<'_>) -> Result<OutboundRequest, Failure> {
        let mut headers = self.headers.clone();
        if matches!(injected, Injected::Masked) {
            headers::mask(&mut headers);
        }
        self.auth.set_header(&mut headers, injected)?;
        let endpoint = Endpoint::compile(&self.address(variables)?).ok_or_else(bad_address)?;
        let uri = endpoint.address(&[], &[], self.auth.in_query(injected)).map_err(|_| bad_address())?;
        Ok(OutboundRequest { method: self.method.clone(), uri, headers, body: bytes::Bytes::new() })
    }

    /// Variables come from strangers: they can neither climb in the path nor lead elsewhere.
    fn address(&self, variables: &[(String, String)]) -> Result<String, Failure> {
        if variables.iter().any(|(_, value)| climbs(value)) {
            return Err(bad_address());
        }
        match &self.address {
            Address::WpQuery(config) => wp_query::request_url(config, variables).map_err(|error| {
                Failure::new(FailureReason::BadArguments, format!("the address is not usable: {error}"))
                    .advising(OTHER_VALUES)
            }),
            Address::Template(template) => {
                let given =
                    variables.iter().fold(Variables::new(), |all, (name, value)| all.with(name, value.as_str()));
                let expanded = template.expand(&given);
                let is_same =
                    origin(&expanded).is_some() && origin(&expanded) == origin(&template.expand(&Variables::new()));
                if is_same { Ok(expanded) } else { Err(bad_address()) }
            }
        }
    }
}

/// Whether a value holds a segment that leads out of its place.
fn climbs(value: &str) -> bool {
    let decoded = percent_decode_str(value).decode_utf8_lossy();
    decoded.split(['/', '\\']).any(|segment| matches!(segment, "." | ".."))
}

fn origin(address: &str) -> Option<url::Origin> {
    url::Url::parse(address).ok().map(|url| url.origin()).filter(url::Origin::is_tuple)
}

fn bad_address() -> Failure {
    Failure::new(FailureReason::BadArguments, "the variables of this address lead to no valid upstream address")
        .advising(OTHER_VALUES)
}

fn credentials(
    config: &Members,
    secrets: Result<&Secrets, CredentialUnavailable>,
) -> Result<(HeaderMap, Auth), CredentialUnavailable> {
    let secrets = secrets?;
    let plain: PlainHeaders =
        config.get("headers").and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default();
    let auth_type = text(config, "auth_type").and_then(|name| AuthType::parse(&name)).unwrap_or(AuthType::None);
    Ok((headers::constant(&plain, secrets)?, Auth::compile(auth_type, secrets.credentials.as_ref())))
}

fn text(config: &Members, key: &str) -> Option<String> {
    config.get(key).and_then(|value| json::as_string(value)).filter(|text| !text.is_empty())
}

fn seconds(config: &Members, key: &str) -> Option<Duration> {
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
        let at = Timestamp::from_millis(0);
        let resource = Resource { id: ResourceId(1), server_id: ServerId(1), created_at: at, updated_at: at, spec };
        let secrets = Secrets::default();
        match kind {
            DataSourceType::Url => CompiledFetch::url(&resource, Ok(&secrets)).unwrap(),
            _ => CompiledFetch::wp_query(&resource, Ok(&secrets)).unwrap(),
        }
    }

    fn uri(fetch: &CompiledFetch, id: &str) -> Result<String, Failure> {
        fetch.request(&[("id".to_owned(), id.to_owned())], Injected::Own).map(|request| request.uri.to_string())
    }

    #[test]
    fn variables_fill_the_address_and_stay_in_their_place() {
        let simple = fetch(DataSourceType::Url, r#"{"url":"http://127.0.0.1/u/{id}/x{?q}"}"#);
        assert_eq!(uri(&simple, "a/b?c").unwrap(), "http://127.0.0.1/u/a%2Fb%3Fc/x");
        let reserved = fetch(DataSourceType::Url, r#"{"url":"http://127.0.0.1/u/{+id}"}"#);
        assert_eq!(uri(&reserved, "a/b").unwrap(), "http://127.0.0.1/u/a/b");
        for bad in ["..", ".", "../x", "a/../../b", "%2e%2e/x", "a\\..\\b"] {
            assert!(uri(&reserved, bad).is_err() && uri(&simple, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_query_to_a_site_becomes_its_address() {
        let posts = fetch(DataSourceType::WpQuery, r#"{"site_url":"http://127.0.0.1","query":{"s":"{{id}}"}}"#);
        assert_eq!(uri(&posts, "a&b").unwrap(), "http://127.0.0.1/wp-json/wp/v2/posts?search=a%26b");
    }

    #[test]
    fn without_its_credential_nothing_is_asked() {
        let bearer = fetch(DataSourceType::Url, r#"{"url":"http://127.0.0.1/","auth_type":"bearer"}"#);
        assert_eq!(uri(&bearer, "1").unwrap_err().reason, FailureReason::BadCredential);
    }
}
