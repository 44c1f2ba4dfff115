//! Chooses the credential of a tool from the security requirements of its operation.

mod scheme;

use std::cell::RefCell;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgate_domain::upstream_auth::{AuthType, KEYS_MAX, KeyLocation};

use crate::api::document::DocumentKind;
use crate::api::openapi::operation::ApiOperation;
use crate::api::openapi::servers::ServerChoice;
use crate::api::pointer::Pointer;
use crate::api::problem::ApiWarning;
use crate::api::reference::{Located, ReferenceResolver};
use crate::api::report::SecurityScheme;
use crate::naming::{UniqueNames, to_argument_name, truncate};

use scheme::{SchemeKind, SchemeUse};

/// Maximum length of the name of a credential.
const CREDENTIAL_NAME_MAX: usize = 64;

/// The security schemes of a document, and the credentials that its tools use.
pub(super) struct SecuritySchemes<'a> {
    schemes: IndexMap<&'a str, SchemeKind>,
    /// The `security` of the document, for operations without their own.
    root: Option<Located<'a>>,
    /// Names of the schemes for which the owner has credentials.
    available: &'a [String],
    /// Credentials by the names of their schemes, in the order of the reply.
    credentials: RefCell<IndexMap<Vec<String>, SecurityScheme>>,
    names: RefCell<UniqueNames>,
}

/// The authentication of one tool.
#[derive(Debug)]
pub(super) struct ToolAuth {
    pub(super) auth_type: AuthType,
    /// The name of the credential.
    pub(super) credential: Option<String>,
    /// The keys that the credential sends: parameters of the same name are not arguments.
    pub(super) keys: Vec<(KeyLocation, String)>,
    pub(super) warnings: Vec<ApiWarning>,
}

/// One of the alternatives in `security`. A request must satisfy all of its schemes.
struct SecurityAlternative<'s> {
    schemes: Vec<(&'s str, Option<&'s SchemeKind>)>,
    scopes: Vec<&'s str>,
    pointer: Pointer,
}

impl<'a> SecuritySchemes<'a> {
    pub(super) fn read(
        resolver: &ReferenceResolver<'a>,
        kind: DocumentKind,
        servers: &ServerChoice<'a>,
        available: &'a [String],
    ) -> Self {
        let root = resolver.root();
        let defined = match kind {
            DocumentKind::Swagger20 => root.member("securityDefinitions"),
            _ => root.member("components").and_then(|components| components.member("securitySchemes")),
        };
        let mut schemes = IndexMap::new();
        for (name, scheme) in defined.iter().flat_map(Located::members) {
            let kind = resolver.resolve(scheme).map_or(SchemeKind::Unknown, |one| SchemeKind::read(&one, servers));
            schemes.insert(name, kind);
        }
        let all = Self {
            schemes,
            root: root.member("security"),
            available,
            credentials: RefCell::default(),
            names: RefCell::default(),
        };
        for (name, scheme) in &all.schemes {
            all.credential(&[(name, scheme)], &[]);
        }
        all
    }

    /// The credentials for the reply: every scheme, and the combinations that tools use.
    pub(super) fn into_report(self) -> Vec<SecurityScheme> {
        self.credentials.into_inner().into_values().collect()
    }

    /// The authentication of an operation.
    pub(super) fn for_operation(&self, operation: &ApiOperation<'a>) -> ToolAuth {
        let Some(security) = operation.operation.member("security").or_else(|| self.root.clone()) else {
            return ToolAuth::none();
        };
        let alternatives: Vec<SecurityAlternative<'_>> = security.items().map(|item| self.alternative(&item)).collect();
        let is_optional = alternatives.iter().any(|one| one.schemes.is_empty());
        let is_available = |one: &&SecurityAlternative<'_>| !one.schemes.is_empty() && self.is_available(one);
        let supported = || alternatives.iter().filter(|one| one.is_supported());
        let chosen = supported().find(is_available).or_else(|| {
            let first = supported().next().or(alternatives.first());
            first.filter(|_| !is_optional)
        });
        match chosen {
            Some(alternative) if !alternative.schemes.is_empty() => self.auth(alternative),
            _ => ToolAuth::none(),
        }
    }

    fn alternative<'s>(&'s self, requirement: &Located<'a>) -> SecurityAlternative<'s>
    where
        'a: 's,
    {
        let names = requirement.value.as_object().into_iter().flatten();
        let scopes = names.clone().filter_map(|(_, scopes)| scopes.as_array()).flatten().filter_map(Value::as_str);
        SecurityAlternative {
            scopes: scopes.collect(),
            schemes: names.map(|(name, _)| (name.as_str(), self.schemes.get(name.as_str()))).collect(),
            pointer: requirement.pointer.clone(),
        }
    }

    fn is_available(&self, alternative: &SecurityAlternative<'_>) -> bool {
        alternative.schemes.iter().all(|(name, _)| self.available.iter().any(|available| available == name))
    }

    /// The authentication with the schemes of an alternative that tools support.
    fn auth(&self, alternative: &SecurityAlternative<'_>) -> ToolAuth {
        let mut warnings = Vec::new();
        let mut warn = |code: &'static str, message: String| {
            warnings.push(ApiWarning { code, message, pointer: alternative.pointer.clone() });
        };
        let mut used: Vec<(&str, &SchemeKind)> = Vec::new();
        for (name, scheme) in &alternative.schemes {
            match scheme {
                None => warn("auth_unsupported", format!("The security scheme '{name}' is not defined.")),
                Some(SchemeKind::Unknown) => {
                    warn("auth_unsupported", format!("Tools cannot authenticate with the security scheme '{name}'."));
                }
                Some(scheme) => used.push((name, scheme)),
            }
        }
        retain_one_bearer_scheme(&mut used);
        for (name, _) in used.iter().filter(|(_, scheme)| scheme.needs_token(used.len())) {
            let message = format!("Toolgate cannot get tokens for '{name}' by itself; give it a token that is valid.");
            warn("oauth2_flow", message);
        }
        if used.len() > 1 && !is_combinable(&used) {
            let message = "Tools cannot use the security schemes of this requirement together; the first is used.";
            warn("auth_unsupported", message.to_owned());
            used.truncate(1);
        }
        if used.is_empty() {
            return ToolAuth { warnings, ..ToolAuth::none() };
        }
        let (auth_type, name) = self.credential(&used, &alternative.scopes);
        let keys = used.iter().filter_map(|(_, scheme)| scheme.key()).collect();
        ToolAuth { auth_type, credential: Some(name), keys, warnings }
    }

    /// An unused name. Names of credentials are unique regardless of case.
    fn unique_name(&self, wanted: &str) -> String {
        let lower = wanted.to_ascii_lowercase();
        let free = self.names.borrow_mut().take(&lower);
        if free == lower { wanted.to_owned() } else { free }
    }

    /// The credential for these schemes, with the scopes of all tools that use it.
    fn credential(&self, used: &[(&str, &SchemeKind)], scopes: &[&str]) -> (AuthType, String) {
        let schemes: Vec<String> = used.iter().map(|(name, _)| (*name).to_owned()).collect();
        let mut credentials = self.credentials.borrow_mut();
        let credential = credentials.entry(schemes.clone()).or_insert_with(|| {
            let wanted = truncate(&to_argument_name(&schemes.join("_and_")), CREDENTIAL_NAME_MAX);
            let name = self.unique_name(&wanted);
            let SchemeUse { auth_type, needs, auth_credentials } = SchemeUse::new(used);
            let schemes = if schemes == [name.clone()] { Vec::new() } else { schemes.clone() };
            let supported = auth_type != AuthType::None;
            SecurityScheme { name, auth_type, needs, supported, auth_credentials, schemes }
        });
        if credential.auth_type == AuthType::OAuth2 {
            add_scopes(&mut credential.auth_credentials, scopes);
        }
        (credential.auth_type, credential.name.clone())
    }
}

impl SecurityAlternative<'_> {
    /// Whether tools can authenticate with all of its schemes together.
    fn is_supported(&self) -> bool {
        let known: Option<Vec<(&str, &SchemeKind)>> =
            self.schemes.iter().map(|(name, scheme)| Some((*name, (*scheme)?))).collect();
        known.is_some_and(|mut known| {
            retain_one_bearer_scheme(&mut known);
            known.iter().all(|(_, scheme)| !matches!(scheme, SchemeKind::Unknown))
                && (known.len() <= 1 || is_combinable(&known))
        })
    }
}

impl ToolAuth {
    fn none() -> Self {
        Self { auth_type: AuthType::None, credential: None, keys: Vec::new(), warnings: Vec::new() }
    }
}

/// Removes all but one of the schemes that send a bearer token, because they describe ways to get the same token. A
/// scheme whose tokens tools can fetch is preferred.
fn retain_one_bearer_scheme(used: &mut Vec<(&str, &SchemeKind)>) {
    let bearer_schemes = || used.iter().filter(|(_, scheme)| scheme.is_bearer());
    let fetched = bearer_schemes().find(|(_, scheme)| matches!(scheme, SchemeKind::ClientCredentials { .. }));
    let Some((retained, _)) = fetched.or_else(|| bearer_schemes().next()).copied() else { return };
    used.retain(|(name, scheme)| !scheme.is_bearer() || *name == retained);
}

/// Whether several schemes can be sent as API keys of one credential: no two of them set the same header, query
/// parameter or cookie.
fn is_combinable(used: &[(&str, &SchemeKind)]) -> bool {
    let mut targets: Vec<(KeyLocation, String)> = used.iter().filter_map(|(_, scheme)| scheme.target()).collect();
    let count = targets.len();
    targets.sort_by(|a, b| (a.0.as_str(), &a.1).cmp(&(b.0.as_str(), &b.1)));
    targets.dedup();
    count == used.len() && targets.len() == count && count <= KEYS_MAX
}

/// Adds scopes to the `scope` of an OAuth 2 credential.
fn add_scopes(auth_credentials: &mut Map<String, Value>, scopes: &[&str]) {
    let known = auth_credentials.get("scope").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut all: Vec<&str> = known.split_whitespace().collect();
    for scope in scopes.iter().filter(|scope| !scope.is_empty()) {
        if !all.contains(scope) {
            all.push(scope);
        }
    }
    if !all.is_empty() {
        auth_credentials.insert("scope".to_owned(), all.join(" ").into());
    }
}
