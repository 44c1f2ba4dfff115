//! Recognises default values that look like secrets.

/// Prefixes of the tokens of well-known services.
const TOKEN_PREFIXES: [&str; 16] = [
    "sk_",
    "sk-",
    "pk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "eyJ",
    "Bearer ",
    "Basic ",
];
/// Minimum length of a text with a known prefix that looks like a secret, in bytes.
const PREFIXED_BYTES_MIN: usize = 16;
/// Minimum length of a random text that looks like a secret, in bytes.
const RANDOM_BYTES_MIN: usize = 20;
/// Minimum entropy of a random text, in bits per byte. Words have less, random letters and digits more.
const RANDOM_BITS_MIN: f64 = 3.5;

/// Whether a text starts with the prefix of a known token, or looks random.
pub(super) fn looks_like_secret(text: &str) -> bool {
    let is_prefixed = text.len() >= PREFIXED_BYTES_MIN && TOKEN_PREFIXES.iter().any(|prefix| text.starts_with(prefix));
    is_prefixed || is_random(text)
}

/// Whether a text is one long word of letters and digits with high entropy. Ids with separators, such as UUIDs, are not
/// random in this sense.
fn is_random(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'/' | b'='));
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    is_word && text.len() >= RANDOM_BYTES_MIN && digits >= 3 && letters >= 3 && entropy(text) >= RANDOM_BITS_MIN
}

/// The Shannon entropy of the bytes, in bits per byte.
#[expect(clippy::cast_precision_loss, reason = "lengths of texts are far below 2^53")]
fn entropy(text: &str) -> f64 {
    let mut counts = [0_usize; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = text.len() as f64;
    let shares = counts.into_iter().filter(|count| *count > 0).map(|count| count as f64 / length);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}
