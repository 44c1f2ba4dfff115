//! Properties and examples of the estimate.

use proptest::prelude::*;

use super::*;

/// A word, an id or a number, and the signs after it.
const ENTRY: &str = r#"([a-zA-Z]{1,12}|[a-z]{2,8}|[0-9]{1,6}|[à-ü]{1,6}|[а-я]{1,9}|[一-龥]{1,5}|😀)([ ._/()-]{0,2}|\n {0,8})["',:{}\[\]]"#;

/// Text that is cut after signs, as between the leaves of a tree.
fn common_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(ENTRY, 0..40).prop_map(|entries| entries.concat())
}

/// Runs of a few characters in any order: most rules of pieces depend on the characters around them.
fn dense_text() -> impl Strategy<Value = String> {
    const PARTS: &str = r#"[a-z]|[A-Z]|[0-9]|'(s|ll|x)|[ \t\n\r]|[-_./('":{}]|[éłж中가😀—]"#;
    let runs = (PARTS, prop_oneof![8 => Just(1), 1 => 2..20_usize, 1 => 50..140_usize]);
    proptest::collection::vec(runs.prop_map(|(part, count)| part.repeat(count)), 0..40).prop_map(|runs| runs.concat())
}

proptest! {
    #[test]
    fn the_table_of_steps_agrees_with_the_scanner(text in dense_text()) {
        prop_assert_eq!(TokenCount::from_text(&text).thousandths, weights::cost(&class_counts(&text)));
    }

    #[test]
    fn every_text_has_an_estimate_that_is_the_sum_of_its_classes(text in any::<String>()) {
        let tokens = estimate(&text);
        prop_assert!(tokens <= text.len() * 3, "{tokens}");
        prop_assert_eq!(tokens == 0, text.is_empty());
        let counts = class_counts(&text);
        let costs = TokenClass::ALL.into_iter().map(|class| class.thousandths() * counts[class as usize]);
        prop_assert_eq!(costs.sum::<u64>().div_ceil(1000), tokens as u64);
    }

    #[test]
    fn the_estimates_of_two_parts_add_up(left in common_text(), right in common_text()) {
        let (whole, sum) = (joined(&left, &right), TokenCount::from_text(&left) + TokenCount::from_text(&right));
        prop_assert!(whole.tokens().abs_diff(sum.tokens()) <= 2, "{whole:?} and {sum:?}");
    }

    #[test]
    fn a_longer_text_does_not_cost_less(left in common_text(), right in common_text()) {
        let (whole, longest) = (joined(&left, &right), TokenCount::from_text(&left).max(TokenCount::from_text(&right)));
        prop_assert!(whole.tokens() + 2 >= longest.tokens(), "{whole:?} and {longest:?}");
    }

    /// A cut inside a long word costs a few tokens more, at any length of the parts.
    #[test]
    fn parts_of_any_text_add_up_within_five_tokens(left in any::<String>(), right in any::<String>()) {
        let (whole, sum) = (joined(&left, &right), TokenCount::from_text(&left) + TokenCount::from_text(&right));
        prop_assert!(whole.tokens().abs_diff(sum.tokens()) <= 5, "{whole:?} and {sum:?}");
    }
}

fn joined(left: &str, right: &str) -> TokenCount {
    TokenCount::from_text(&format!("{left}{right}"))
}

#[test]
fn an_empty_text_has_no_tokens() {
    assert_eq!(estimate(""), 0);
    assert_eq!(TokenCount::default().tokens(), 0);
}

#[test]
fn a_control_character_costs_a_token() {
    assert_eq!(estimate("\0"), 1);
    assert_eq!(estimate("\u{1}"), 1);
}

#[test]
fn the_cost_of_many_parts_is_not_rounded_for_each() {
    let part = TokenCount::from_text("internationalisation");
    let sum: TokenCount = std::iter::repeat_n(part, 1000).sum();
    assert!(part.tokens() * 1000 > sum.tokens());
    let mut total = TokenCount::default();
    for _ in 0..1000 {
        total += part;
    }
    assert_eq!(total, sum);
}

#[test]
fn pieces_are_those_of_the_tokenizer() {
    // one token each: a word with its space, a group of three digits, two signs, an indentation, a line break after a
    // sign
    for (text, tokens) in
        [("word", 1), (" word", 1), ("1234567", 3), ("\":", 1), ("{\n", 1), ("a\n    b", 4), ("don't", 1)]
    {
        assert_eq!(estimate(text), tokens, "{text}");
    }
    assert_eq!(estimate(r#"{"id":7}"#), 5);
    assert_eq!(estimate(&"-".repeat(60)), 1);
    assert_eq!(estimate(&" ".repeat(60)), 1);
}

#[test]
fn a_random_id_costs_more_than_a_word_of_its_length() {
    assert!(estimate("xqzjvkwpbgtd") > 2 * estimate("relationship"));
    assert!(estimate("kJ8sQ2xZ9vB4") > 2 * estimate("relationship"));
}
