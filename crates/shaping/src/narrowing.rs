//! Recognises arguments of a tool that make its responses smaller, by their names.

/// Names of arguments that choose a page, without punctuation.
const PAGE_NAMES: &[&str] = &[
    "page",
    "cursor",
    "offset",
    "start",
    "skip",
    "after",
    "before",
    "from",
    "marker",
    "token",
    "pagetoken",
    "pagenumber",
    "startingafter",
    "nexttoken",
    "nextcursor",
    "startat",
    "continuationtoken",
    "pagecursor",
    "startcursor",
];
/// Names of arguments that make a response smaller, without punctuation, the most effective ones first.
const FILTER_NAMES: &[&str] = &[
    "limit",
    "perpage",
    "pagesize",
    "maxresults",
    "count",
    "size",
    "top",
    "first",
    "rows",
    "num",
    "fields",
    "select",
    "include",
    "filter",
    "filters",
    "q",
    "query",
    "search",
    "since",
    "until",
    "state",
    "status",
    "type",
    "labels",
    "tags",
    "from",
    "to",
    "startdate",
    "enddate",
];

/// The arguments that filter or page: first the filters, the most effective ones first, then the pages; at most
/// `count_max`.
pub fn narrowing_arguments<'a>(arguments: impl IntoIterator<Item = &'a str>, count_max: usize) -> Vec<&'a str> {
    let rank = |name: &str| {
        let letters = letters(name);
        let filter = FILTER_NAMES.iter().position(|filter| *filter == letters);
        filter.or_else(|| PAGE_NAMES.contains(&letters.as_str()).then_some(usize::MAX))
    };
    let mut ranked: Vec<(usize, &str)> = arguments.into_iter().filter_map(|name| Some((rank(name)?, name))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().take(count_max).map(|(_, name)| name).collect()
}

/// Whether an argument chooses a page.
pub(crate) fn is_page_argument(name: &str) -> bool {
    PAGE_NAMES.contains(&letters(name).as_str())
}

/// The lower-case letters and digits of a name.
pub(crate) fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_come_before_pages_and_other_arguments_are_left_out() {
        let arguments = ["page", "owner", "state", "per_page", "Max-Results"];
        assert_eq!(narrowing_arguments(arguments, 9), ["per_page", "Max-Results", "state", "page"]);
        assert_eq!(narrowing_arguments(arguments, 2), ["per_page", "Max-Results"]);
        assert!(narrowing_arguments(["owner", "id"], 9).is_empty());
    }
}
