//! Analyses the path of a request: which of its segments become arguments, and which words name the tool.

mod action;
mod prefix;
mod reader;
mod segment;
mod variables;

use crate::request::path::UrlPath;

/// The analysed path of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathPattern {
    /// The segments of the URL, with placeholders for the arguments.
    pub(crate) segments: Vec<String>,
    /// The arguments, in the order of their placeholders.
    pub(crate) arguments: Vec<PathArgument>,
    /// The meaning of the segments after the prefix for the name of the tool, in order.
    pub(crate) tokens: Vec<PathToken>,
    /// The words of the verb at the end of the path, as in `sendMessage`.
    pub(crate) action: Option<Vec<String>>,
    /// The property that selects an item, as in `/dashboards/uid/abc`.
    pub(crate) selector: Option<String>,
}

/// An argument in the path.
#[derive(Clone, Debug)]
pub(crate) struct PathArgument {
    pub(crate) name: String,
    /// The decoded text in the request; for a placeholder in braces or a shell variable, the argument name.
    pub(crate) text: String,
    /// Whether the request has a placeholder here, from which the type cannot be inferred.
    pub(crate) is_placeholder: bool,
}

/// The meaning of a segment for the name of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathToken {
    /// A word of the path, in snake case.
    Noun(String),
    /// An item of the collection that the preceding noun names.
    Item,
}

impl PathPattern {
    /// Finds the arguments and the words of a path.
    pub(crate) fn analyze(path: &UrlPath, method: &str) -> Self {
        reader::read(path, method, false)
    }

    /// Finds only the words of a path; none of its segments becomes an argument.
    pub(crate) fn fixed(path: &UrlPath, method: &str) -> Self {
        reader::read(path, method, true)
    }

    /// A key that is equal for all paths that differ only in their arguments.
    pub(crate) fn key(&self) -> String {
        let mut key = String::new();
        for segment in &self.segments {
            key.push('/');
            let mut parts = segment.split('{');
            key.push_str(parts.next().unwrap_or_default());
            for part in parts {
                key.push_str("{}");
                key.push_str(part.split_once('}').map_or("", |(_, after)| after));
            }
        }
        key
    }

    /// The last noun.
    pub(crate) fn last_noun(&self) -> Option<&str> {
        self.tokens.iter().rev().find_map(|token| match token {
            PathToken::Noun(noun) => Some(noun.as_str()),
            PathToken::Item => None,
        })
    }

    /// Whether the path ends in an item.
    pub(crate) fn ends_in_item(&self) -> bool {
        self.tokens.last() == Some(&PathToken::Item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(method: &str, path: &str) -> String {
        PathPattern::analyze(&UrlPath::parse(&format!("https://api.example.com{path}")), method).segments.join("/")
    }

    #[test]
    fn ids_slugs_dates_and_placeholders_become_arguments() {
        for (path, expected) in [
            ("/v1/users/42", "v1/users/{user_id}"),
            ("/users/6f9619ff-8b86-d011-b42d-00cf4fc964ff/posts/7", "users/{user_id}/posts/{post_id}"),
            ("/customers/cus_NffrFeUfNV2Hib", "customers/{customer_id}"),
            ("/users/octocat", "users/{user}"),
            ("/users/me", "users/me"),
            ("/users/search", "users/search"),
            ("/reports/2026-01-31", "reports/{date}"),
            ("/repos/octocat/hello/issues/5", "repos/{owner}/{repo}/issues/{issue_id}"),
            ("/dashboards/uid/abc", "dashboards/uid/{uid}"),
            ("/repos/OWNER/REPO", "repos/{owner}/{repo}"),
            ("/users/:id", "users/{id}"),
            ("/users/<user_id>", "users/{user_id}"),
            ("/users/$USER_ID.json", "users/{user_id}.json"),
            ("/users/YOUR_USER_ID", "users/{user_id}"),
            ("/users/user-$USER_ID", "users/user-{user_id}"),
            ("/users/EXAMPLE_USER_ID", "users/{user_id}"),
            ("/categories/1/2", "categories/{category_id}/{id}"),
            ("/1/boards/2", "1/boards/{board_id}"),
            ("/indexes/movies/documents", "indexes/{index}/documents"),
            ("/rooms/lobby/messages.json", "rooms/{room}/messages.json"),
            ("/containers/json", "containers/json"),
            ("/page/summary/Alan_Turing", "page/summary/{name}"),
            ("/odata/Products", "odata/Products"),
            ("/Account/Profile", "Account/Profile"),
            ("/1", "{id}"),
            ("/users/1/users/2", "users/{user_id}/users/{user_id_2}"),
            ("/users/%FF", "users/%FF"),
            ("//users//5/", "/users//{user_id}/"),
        ] {
            assert_eq!(pattern("GET", path), expected, "{path}");
        }
    }

    #[test]
    fn paths_that_differ_in_arguments_have_one_key() {
        let key = |path: &str| PathPattern::analyze(&UrlPath::parse(&format!("http://a{path}")), "GET").key();
        assert_eq!(key("/users/1/x/{id}.json"), "/users/{}/x/{}.json");
        assert_eq!(key("/users/octocat"), key("/users/5"));
        assert_ne!(key("/users/me"), key("/users/5"));
    }
}
