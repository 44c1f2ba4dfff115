//! URLs that are stored and shown unencrypted, so they must not contain secrets.

use toolgate_domain::fault::Fault;
use toolgate_domain::headers::is_secret;
use url::Url;

/// Refuses a URL with a password or a key; `instead` is the argument for secrets.
pub(in crate::routes) fn check_stored_url(field: &str, text: &str, instead: &str) -> Result<(), Fault> {
    let Ok(url) = Url::parse(text) else { return Ok(()) };
    if !url.username().is_empty() || url.password().is_some() {
        let message = format!("{field} must not contain a user name or password; send them in {instead}.");
        return Err(Fault::invalid_value(field, message));
    }
    let mut names = url.query_pairs().map(|(name, _)| name);
    let Some(name) = names.find(|name| is_secret(name)) else { return Ok(()) };
    let message = format!(
        "{field} must not contain a secret, because it is stored unencrypted: send the query parameter {name} in \
         {instead}, or send the document itself."
    );
    Err(Fault::invalid_value(field, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_keys_are_refused_and_other_parameters_are_not() {
        for bad in ["https://u:p@a.example/", "https://u@a.example/", "https://a.example/d?v=1&access_token=x"] {
            assert!(check_stored_url("url", bad, "url_headers").is_err(), "{bad}");
        }
        for good in ["https://a.example/d?v=1&format=json", "{{host}}/v1", "/v1"] {
            assert!(check_stored_url("url", good, "url_headers").is_ok(), "{good}");
        }
    }
}
