//! The modules of one crate, and their uses of each other.

use std::collections::BTreeMap;

use super::paths::{SourcePath, read_source};

/// The names of a module and of its parents, without the crate.
type ModulePath = Vec<String>;

/// The largest number of re-exports between the name of an item and its definition.
const RE_EXPORTS_MAX: usize = 8;

/// A module that names an item of another one.
pub(super) struct ModuleUse {
    pub(super) from: ModulePath,
    pub(super) to: ModulePath,
    /// File and line.
    pub(super) location: String,
}

/// The modules of a crate. Modules inside a file belong to the module of the file.
pub(super) struct CrateModules {
    folder: String,
    /// The file of each module, and the paths in it.
    modules: BTreeMap<ModulePath, (String, Vec<SourcePath>)>,
    /// The absolute path of each name that a module imports or re-exports.
    imports: BTreeMap<(ModulePath, String), ModulePath>,
}

impl CrateModules {
    /// Reads the files of `folder`: pairs of a path below it and the text.
    pub(super) fn new(folder: &str, files: Vec<(String, String)>) -> Self {
        let mut modules = BTreeMap::new();
        let mut test_modules = Vec::new();
        for (file, text) in files {
            let module = module_path(&file);
            let source = read_source(&text);
            test_modules.extend(source.test_modules.into_iter().map(|name| [module.as_slice(), &[name]].concat()));
            modules.insert(module, (file, source.paths));
        }
        modules.retain(|module, _| !test_modules.iter().any(|test_module| module.starts_with(test_module)));
        let mut crate_modules = Self { folder: folder.to_owned(), modules, imports: BTreeMap::new() };
        crate_modules.imports = crate_modules.find_imports();
        crate_modules
    }

    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    fn find_imports(&self) -> BTreeMap<(ModulePath, String), ModulePath> {
        let mut imports = BTreeMap::new();
        for (module, path, _) in self.paths() {
            if let (Some(name), Some(target)) = (&path.imported_as, self.absolute(module, &path.segments)) {
                imports.insert((module.clone(), name.clone()), target);
            }
        }
        imports
    }

    fn paths(&self) -> impl Iterator<Item = (&ModulePath, &SourcePath, &str)> {
        self.modules
            .iter()
            .flat_map(|(module, (file, paths))| paths.iter().map(move |path| (module, path, file.as_str())))
    }

    /// Every use of another module of the crate.
    pub(super) fn uses(&self) -> Vec<ModuleUse> {
        let found = self.paths().filter_map(|(module, path, file)| {
            let to = self.defining_module(self.absolute(module, &path.segments)?);
            let location = self.location(file, path);
            (to != *module).then(|| ModuleUse { from: module.clone(), to, location })
        });
        found.collect()
    }

    /// The paths that name an item by a re-export in `lib.rs`.
    pub(super) fn uses_of_root_re_exports(&self) -> Vec<String> {
        let found = self.paths().filter_map(|(module, path, file)| {
            let is_relative_to_import = !["crate", "super"].contains(&path.segments.first()?.as_str());
            let target = self.absolute(module, &path.segments)?;
            let name = vec![target.first()?.clone()];
            let is_re_export =
                !self.modules.contains_key(&name) && self.imports.contains_key(&(Vec::new(), name.concat()));
            if module.is_empty() || is_relative_to_import || !is_re_export {
                return None;
            }
            let defining_module = self.defining_module(target).join("::");
            let written = path.segments.join("::");
            Some(format!("{}: {written} is defined in {defining_module}", self.location(file, path)))
        });
        found.collect()
    }

    fn location(&self, file: &str, path: &SourcePath) -> String {
        format!("{}/{file}:{}", self.folder, path.line)
    }

    /// The path from the root of the crate; `None` if it starts with another crate or with a local name.
    fn absolute(&self, module: &ModulePath, segments: &[String]) -> Option<ModulePath> {
        let first = segments.first()?;
        let supers = segments.iter().take_while(|segment| *segment == "super").count();
        let (base, rest) = match first.as_str() {
            "crate" => (&[][..], &segments[1..]),
            "self" => (module.as_slice(), &segments[1..]),
            "super" => (module.get(..module.len().checked_sub(supers)?)?, &segments[supers..]),
            _ if self.modules.contains_key(&[module.as_slice(), std::slice::from_ref(first)].concat()) => {
                (module.as_slice(), segments)
            }
            _ => (self.imports.get(&(module.clone(), first.clone()))?.as_slice(), &segments[1..]),
        };
        Some([base, rest].concat())
    }

    /// The module that contains the definition of the item at `path`.
    fn defining_module(&self, mut path: ModulePath) -> ModulePath {
        for _ in 0..RE_EXPORTS_MAX {
            let depth = self.module_depth(&path);
            let Some(name) = path.get(depth).cloned() else { break };
            let Some(target) = self.imports.get(&(path[..depth].to_vec(), name)) else { break };
            path = [target.as_slice(), &path[depth + 1..]].concat();
        }
        path.truncate(self.module_depth(&path));
        path
    }

    /// The number of segments at the start of the path that name modules.
    fn module_depth(&self, path: &ModulePath) -> usize {
        (0..path.len()).take_while(|index| self.modules.contains_key(&path[..=*index])).count()
    }
}

/// The module of a file, given by its path below `src`.
fn module_path(file: &str) -> ModulePath {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if ["lib", "main"].contains(&path) { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}
