//! The twelve generated responses: how much shorter they become, and that nothing is lost.

use toolgate_domain::shaping::Shaping;
use toolgate_shaping::{NOTE_TOKENS_MAX, NoteContext, ShapingInput, note};

use crate::helpers::{all_parts, json, rules, start};
use crate::responses::{GeneratedResponse, generated_responses};

/// All responses together have at least this many times fewer tokens after shaping.
const REDUCTION_MIN: usize = 20;

fn input_and_rules(generated: &GeneratedResponse) -> (ShapingInput<'_>, Shaping) {
    let reference = Some("r_7Kq2mDxYz0123456");
    (ShapingInput { body: &generated.body, media_type: generated.media_type, reference }, rules(generated.shaping))
}

#[test]
fn all_responses_together_take_a_twentieth_of_the_tokens() {
    let (mut before, mut after) = (0, 0);
    for generated in generated_responses() {
        let (input, shaping) = input_and_rules(&generated);
        let shaped = start(&input, &shaping);
        assert!(shaped.tokens_after <= 2000, "{}: {} tokens", generated.name, shaped.tokens_after);
        eprintln!("{:12} {:8} {:6}", generated.name, shaped.tokens_before, shaped.tokens_after);
        before += shaped.tokens_before;
        after += shaped.tokens_after;
    }
    assert!(before >= after * REDUCTION_MIN, "{before} tokens became {after}");
}

#[test]
fn every_fact_of_a_generated_response_is_in_a_part() {
    for generated in generated_responses() {
        let (input, shaping) = input_and_rules(&generated);
        let parts = all_parts(&input, &shaping);
        for fact in &generated.facts {
            let found = parts.iter().filter(|part| part.text.contains(fact.as_str())).count();
            assert!(found > 0, "{}: {fact} is in none of {} parts", generated.name, parts.len());
        }
    }
}

#[test]
fn an_array_inside_an_object_becomes_a_table_without_a_budget() {
    let rows: Vec<String> = (0..6).map(|row| format!(r#"{{"id":{row},"name":"n{row}"}}"#)).collect();
    let body = format!(r#"{{"total":6,"data":[{}]}}"#, rows.join(","));
    let shaped = start(&json(&body), &rules(r#"{"tables":true}"#));
    assert!(
        shaped.text.starts_with(r#"{"total":6,"data":{"columns":["id","name"],"rows":[[0,"n0"],"#),
        "{}",
        shaped.text
    );
    assert!(shaped.text.contains("n5") && shaped.left_out.is_none(), "{}", shaped.text);
}

#[test]
fn every_part_of_a_table_inside_an_object_is_json() {
    let rows: Vec<String> = (0..200).map(|row| format!(r#"{{"id":{row},"name":"n{row}"}}"#)).collect();
    let body = format!(r#"{{"total":200,"data":[{}]}}"#, rows.join(","));
    let parts = all_parts(&json(&body), &rules(r#"{"tables":true,"max_tokens":300}"#));
    assert!(parts.len() > 2);
    for part in &parts {
        assert!(serde_json::from_str::<serde_json::Value>(&part.text).is_ok(), "{}", part.text);
    }
    assert!(parts[1].text.contains(r#":{"columns":["id","name"],"rows":[["#), "{}", parts[1].text);
}

#[test]
fn notes_are_short_and_name_the_reference() {
    for generated in generated_responses() {
        let (input, shaping) = input_and_rules(&generated);
        let shaped = start(&input, &shaping);
        let text = note(&NoteContext {
            left_out: shaped.left_out.as_ref(),
            reference: input.reference,
            read_more: "read_more",
            arguments: &["page", "per_page", "labels"],
            next_page: shaped.next_page.as_ref(),
        });
        assert!(toolgate_domain::tokens::estimate(&text) <= NOTE_TOKENS_MAX, "{}: {text}", generated.name);
        assert_eq!(shaped.left_out.is_some(), text.contains("r_7Kq2mDxYz0123456"), "{}: {text}", generated.name);
    }
}
