//! The module rules of the workspace: no cycle between the child modules of a module, and no import through a re-export
//! of the crate's own `lib.rs`.
//!
//! A module uses another one if it names an item that is defined in it or below it, also if it does so through
//! re-exports. Uses of a parent or of a child module are not checked: the tree of modules gives them an order. To break
//! a cycle, move what both modules need into a module that both import.

mod modules;
mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::style::{files_below, root};
use modules::{CrateModules, ModuleUse};

/// The modules of each crate, without tests.
fn workspace() -> Vec<CrateModules> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = crates.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names.iter().map(|name| read_crate(name)).collect()
}

fn read_crate(name: &str) -> CrateModules {
    let folder = root().join("crates").join(name).join("src");
    let texts = files_below(&folder, &[".rs"]).into_iter().map(|file| {
        let path = file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        (path, fs::read_to_string(file).unwrap())
    });
    CrateModules::new(&format!("crates/{name}/src"), texts.collect())
}

/// The child modules of one module with their uses of each other.
type SiblingGraph<'u> = BTreeMap<&'u str, BTreeMap<&'u str, &'u ModuleUse>>;

/// One line for each use that is part of a cycle.
fn cycles(modules: &CrateModules) -> Vec<String> {
    let uses = modules.uses();
    let mut graphs: BTreeMap<&[String], SiblingGraph<'_>> = BTreeMap::new();
    for module_use in &uses {
        let depth = module_use.from.iter().zip(&module_use.to).take_while(|(one, other)| one == other).count();
        if let (Some(from), Some(to)) = (module_use.from.get(depth), module_use.to.get(depth)) {
            let graph = graphs.entry(&module_use.from[..depth]).or_default();
            graph.entry(from).or_default().entry(to).or_insert(module_use);
        }
    }
    let mut lines = Vec::new();
    for (parent, graph) in &graphs {
        let parent = [&[modules.folder().to_owned()], *parent].concat().join("/");
        for (from, targets) in graph {
            let cyclic = targets.iter().filter(|(to, _)| reachable(graph, to).contains(from));
            lines.extend(cyclic.map(|(to, found)| format!("{parent}: {from} uses {to} in {}", found.location)));
        }
    }
    lines
}

fn reachable<'u>(graph: &SiblingGraph<'u>, start: &'u str) -> BTreeSet<&'u str> {
    let mut reached = BTreeSet::from([start]);
    let mut pending = vec![start];
    while let Some(module) = pending.pop() {
        let targets = graph.get(module).into_iter().flat_map(BTreeMap::keys);
        pending.extend(targets.filter(|target| reached.insert(target)));
    }
    reached
}

#[test]
fn sibling_modules_do_not_use_each_other_in_a_cycle() {
    let workspace = workspace();
    let uses: usize = workspace.iter().map(|modules| modules.uses().len()).sum();
    assert!(uses > 1000, "only {uses} uses were found");
    let cycles: Vec<String> = workspace.iter().flat_map(cycles).collect();
    assert!(cycles.is_empty(), "cycles between modules:\n  {}", cycles.join("\n  "));
}

#[test]
fn no_module_imports_through_a_re_export_of_its_own_lib_rs() {
    let imports: Vec<String> = workspace().iter().flat_map(CrateModules::uses_of_root_re_exports).collect();
    assert!(imports.is_empty(), "import from the defining module:\n  {}", imports.join("\n  "));
}

/// Tests of the checks, on small crates.
mod small_crates {
    use super::*;

    fn modules(files: &[(&str, &str)]) -> CrateModules {
        CrateModules::new("src", files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    #[test]
    fn a_cycle_is_reported_with_a_location_for_each_use() {
        let declared = modules(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;"),
            ("a.rs", "\nuse crate::b::B;\nuse crate::c::C;"),
            ("b.rs", "fn f() { super::a::g(); }"),
            ("c.rs", ""),
        ]);
        assert_eq!(cycles(&declared), ["src: a uses b in src/a.rs:2", "src: b uses a in src/b.rs:1"]);
    }

    #[test]
    fn a_longer_cycle_of_nested_modules_is_reported_for_their_parent() {
        let nested = modules(&[
            ("main.rs", "mod a;"),
            ("a.rs", "mod b;\nmod c;\nmod d;"),
            ("a/b/x.rs", "use crate::a::{c, d::D};"),
            ("a/b.rs", "mod x;"),
            ("a/c.rs", "use super::d;"),
            ("a/d.rs", "fn f() -> crate::a::b::B { loop {} }"),
        ]);
        let expected = [
            "src/a: b uses c in src/a/b/x.rs:1",
            "src/a: b uses d in src/a/b/x.rs:1",
            "src/a: c uses d in src/a/c.rs:1",
            "src/a: d uses b in src/a/d.rs:1",
        ];
        assert_eq!(cycles(&nested), expected);
    }

    #[test]
    fn using_a_re_export_is_a_use_of_the_defining_module() {
        for (lib, a) in [
            ("mod a;\nmod b;\npub use b::{B, self as bee};", "use crate::B;"),
            ("mod a;\nmod b;\npub use b::{B, self as bee};", "use crate::bee::X;"),
            ("mod a;\nmod b;\nuse b::B as Other;", "fn f() { super::Other::new() }"),
            ("mod a;\nmod b;\nmod c;\n", "use crate::c;\nfn f() { c::B::new() }"),
        ] {
            let files = [("lib.rs", lib), ("a.rs", a), ("b.rs", "use crate::a::A;"), ("c.rs", "pub use crate::b::B;")];
            let found = cycles(&modules(&files));
            assert!(found.iter().any(|line| line.starts_with("src: a uses b")), "{lib} {a}: {found:?}");
        }
    }

    #[test]
    fn tests_comments_and_strings_use_nothing() {
        let a = "
            // crate::b::B
            /* crate::b::B */
            const TEXTS: [&str; 2] = [\"\\\"crate::b::B\", r#\"\" crate::b::B\"#];
            const QUOTE: char = '\"';
            #[cfg(test)]
            #[derive(Debug)]
            struct SampleCrate<'a>(&'a crate::b::B);
            #[cfg(test)]
            mod tests { use crate::b::B; fn f() { loop {} } }
            #[cfg(test)]
            mod samples;";
        let files = [("lib.rs", "mod a;\nmod b;"), ("a.rs", a), ("b.rs", "use crate::a::A;")];
        let samples = ("a/samples.rs", "use crate::b::B;");
        assert!(cycles(&modules(&[&files[..], &[samples]].concat())).is_empty());
        let later = format!("{a}\nuse crate::b::B;");
        let files = [files[0], ("a.rs", later.as_str()), files[2], samples];
        assert_eq!(cycles(&modules(&files)), ["src: a uses b in src/a.rs:13", "src: b uses a in src/b.rs:1"]);
    }

    #[test]
    fn an_import_through_lib_rs_is_reported() {
        let found = modules(&[
            ("lib.rs", "mod a;\nmod b;\npub use b::{B, C};\npub struct Own;"),
            ("a.rs", "use crate::{Own, B};\nuse crate::b::C;\nfn f() -> super::C { loop {} }"),
            ("b.rs", "use crate::a;"),
        ]);
        let expected = ["src/a.rs:1: crate::B is defined in b", "src/a.rs:3: super::C is defined in b"];
        assert_eq!(found.uses_of_root_re_exports(), expected);
    }
}
