//! Costs of texts, in thousandths of tokens.
//!
//! The cost of a tree is the sum of the costs of its leaves. The token estimate counts consecutive punctuation as one
//! piece, so the punctuation around a value (`","`, `":"`) is counted once for each key and once for each value, not as
//! part of the texts.

use toolgate_domain::tokens::TokenCount;

/// Thousandths of tokens.
pub(crate) type Cost = u64;

/// One token.
pub(crate) const TOKEN: Cost = 1000;
/// The cost of the punctuation between a key and its value, or between two values.
pub(crate) const PUNCTUATION: Cost = TOKEN;
/// The cost of a bracket, which is usually part of punctuation that is counted already.
pub(crate) const BRACKET: Cost = 400;

/// Maximum length of a text that is measured completely, in bytes; longer ones are sampled.
const SAMPLED_BYTES: usize = 32 * 1024;
/// Number of samples of a long text.
const SAMPLES: usize = 16;
/// Length of a sample, in bytes.
const SAMPLE_BYTES: usize = 2 * 1024;

/// The cost of a text; a long text is estimated by samples.
pub(crate) fn text_cost(text: &str) -> Cost {
    if text.len() <= SAMPLED_BYTES {
        return TokenCount::from_text(text).thousandths();
    }
    let stride = text.len() / SAMPLES;
    let samples = (0..SAMPLES).map(|sample| {
        let start = text.floor_char_boundary(sample * stride);
        let end = text.floor_char_boundary(start + SAMPLE_BYTES);
        text.get(start..end).unwrap_or_default()
    });
    let (bytes, cost) = samples.fold((0, 0), |(bytes, cost), sample| {
        (bytes + sample.len(), cost + TokenCount::from_text(sample).thousandths())
    });
    scale(cost, text.len(), bytes)
}

/// The cost of `bytes` if `measured` bytes cost `cost`.
pub(crate) fn scale(cost: Cost, bytes: usize, measured: usize) -> Cost {
    let scaled = u128::from(cost) * bytes as u128 / measured.max(1) as u128;
    Cost::try_from(scaled).unwrap_or(Cost::MAX)
}

/// Whole tokens, rounded up.
pub(crate) fn tokens(cost: Cost) -> usize {
    usize::try_from(cost.div_ceil(TOKEN)).unwrap_or(usize::MAX)
}

/// The longest part of a text from its start that costs at most about `limit`, in bytes: at least one character, and
/// all of the text if it is short enough.
pub(crate) fn prefix_bytes(text: &str, limit: Cost) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    // A text of this length usually costs more than `limit`, so the rest of a long text need not be measured.
    let window = usize::try_from(limit / TOKEN * 16 + 64).unwrap_or(usize::MAX);
    let mut end = text.floor_char_boundary(window.min(text.len()));
    loop {
        let cost = text.get(..end).map_or(0, |part| TokenCount::from_text(part).thousandths());
        if cost <= limit || end <= first {
            return end.max(first);
        }
        let scaled = scale(limit, end, usize::try_from(cost).unwrap_or(usize::MAX));
        let shorter = usize::try_from(scaled).unwrap_or(end).min(end - 1);
        end = text.floor_char_boundary(shorter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_estimated_by_samples() {
        let text = "The invoice was sent to the customer, über \u{1f600}. ".repeat(5000);
        let exact = TokenCount::from_text(&text).thousandths();
        assert!(text_cost(&text).abs_diff(exact) < exact / 20);
    }

    #[test]
    fn a_prefix_is_within_its_limit_and_never_empty() {
        let text = "Größe und 漢字 are mixed in this text. ".repeat(100);
        for limit in [0, 1, 500, 3000, 20_000, 10_000_000] {
            let end = prefix_bytes(&text, limit);
            let part = text.get(..end).unwrap();
            assert!(!part.is_empty());
            assert!(text_cost(part) <= limit || part.chars().count() == 1, "{limit}: {part}");
            assert!(part == text || text_cost(part) * 2 + 2000 >= limit, "{limit}: {part}");
        }
        assert_eq!(prefix_bytes("", 5), 0);
    }
}
