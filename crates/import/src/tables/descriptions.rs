//! Descriptions of arguments by their names, in snake case. Names that share a description are in one row.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The purpose of an argument, on which the meaning of some names depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Identifies the object of the request, as a part of the path does.
    Identifying,
    /// Filters or formats the data that is read.
    Reading,
    /// Becomes part of the data that is written.
    Writing,
}

/// Rows of names, separated by spaces, and their description.
type DescriptionRows = [(&'static str, &'static str)];
/// Descriptions by name.
type DescriptionIndex = LazyLock<HashMap<&'static str, &'static str>>;

/// The description of an argument; `None` if its name is not in the tables.
pub(crate) fn describe(name: &str, purpose: Purpose) -> Option<&'static str> {
    static IDENTIFYING: DescriptionIndex = LazyLock::new(|| index(&[]));
    static READING: DescriptionIndex = LazyLock::new(|| index(&WHEN_READING));
    static WRITING: DescriptionIndex = LazyLock::new(|| index(&WHEN_WRITING));
    let index = match purpose {
        Purpose::Identifying => &IDENTIFYING,
        Purpose::Reading => &READING,
        Purpose::Writing => &WRITING,
    };
    index.get(name).copied()
}

/// Joins the rows for one purpose with those that always apply. The former take precedence.
fn index(special: &DescriptionRows) -> HashMap<&'static str, &'static str> {
    let mut index = HashMap::new();
    for (names, description) in special.iter().chain(&ALWAYS) {
        for name in names.split(' ') {
            index.entry(name).or_insert(*description);
        }
    }
    index
}

/// Descriptions of parameters of a reading request.
const WHEN_READING: [(&str, &str); 11] = [
    ("page page_number", "Page number, from 1"),
    (
        "limit per_page page_size max_results max_records count first rows top top_k top_n size",
        "Maximum number of results",
    ),
    ("offset skip", "Number of results to skip"),
    ("fields", "Fields to return"),
    ("state status", "State to filter by"),
    ("labels", "Labels to filter by"),
    ("tags", "Tags to filter by"),
    ("q", "Search text"),
    ("direction sort_order", "Sort direction"),
    ("origin", "Start of the route"),
    ("destination", "End of the route"),
];

/// Descriptions of parameters of a writing request.
const WHEN_WRITING: [(&str, &str); 5] = [
    ("to", "Recipient"),
    ("cc", "Recipients of a copy"),
    ("from", "Sender"),
    ("body", "Main text"),
    ("state status", "New state"),
];

/// Descriptions of parameters of any request, and of path arguments.
const ALWAYS: [(&str, &str); 88] = [
    ("jql", "Search expression in JQL"),
    ("cursor start_cursor page_token next_token", "Cursor from the previous response"),
    ("starting_after", "Id of the last result of the previous page"),
    ("search term", "Search text"),
    ("query", "Search text or expression"),
    ("sort", "Field or order to sort by"),
    ("sort_by order_by", "Field to sort by"),
    ("order", "Order of the results"),
    ("select", "Fields to return"),
    ("expand include", "Related objects to include"),
    ("filter", "Filter expression"),
    ("format output response_format", "Response format"),
    ("lang language", "Language code"),
    ("locale", "Language and region code"),
    ("units", "Units of measurement"),
    ("timezone time_zone tz", "Time zone, such as Europe/Berlin"),
    ("since start_time start", "Start of the period"),
    ("start_date from_date", "First day of the period"),
    ("until end_time end", "End of the period"),
    ("end_date to_date", "Last day of the period"),
    ("step interval", "Time between two points"),
    ("date", "Date, as YYYY-MM-DD"),
    ("days", "Number of days"),
    ("year", "Four-digit year"),
    ("lat latitude", "Latitude in degrees"),
    ("lon lng longitude", "Longitude in degrees"),
    ("latlng", "Latitude and longitude, separated by a comma"),
    ("radius", "Search radius in meters"),
    ("address", "Postal address"),
    ("city", "Name of the city"),
    ("country", "Country code"),
    ("postal_code zip", "Postal code"),
    ("email email_address", "Email address"),
    ("phone phone_number", "Phone number with country code"),
    ("url", "Web address"),
    ("callback_url webhook_url", "URL that receives the notifications"),
    ("amount", "Amount of money"),
    ("unit_amount", "Price of one unit"),
    ("currency", "Currency code, such as usd"),
    ("quantity", "Number of units"),
    ("symbol", "Ticker symbol"),
    ("model", "Name of the model"),
    ("messages", "Messages of the conversation, oldest first"),
    ("prompt", "Instruction for the model"),
    ("system", "Instructions for the whole conversation"),
    ("temperature", "Randomness of the output; 0 is the least"),
    ("max_tokens max_completion_tokens", "Maximum number of tokens to generate"),
    ("top_p", "Share of the probable tokens to choose from"),
    ("n", "Number of results"),
    ("stream", "Whether to send the response in parts"),
    ("voice", "Voice of the spoken text"),
    ("subject", "Subject line"),
    ("html", "Content as HTML"),
    ("channel", "Channel to use"),
    ("chat_id", "Chat or channel, by id or name"),
    ("parse_mode", "Markup of the text, such as HTML"),
    ("blocks", "Layout blocks of the message"),
    ("thread_ts", "Timestamp of the message to reply to"),
    ("caption", "Text shown with the media"),
    ("assignees", "Users to assign"),
    ("milestone", "Number of the milestone"),
    ("ttl", "Time to live in seconds"),
    ("metadata", "Your own keys and values"),
    ("idempotency_key", "Unique key of this request; repeating it repeats no action"),
    ("first_name", "Given name"),
    ("last_name", "Family name"),
    ("scope", "Permissions to request"),
    ("client_id", "Id of the client application"),
    ("redirect_uri", "URL to return to after sign-in"),
    ("owner", "User or organization that owns it"),
    ("repo", "Name of the repository"),
    ("org", "Name of the organization"),
    ("branch", "Name of the branch"),
    ("ref", "Branch, tag or commit"),
    ("sha", "Hash of the commit or file"),
    ("path", "Path of the file"),
    ("index", "Name of the index"),
    ("database", "Name of the database"),
    ("bucket", "Name of the bucket"),
    ("namespace", "Name of the namespace"),
    ("domain", "Domain name"),
    ("width", "Width in pixels"),
    ("height", "Height in pixels"),
    ("private", "Whether only members can see it"),
    ("draft", "Whether it is a draft"),
    ("dry_run", "Whether to only check the request"),
    ("recursive", "Whether to include everything below"),
    ("ids", "Ids, separated by commas"),
];
