//! Zip archives, in which a document of several files is sent and stored.

use std::collections::HashSet;
use std::io::{Cursor, Read as _, Write as _};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::DocumentError;
use super::limits::BYTES_MAX;

/// Maximum number of files of a document.
pub const FILES_MAX: usize = 200;

/// The files of an archive that can be parts of a document.
const EXTENSIONS: [&str; 3] = [".json", ".yaml", ".yml"];

/// A file of a document.
pub(super) struct SourceFile {
    /// Its path in the archive, with `/`.
    pub(super) name: String,
    pub(super) content: Vec<u8>,
}

/// Whether the bytes are an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Packs files, by name, as an archive. The same files always give the same bytes, so that the digest shows
/// whether they have changed.
pub fn pack<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<Vec<u8>, DocumentError> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut names = HashSet::new();
    for (name, content) in files {
        let shown: String = name.chars().take(200).collect();
        if !is_part(name) {
            let message = format!("The name of each file must end with .json, .yaml or .yml; {shown:?} does not.");
            return Err(DocumentError::Archive { message });
        }
        if !names.insert(name) {
            let message =
                format!("Two files have the name {shown:?}. Send each with its relative path as its file name.");
            return Err(DocumentError::Archive { message });
        }
        writer.start_file(name, options).map_err(|error| unreadable(&error))?;
        writer.write_all(content).map_err(|error| unreadable(&error.into()))?;
    }
    writer.finish().map(Cursor::into_inner).map_err(|error| unreadable(&error))
}

/// The JSON and YAML files of an archive.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<SourceFile>, DocumentError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| unreadable(&error))?;
    let mut files = Vec::new();
    let mut remaining = BYTES_MAX;
    for index in 0..archive.len() {
        let Some(name) = archive.name_for_index(index).and_then(Result::ok).filter(|name| is_part(name)) else {
            continue;
        };
        let name = name.replace('\\', "/");
        if files.len() == FILES_MAX {
            return Err(too_large(format!("The archive must have at most {FILES_MAX} JSON and YAML files.")));
        }
        let entry = archive.by_index(index).map_err(|error| unreadable(&error))?;
        let mut content = Vec::new();
        // One byte more than allowed shows that the limit is exceeded; the sizes that the archive states may be wrong.
        let limit = u64::try_from(remaining + 1).unwrap_or(u64::MAX);
        entry.take(limit).read_to_end(&mut content).map_err(|error| unreadable(&error.into()))?;
        remaining = remaining.checked_sub(content.len()).ok_or_else(|| {
            too_large(format!("The files of the archive must have at most {} MiB together.", BYTES_MAX >> 20))
        })?;
        files.push(SourceFile { name, content });
    }
    Ok(files)
}

/// Whether a file of an archive can be a part of a document. macOS adds metadata files, whose names start with `._`.
fn is_part(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let file = lower.rsplit('/').next().unwrap_or_default();
    EXTENSIONS.iter().any(|extension| file.ends_with(extension)) && !file.starts_with("._")
}

fn unreadable(error: &ZipError) -> DocumentError {
    DocumentError::Archive { message: format!("The zip archive cannot be read: {error}.") }
}

fn too_large(message: String) -> DocumentError {
    DocumentError::TooLarge { message, pointer: "#".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_are_unpacked_and_other_files_are_ignored() {
        let packed = pack([("b/a.yaml", &b"a: 1"[..]), ("x.JSON", b"{}")]).unwrap();
        assert!(is_archive(&packed));
        assert_eq!(packed, pack([("b/a.yaml", &b"a: 1"[..]), ("x.JSON", b"{}")]).unwrap());
        let files: Vec<_> = unpack(&packed).unwrap().into_iter().map(|file| (file.name, file.content)).collect();
        assert_eq!(files, [("b/a.yaml".to_owned(), b"a: 1".to_vec()), ("x.JSON".to_owned(), b"{}".to_vec())]);
        for name in ["README.md", "__MACOSX/._a.yaml", "folder/", "yaml"] {
            assert!(!is_part(name), "{name}");
            assert!(matches!(pack([(name, &b""[..])]), Err(DocumentError::Archive { .. })), "{name}");
        }
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let refused = pack([("a.yaml", &b"a: 1"[..]), ("a.yaml", b"b: 1")]).unwrap_err();
        assert!(refused.to_string().starts_with(r#"Two files have the name "a.yaml"."#), "{refused}");
    }

    #[test]
    fn archives_with_too_much_content_and_damaged_ones_are_refused() {
        let names: Vec<String> = (0..=FILES_MAX).map(|index| format!("{index}.yaml")).collect();
        let many = pack(names.iter().map(|name| (name.as_str(), &b"{}"[..]))).unwrap();
        assert!(matches!(unpack(&many), Err(DocumentError::TooLarge { .. })));
        assert_eq!(
            unpack(&pack(names.iter().skip(1).map(|name| (name.as_str(), &b"{}"[..]))).unwrap()).unwrap().len(),
            FILES_MAX
        );

        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a.yaml", "b.yaml"] {
            writer.start_file(name, options).unwrap();
            writer.write_all(&vec![b' '; BYTES_MAX / 2 + 1]).unwrap();
        }
        let bomb = writer.finish().unwrap().into_inner();
        assert!(bomb.len() < 100_000);
        assert!(matches!(unpack(&bomb), Err(DocumentError::TooLarge { .. })));

        let packed = pack([("a.yaml", &b"openapi: 3.1.0"[..])]).unwrap();
        assert!(matches!(unpack(&packed[..packed.len() / 2]), Err(DocumentError::Archive { .. })));
        let mut damaged = packed;
        damaged[40] ^= 1; // a byte of the content, which the checksum covers
        assert!(matches!(unpack(&damaged), Err(DocumentError::Archive { .. })));
    }
}
