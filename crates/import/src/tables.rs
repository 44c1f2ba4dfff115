//! The word lists of inference. The rules that use them are in `tests/corpus/RULES.md`, under the same names.

pub(crate) mod descriptions;

/// Words separated by spaces. A word that ends in `*` stands for all words that begin so.
pub(crate) struct WordList(&'static str);

impl WordList {
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.0.split(' ').any(|listed| match listed.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None => word == listed,
        })
    }
}

/// Members of a body that an API can hardly do without.
pub(crate) const REQUIRED_IN_BODY: WordList = WordList(
    "id ref branch payload personalizations text content message messages body subject title name summary input \
     prompt query q question to from recipient recipients channel email email_address phone phone_number url \
     webhook_url address amount currency quantity price unit_amount value type event start end date line_items \
     items records fields properties parent data values documents inputs uri uris source destination key \
     idempotency_key",
);
/// Query parameters that a reading request can hardly do without, unless it lists a collection.
pub(crate) const REQUIRED_IN_QUERY: WordList = WordList(
    "q query search term text address latlng lat lon lng latitude longitude origin destination url symbol ids jql \
     domain ip place_id channel user db database",
);
/// Parameters that are harmless to send unasked in any request.
pub(crate) const DEFAULT_ALWAYS: WordList = WordList(
    "model temperature top_p max_tokens max_completion_tokens n stream parse_mode voice quality encoding_format \
     response_format",
);
/// Parameters of reading requests and bodies that are harmless to send unasked.
pub(crate) const DEFAULT_WHEN_READING: WordList = WordList(
    "limit per_page page_size max_results max_records count size top top_k top_n rows num results sort sort_by order order_by \
     direction sort_order format output units lang language locale hl timezone tz pretty encoding include expand \
     fields select embed view api_version alt response_format",
);
/// Query parameters of writing requests that are harmless to send unasked.
pub(crate) const DEFAULT_WHEN_WRITING: WordList = WordList("api_version version format output pretty timezone");
/// Names that look secret but are not.
pub(crate) const HARMLESS_NAMES: WordList = WordList("page_token next_token continuation_token keyword keywords");
/// Members of a body that select the operation or the protocol.
pub(crate) const FIXED_IN_BODY: WordList = WordList("grant_type jsonrpc");
/// Query parameters that select the operation. They stay in the URL.
pub(crate) const FIXED_IN_QUERY: WordList = WordList("action function method");
/// Query parameters that are credentials.
pub(crate) const CREDENTIALS_IN_QUERY: WordList = WordList(
    "token access_token auth_token api_token user_token private_token key api_key apikey auth_key app_key \
     access_key secret_key subscription_key secret api_secret client_secret appid app_id auth sig signature \
     x_amz_signature x_amz_security_token x_goog_signature dev_key developer_key license_key \
     ocp_apim_subscription_key",
);
/// Headers of browsers, caches and tracing, in lower case.
pub(crate) const NOISE_HEADERS: WordList = WordList(
    "accept-language accept-encoding user-agent referer origin priority pragma cache-control dnt \
     upgrade-insecure-requests connection te traceparent tracestate baggage sentry-trace x-request-id \
     x-amzn-trace-id newrelic if-none-match if-modified-since sec-* x-b3-* x-datadog-* x-client-*",
);
/// Query parameters of caches and campaigns.
pub(crate) const NOISE_QUERY: WordList = WordList("_ cb cachebust cachebuster nocache gclid fbclid msclkid utm_*");
/// Cookies of analytics and consent banners.
pub(crate) const TRACKING_COOKIES: WordList = WordList(
    "_ga _ga_* _gid _gat _gat_* _gcl_* _fbp _fbc _hj* _uet* __utm* _clck _clsk _pk_* ajs_* amplitude_* mp_* \
     optimizely* intercom-* hubspotutk __hs* __hstc _dd_s _scid _ttp _pin_unauth OptanonConsent \
     OptanonAlertBoxClosed CookieConsent euconsent* cookieyes-consent __cf_bm _cfuvid consent",
);
/// Segments that belong to the prefix of a path if they follow its version or `api`.
pub(crate) const PREFIX_SEGMENTS: WordList = WordList("api apis rest wp-json admin public client objects crm cgi-bin");
/// Words in capitals that are placeholders by themselves.
pub(crate) const PLACEHOLDER_WORDS: WordList =
    WordList("OWNER REPO ORG USER USERNAME ID NAME SLUG KEY BRANCH REF TAG SHA PATH DOMAIN");
/// Nouns after which a segment is a value of this name: `/dashboards/uid/abc`.
pub(crate) const SELECTOR_NOUNS: WordList = WordList("name uid code slug isbn email username alpha capital");
/// Nouns whose items have free names, also plural ones: `/indexes/movies`.
pub(crate) const NAMED_COLLECTIONS: WordList =
    WordList("indexes indices collections tables buckets topics queues datasets databases deployments functions");
/// Words after a plural noun that are no slug: `/users/me`.
pub(crate) const WORDS_THAT_ARE_NO_SLUGS: WordList = WordList(
    "me self current latest all new open closed active archived count batch bulk health status stats summary \
     settings config info details metadata history usage balance image avatar logo token random top trending \
     popular recent featured starred shared public private mine db env spot feed profile",
);
/// Nouns that are left out of a name unless they are its last noun.
pub(crate) const CONTAINER_NOUNS: WordList = WordList(
    "repos repositories projects orgs organizations workspaces teams accounts zones namespaces apps sites services guilds \
     channels spaces groups tenants shops bases auth",
);
/// Verbs at the end of a path that name a tool, for every method.
pub(crate) const READING_VERBS: WordList = WordList(
    "autocomplete calculate convert count download export fetch filter find get list lookup ping preview query \
     read search sync test translate validate verify",
);
/// Verbs at the end of a path that name a tool.
pub(crate) const WRITING_VERBS: WordList = WordList(
    "accept acknowledge activate add append approve archive assign attach authenticate authorize block build call cancel capture \
     charge clone close complete confirm copy create deactivate decline delete deploy detach disable dispatch duplicate enable enqueue \
     execute follow generate import invite invoke join leave like lock login logout merge move mute open pause pay \
     play post poweroff poweron predict process promote publish purge put reboot refresh refund register reject \
     remove rename reopen reply rerank rerun resend reset resize resolve restart restore resume retry revoke \
     rollback rotate run scale send set share sign signin signout signup snooze start stop submit subscribe \
     suspend terminate transcribe transfer trigger unarchive unassign unblock unfollow unlock unmute unpublish unsubscribe update upgrade upload upsert void write",
);
/// Verbs that are also nouns or adjectives. Alone they are verbs only in a POST, PUT or PATCH.
pub(crate) const VERBS_ONLY_WHEN_WRITING: WordList =
    WordList("open close deploy like share complete play process post block lock call copy move read scale sign test");
/// Nouns that form the name of a thing with a verb before them: `merge_requests`.
pub(crate) const THINGS_AFTER_VERBS: WordList = WordList("requests jobs tasks runs rules hooks events logs steps");
/// Verbs whose object stays in the plural.
pub(crate) const VERBS_WITH_PLURAL: WordList = WordList("search list find query count filter sync import export fetch");

/// Domains whose hosts are services of their own: `youtube.googleapis.com`.
pub(crate) const PLATFORM_DOMAINS: WordList =
    WordList("googleapis azurewebsites herokuapp cloudfunctions firebaseio supabase pages workers");
/// Irregular plurals with their singular.
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
pub(crate) const INVARIANT_PLURALS: WordList = WordList("series species news media");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_contains_its_words_and_the_words_with_its_beginnings() {
        for header in ["te", "sec-fetch-mode", "x-b3-traceid"] {
            assert!(NOISE_HEADERS.contains(header), "{header}");
        }
        for header in ["", "t", "accept", "x-secret", "sec"] {
            assert!(!NOISE_HEADERS.contains(header), "{header}");
        }
    }
}
