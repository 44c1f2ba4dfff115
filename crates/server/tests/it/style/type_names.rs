//! Each type name is unique in the workspace, so that a reader never has to ask which of two types is meant.

use std::collections::BTreeMap;
use std::fs;

use super::rust_files;

/// The name that a line declares as a struct, an enum or a trait. Macros, which declare `$name`, have none.
fn declared_type(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || word.ends_with(')'));
    let keyword = words.next()?;
    let name = words.next().filter(|_| ["struct", "enum", "trait"].contains(&keyword))?;
    name.split(|character: char| !character.is_alphanumeric() && character != '_')
        .next()
        .filter(|name| !name.is_empty())
}

#[test]
fn a_declaration_is_recognised_with_any_visibility() {
    assert_eq!(declared_type("pub struct Tool {"), Some("Tool"));
    assert_eq!(declared_type("    pub(crate) enum Era<'a> {"), Some("Era"));
    assert_eq!(declared_type("trait Clock: Send {"), Some("Clock"));
    assert_eq!(declared_type("pub(in crate::sql) struct Tx(Inner);"), Some("Tx"));
    assert_eq!(declared_type("/// A struct Tool"), None);
    assert_eq!(declared_type("let enum_name = 1;"), None);
    assert_eq!(declared_type("pub enum $name {"), None);
}

#[test]
fn no_two_types_have_the_same_name() {
    let mut declarations: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in rust_files() {
        for name in fs::read_to_string(&file).unwrap().lines().filter_map(declared_type) {
            declarations.entry(name.to_owned()).or_default().push(file.display().to_string());
        }
    }
    assert!(declarations.len() > 500, "only {} declarations were found", declarations.len());
    declarations.retain(|_, files| files.len() > 1);
    assert!(declarations.is_empty(), "rename all but one of each: {declarations:#?}");
}
