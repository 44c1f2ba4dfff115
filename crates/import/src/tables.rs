//! The word lists of inference. The rules that use them are in `tests/corpus/RULES.md`, under the same names.

pub(crate) mod descriptions;

use std::collections::HashSet;
use std::sync::OnceLock;

/// Words separated by spaces. A word that ends in `*` stands for all words with this prefix.
pub(crate) struct WordList {
    text: &'static str,
    /// Built at the first use. A command with thousands of names searches the lists tens of thousands of times.
    index: OnceLock<WordIndex>,
}

/// The words of a list.
struct WordIndex {
    words: HashSet<&'static str>,
    prefixes: Vec<&'static str>,
}

impl WordList {
    const fn new(text: &'static str) -> Self {
        Self { text, index: OnceLock::new() }
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        let index = self.index.get_or_init(|| WordIndex {
            words: self.text.split(' ').filter(|word| !word.ends_with('*')).collect(),
            prefixes: self.text.split(' ').filter_map(|word| word.strip_suffix('*')).collect(),
        });
        index.words.contains(word) || index.prefixes.iter().any(|prefix| word.starts_with(prefix))
    }
}

/// Members of a body that an API usually requires.
pub(crate) static REQUIRED_IN_BODY: WordList = WordList::new(
    "id ref branch payload personalizations text content message messages body subject title name summary input \
     prompt query q question to from recipient recipients channel email email_address phone phone_number url \
     webhook_url address amount currency quantity price unit_amount value type event start end date line_items \
     items records fields properties parent data values documents inputs uri uris source destination key \
     idempotency_key",
);
/// Query parameters that an API usually requires in a reading request, unless it lists a collection.
pub(crate) static REQUIRED_IN_QUERY: WordList = WordList::new(
    "q query search term text address latlng lat lon lng latitude longitude origin destination url symbol ids jql \
     domain ip place_id channel user db database",
);
/// Parameters that may have a default in any request: sending them unasked is harmless.
pub(crate) static DEFAULT_ALWAYS: WordList = WordList::new(
    "model temperature top_p max_tokens max_completion_tokens n stream parse_mode voice quality encoding_format \
     response_format",
);
/// Parameters that may have a default in reading requests and reading bodies.
pub(crate) static DEFAULT_WHEN_READING: WordList = WordList::new(
    "limit per_page page_size max_results max_records count size top top_k top_n rows num results sort sort_by order order_by \
     direction sort_order format output units lang language locale hl timezone tz pretty encoding include expand \
     fields select embed view api_version alt response_format",
);
/// Query parameters that may have a default in writing requests.
pub(crate) static DEFAULT_WHEN_WRITING: WordList = WordList::new("api_version version format output pretty timezone");
/// Names that look secret but are not.
pub(crate) static HARMLESS_NAMES: WordList = WordList::new("page_token next_token continuation_token keyword keywords");
/// Members of a body that select the operation or the protocol.
pub(crate) static FIXED_IN_BODY: WordList = WordList::new("grant_type jsonrpc");
/// Query parameters that select the operation. They stay in the URL.
pub(crate) static FIXED_IN_QUERY: WordList = WordList::new("action function method");
/// Query parameters that are credentials.
pub(crate) static CREDENTIALS_IN_QUERY: WordList = WordList::new(
    "token access_token auth_token api_token user_token private_token key api_key apikey auth_key app_key \
     access_key secret_key subscription_key secret api_secret client_secret appid app_id auth sig signature \
     x_amz_signature x_amz_security_token x_goog_signature dev_key developer_key license_key \
     ocp_apim_subscription_key",
);
/// Headers of browsers, caches and tracing, in lower case.
pub(crate) static NOISE_HEADERS: WordList = WordList::new(
    "accept-language accept-encoding user-agent referer origin priority pragma cache-control dnt \
     upgrade-insecure-requests connection te traceparent tracestate baggage sentry-trace x-request-id \
     x-amzn-trace-id newrelic if-none-match if-modified-since sec-* x-b3-* x-datadog-* \
     x-client-data x-client-version x-client-info x-client-trace-id x-client-transaction-id x-client-uuid",
);
/// Query parameters of caches and campaigns.
pub(crate) static NOISE_QUERY: WordList =
    WordList::new("_ cb cachebust cachebuster nocache gclid fbclid msclkid utm_*");
/// Cookies of analytics and consent banners.
pub(crate) static TRACKING_COOKIES: WordList = WordList::new(
    "_ga _ga_* _gid _gat _gat_* _gcl_* _fbp _fbc _hj* _uet* __utm* _clck _clsk _pk_* ajs_* amplitude_* mp_* \
     optimizely* intercom-* hubspotutk __hs* __hstc _dd_s _scid _ttp _pin_unauth OptanonConsent \
     OptanonAlertBoxClosed CookieConsent euconsent* cookieyes-consent __cf_bm _cfuvid consent",
);
/// Segments that belong to the prefix of a path if they follow its version or `api`.
pub(crate) static PREFIX_SEGMENTS: WordList =
    WordList::new("api apis rest wp-json admin public client objects crm cgi-bin");
/// Single words in capitals that are placeholders.
pub(crate) static PLACEHOLDER_WORDS: WordList =
    WordList::new("OWNER REPO ORG USER USERNAME ID NAME SLUG KEY BRANCH REF TAG SHA PATH DOMAIN");
/// Nouns after which a segment is a value of this name: `/dashboards/uid/abc`.
pub(crate) static SELECTOR_NOUNS: WordList = WordList::new("name uid code slug isbn email username alpha capital");
/// Nouns whose items can have any name, even a plural: `/indexes/movies`.
pub(crate) static NAMED_COLLECTIONS: WordList =
    WordList::new("indexes indices collections tables buckets topics queues datasets databases deployments functions");
/// Words after a plural noun that are not slugs: `/users/me`.
pub(crate) static WORDS_THAT_ARE_NO_SLUGS: WordList = WordList::new(
    "me self current latest all new open closed active archived count batch bulk health status stats summary \
     settings config info details metadata history usage balance image avatar logo token random top trending \
     popular recent featured starred shared public private mine db env spot feed profile",
);
/// Nouns that are left out of a name unless they are its last noun.
pub(crate) static CONTAINER_NOUNS: WordList = WordList::new(
    "repos repositories projects orgs organizations workspaces teams accounts zones namespaces apps sites services guilds \
     channels spaces groups tenants shops bases auth",
);
/// Verbs of reading actions. At the end of a path, they name the tool.
pub(crate) static READING_VERBS: WordList = WordList::new(
    "autocomplete calculate convert count download export fetch filter find get list lookup ping preview query \
     read search sync test translate validate verify",
);
/// Verbs of writing actions. At the end of a path, they name the tool.
pub(crate) static WRITING_VERBS: WordList = WordList::new(
    "accept acknowledge activate add append approve archive assign attach authenticate authorize block build call cancel capture \
     charge clone close complete confirm copy create deactivate decline delete deploy detach disable dispatch duplicate enable enqueue \
     execute follow generate import invite invoke join leave like lock login logout merge move mute open pause pay \
     play post poweroff poweron predict process promote publish purge put reboot refresh refund register reject \
     remove rename reopen reply rerank rerun resend reset resize resolve restart restore resume retry revoke \
     rollback rotate run scale send set share sign signin signout signup snooze start stop submit subscribe \
     suspend terminate transcribe transfer trigger unarchive unassign unblock unfollow unlock unmute unpublish unsubscribe update upgrade upload upsert void write",
);
/// Verbs that are also nouns or adjectives. Alone they are verbs only in a POST, PUT or PATCH.
pub(crate) static VERBS_ONLY_WHEN_WRITING: WordList = WordList::new(
    "open close deploy like share complete play process post block lock call copy move read scale sign test",
);
/// Nouns that form the name of a thing with a verb before them: `merge_requests`.
pub(crate) static THINGS_AFTER_VERBS: WordList =
    WordList::new("requests jobs tasks runs rules hooks events logs steps");
/// Verbs whose object stays in the plural.
pub(crate) static VERBS_WITH_PLURAL: WordList =
    WordList::new("search list find query count filter sync import export fetch");

/// Domains of platforms, whose first label names the service: `youtube.googleapis.com`.
pub(crate) static PLATFORM_DOMAINS: WordList =
    WordList::new("googleapis azurewebsites herokuapp cloudfunctions firebaseio supabase pages workers");
/// Irregular plurals with their singulars.
pub(crate) const IRREGULAR_PLURALS: [(&str, &str); 7] = [
    ("movies", "movie"),
    ("cookies", "cookie"),
    ("statuses", "status"),
    ("people", "person"),
    ("children", "child"),
    ("indices", "index"),
    ("data", "data"),
];
/// Plurals that are their own singular.
pub(crate) static INVARIANT_PLURALS: WordList = WordList::new("series species news media");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_contains_its_words_and_all_words_with_its_prefixes() {
        for header in ["te", "sec-fetch-mode", "x-b3-traceid"] {
            assert!(NOISE_HEADERS.contains(header), "{header}");
        }
        for header in ["", "t", "accept", "x-secret", "sec"] {
            assert!(!NOISE_HEADERS.contains(header), "{header}");
        }
    }
}
