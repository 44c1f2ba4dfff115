//! Generated requests, which are printed as commands.

use proptest::prelude::*;

use crate::body::GeneratedBody;
use crate::credential::GeneratedCredential;
use crate::text;

/// A request, independent of how the command spells it.
#[derive(Clone, Debug)]
pub(crate) struct GeneratedRequest {
    /// The value of `-X`.
    pub(crate) method: Option<&'static str>,
    pub(crate) url: GeneratedUrl,
    /// Names and values in order; a name may be repeated.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) credentials: Vec<GeneratedCredential>,
    pub(crate) payload: GeneratedBody,
    pub(crate) user_agent: Option<String>,
    pub(crate) referer: Option<String>,
    pub(crate) cookie: Option<(String, String)>,
    /// The value of `--max-time`, in tenths of seconds.
    pub(crate) max_time_tenths: Option<u16>,
    /// Whether JSON is sent with `--json` instead of `-d`.
    pub(crate) uses_json_option: bool,
    /// Whether `-H` sets the content type of a body that is JSON or a form.
    pub(crate) has_content_type: bool,
}

/// The URL of a generated request.
#[derive(Clone, Debug)]
pub(crate) struct GeneratedUrl {
    /// With `://`; empty if the command has none.
    pub(crate) scheme: &'static str,
    pub(crate) host: String,
    pub(crate) path: Vec<GeneratedSegment>,
    /// Pieces between ampersands.
    pub(crate) query: Vec<String>,
    pub(crate) fragment: Option<String>,
}

/// A segment of a path.
#[derive(Clone, Debug)]
pub(crate) enum GeneratedSegment {
    Text(String),
    /// `{name}`, or `{{name}}`.
    Placeholder {
        name: String,
        is_doubled: bool,
    },
}

impl GeneratedRequest {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let method = prop::option::of(prop::sample::select(vec![
            "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "post", "Delete",
        ]));
        let main = (method, GeneratedUrl::any(), headers(), GeneratedCredential::up_to_two(), GeneratedBody::any());
        let extras = (
            prop::option::weighted(0.1, text::trimmed_line()),
            prop::option::weighted(0.1, "https://[a-z]{1,8}\\.example/[a-z?&=]{0,8}"),
            prop::option::weighted(0.1, ("[a-z]{1,6}", "[A-Za-z0-9$!%^&|<>'`\"\\\\-]{0,8}")),
            prop::option::weighted(0.1, 1..600_u16),
            prop::bool::weighted(0.2),
            any::<bool>(),
        );
        (main, extras).prop_map(|((method, url, headers, credentials, payload), extras)| {
            let (user_agent, referer, cookie, max_time_tenths, uses_json_option, has_content_type) = extras;
            let request = Self {
                method,
                url,
                headers,
                credentials,
                payload,
                user_agent,
                referer,
                cookie,
                max_time_tenths,
                uses_json_option,
                has_content_type,
            };
            request.with_content_type()
        })
    }

    /// Adds the header with the type of the body, if the request has one.
    fn with_content_type(mut self) -> Self {
        let content_type = match &self.payload {
            GeneratedBody::Text { content_type, .. } => Some(*content_type),
            GeneratedBody::Json { .. } if self.has_content_type => Some("application/json"),
            GeneratedBody::Form(_) if self.has_content_type => Some("application/x-www-form-urlencoded; charset=UTF-8"),
            _ => None,
        };
        self.headers.extend(content_type.map(|content_type| ("Content-Type".to_owned(), content_type.to_owned())));
        self
    }
}

impl GeneratedUrl {
    fn any() -> impl Strategy<Value = Self> {
        let scheme = prop::sample::select(vec!["https://", "https://", "http://", ""]);
        let host = "[a-z]{1,8}\\.example(:[1-9][0-9]{3})?";
        let pair = "[A-Za-z_$][A-Za-z0-9_.%2$!'*(),;:@/-]{0,6}(=[A-Za-z0-9_.%2$!'*(),;:@/?+=é-]{0,8})?";
        let pair =
            pair.prop_filter("not an API key", |pair| !is_api_key_name(pair.split('=').next().unwrap_or_default()));
        let fragment = prop::option::weighted(0.1, "[a-z/?&=-]{0,6}");
        let path = prop::collection::vec(GeneratedSegment::any(), 0..4);
        (scheme, host, path, prop::collection::vec(pair, 0..4), fragment)
            .prop_map(|(scheme, host, path, query, fragment)| Self { scheme, host, path, query, fragment })
    }
}

impl GeneratedSegment {
    fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            5 => "[A-Za-z0-9_.~!$&'()*+,;=:@%2-]{0,8}".prop_map(Self::Text),
            1 => "[a-zéß漢]{1,4}".prop_map(Self::Text),
            1 => ("[a-z]{1,2}_[a-z]{1,3}", any::<bool>())
                .prop_map(|(name, is_doubled)| Self::Placeholder { name, is_doubled }),
        ]
    }
}

fn headers() -> impl Strategy<Value = Vec<(String, String)>> {
    let unusual_name = "x-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,8}".prop_filter("not an API key", |name| !is_api_key_name(name));
    let usual_name = prop::sample::select(vec!["Accept", "accept-language", "X-Trace", "x-trace", "If-None-Match"]);
    let name = prop_oneof![2 => unusual_name, 1 => usual_name.prop_map(str::to_owned)];
    let value = prop_oneof![5 => text::trimmed_line(), 1 => Just(String::new())];
    prop::collection::vec((name, value), 0..4).prop_map(|mut headers| {
        // An empty value is spelled `Name;`, which sets an empty value only if the name is not repeated.
        let names: Vec<String> = headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        for (name, value) in &mut headers {
            let is_repeated = names.iter().filter(|other| other.eq_ignore_ascii_case(name)).count() > 1;
            if value.is_empty() && is_repeated {
                "v".clone_into(value);
            }
        }
        headers
    })
}

/// Whether the importer takes a header or parameter of this name for an API key.
fn is_api_key_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', '_'], "");
    name.ends_with("apikey")
}
