//! The weights of the estimate.
//!
//! They are fitted by least squares to the tokenizer o200k on text of many kinds (API documents, JSON, YAML, HTML,
//! logs, source code, prose in 40 languages) with `bench/token_weights.rs`, without the sources that the errors in
//! docs/model.md are measured on.

macro_rules! token_classes {
    ($($(#[$doc:meta])* $class:ident = $thousandths:literal,)+) => {
        /// A property of a piece of text that costs tokens.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum TokenClass { $($(#[$doc])* $class),+ }

        impl TokenClass {
            /// All classes, in order.
            pub const ALL: [Self; [$(Self::$class),+].len()] = [$(Self::$class),+];

            /// The cost of one occurrence, in thousandths of a token.
            pub const fn thousandths(self) -> u64 {
                match self { $(Self::$class => $thousandths),+ }
            }
        }
    };
}

token_classes! {
    /// A piece that is in the vocabulary: a word, up to three digits, up to three signs, blanks. The other classes add
    /// to it.
    Whole = 1000,
    /// A word of more than 8 letters, not after a sign of `JointWord` or `PathWord`.
    LongWord = 223,
    /// A letter after the twelfth of a word.
    FurtherLetter = 394,
    /// Two letters that seldom follow each other in common words.
    SeldomPair = 941,
    /// A last letter `a`, `i`, `o` or `u` of a word of more than 4 letters.
    VowelEnd = 519,
    /// A word of up to 8 letters after `_`, `.`, `(` or a tab.
    JointWord = 190,
    /// A longer word after `_`, `.`, `(` or a tab.
    LongJointWord = 774,
    /// A word of up to 5 letters after `/`, `-`, `[` or `<`.
    PathWord = 497,
    /// A word of 6 to 8 letters after `/`, `-`, `[` or `<`.
    MediumPathWord = 866,
    /// A longer word after `/`, `-`, `[` or `<`.
    LongPathWord = 1300,
    /// Another sign before a word.
    OtherPrefix = 411,
    /// A word with a capital first letter after a sign.
    CapitalizedAfterSign = 109,
    /// A word of three or more capitals, not after a space.
    CapitalWord = 511,
    /// A letter after the fourth of a word of capitals, not after a space.
    Capital = 260,
    /// A word of several capitals and small letters.
    MixedWord = 3307,
    /// A word of several capitals and small letters after a space.
    MixedWordAfterSpace = 1466,
    /// A letter after the third of a word of several capitals and small letters.
    MixedLetter = 22,
    /// Four signs or more.
    FourSigns = 350,
    /// A sign after the fourth.
    FurtherSign = 331,
    /// A space before three signs or more.
    SpaceBeforeSigns = 883,
    /// Punctuation or a symbol outside ASCII.
    Symbol = 731,
    /// An emoji.
    Emoji = 2696,
    /// A word with letters outside ASCII, not after a sign or a space.
    ForeignWithoutSpace = 678,
    /// A word with letters outside ASCII after a sign.
    ForeignAfterSign = 1304,
    /// A letter after the second of a word with a letter such as `é`, `ü` or `ñ`.
    WesternLatinLetter = 303,
    /// A letter after the second of a word with a letter such as `č`, `ł` or `ğ`.
    OtherLatinLetter = 368,
    /// A letter after the second of a word with a letter that is used in Vietnamese only.
    VietnameseLetter = 26,
    /// An accent as a character of its own.
    CombiningMark = 1018,
    /// A letter after the second of a Greek word.
    GreekLetter = 340,
    /// A letter after the second of a word in Russian letters.
    CyrillicLetter = 199,
    /// A letter after the second of a word with a letter of another Cyrillic alphabet.
    OtherCyrillicLetter = 353,
    /// A letter after the second of a Hebrew word.
    HebrewLetter = 394,
    /// A letter after the second of an Arabic or Persian word.
    ArabicLetter = 236,
    /// A letter after the second of a word in Hindi or Marathi.
    DevanagariLetter = 307,
    /// A letter after the second of a word in another script of India.
    IndicLetter = 324,
    /// A syllable after the first of a Korean word.
    HangulSyllable = 510,
    /// A Thai letter.
    ThaiLetter = 439,
    /// A letter of Telugu, Gurmukhi, Khmer or Burmese.
    OtherAsianLetter = 596,
    /// A Japanese syllable.
    Kana = 701,
    /// A Chinese or Japanese ideograph.
    Ideograph = 844,
    /// A letter of another script.
    OtherLetter = 1922,
}

/// How often each class occurs, in the order of [`TokenClass::ALL`].
pub type ClassCounts = [u64; TokenClass::ALL.len()];

/// The cost of these classes in thousandths of a token.
pub(super) const fn cost(counts: &ClassCounts) -> u64 {
    let (mut sum, mut class) = (0, 0);
    while class < counts.len() {
        sum += counts[class] * TokenClass::ALL[class].thousandths();
        class += 1;
    }
    sum
}
