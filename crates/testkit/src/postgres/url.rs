//! Replaces the database name in a URL.

/// The same URL with another database name.
pub(super) fn with_database(url: &str, name: &str) -> String {
    let (address, query) = match url.split_once('?') {
        Some((address, query)) => (address, Some(query)),
        None => (url, None),
    };
    let (server, _) = address.rsplit_once('/').unwrap_or_else(|| panic!("{url} is not a database URL"));
    match query {
        Some(query) => format!("{server}/{name}?{query}"),
        None => format!("{server}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn only_the_name_of_the_database_changes() {
        for (url, expected) in [
            ("postgres://u@h:5/postgres", "postgres://u@h:5/new"),
            ("postgres://u@h/postgres?host=/tmp/a/b", "postgres://u@h/new?host=/tmp/a/b"),
        ] {
            assert_eq!(with_database(url, "new"), expected);
        }
    }
}
