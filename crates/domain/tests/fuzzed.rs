//! The properties of `fuzz/` on a stable compiler, with inputs generated from the syntax of the parsers. The seed is
//! fixed, so that every run is the same; the fuzzer searches for new inputs.

extern crate toolgate_domain as domain;

#[cfg(test)]
#[path = "../../../fuzz/properties/prompt_template.rs"]
mod prompt_template;
#[cfg(test)]
#[path = "../../../fuzz/properties/uri_template.rs"]
mod uri_template;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, rng_seed: RngSeed::Fixed(6570), ..ProptestConfig::default() })]

    #[test]
    fn the_variables_of_a_match_expand_to_a_uri_that_matches_again(
        source in r"([a-c/?#:.]{0,2}(\{[+#./;?&]?[ab](,[cd])?(\*|:[1-9])?\})?){0,4}|[{}a-c,:*?+#/%2é ]{0,16}",
        uri in r"([a-c/?#=&;.,:]|%2[0-9F]|é){0,16}",
        value in ".{0,8}",
    ) {
        uri_template::check(&source, &uri, &value);
    }

    #[test]
    fn filled_prompts_contain_no_placeholder_of_a_declared_argument(
        template in r#"([{}]{1,3}|a|b| |"|\\|,|:|é|\{\{ ?a ?\}\}){0,24}"#,
        value in r#"([{}]{1,3}|a|"|\\|.){0,8}"#,
    ) {
        prompt_template::check(&template, &value);
    }
}
