//! Stores the id of the demo server in a file of the data folder.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};

use anyhow::Context;
use toolgate_domain::ids::ServerId;
use toolgate_rest::DemoMarker;

use crate::private_file;

/// The file, and the id of the demo server that it contains; 0 means no server.
pub(super) struct MarkerFile {
    file: PathBuf,
    server_id: AtomicI64,
}

impl MarkerFile {
    /// Reads the file; a missing file, or content that is not a number, means no server.
    pub(super) fn open(file: PathBuf) -> anyhow::Result<Self> {
        let text = private_file::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let server_id = text.and_then(|text| text.trim_end().parse().ok()).unwrap_or(0);
        Ok(Self { file, server_id: AtomicI64::new(server_id) })
    }
}

impl DemoMarker for MarkerFile {
    fn read(&self) -> Option<ServerId> {
        let id = self.server_id.load(Ordering::Relaxed);
        (id > 0).then_some(ServerId(id))
    }

    fn write(&self, server: Option<ServerId>) -> io::Result<()> {
        match server {
            Some(ServerId(id)) => private_file::write(&self.file, &format!("{id}\n"))?,
            None => fs::remove_file(&self.file)?,
        }
        self.server_id.store(server.map_or(0, |id| id.0), Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_survives_a_restart_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let open = || MarkerFile::open(folder.path().join("demo")).unwrap();
        assert_eq!(open().read(), None);
        let marker = open();
        marker.write(Some(ServerId(7))).unwrap();
        assert_eq!((marker.read(), open().read()), (Some(ServerId(7)), Some(ServerId(7))));
        marker.write(None).unwrap();
        assert_eq!((marker.read(), open().read()), (None, None));
    }

    #[test]
    fn invalid_content_means_no_server() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "x", "-3", "0", "99999999999999999999"] {
            fs::write(folder.path().join("demo"), text).unwrap();
            assert_eq!(MarkerFile::open(folder.path().join("demo")).unwrap().read(), None, "{text}");
        }
    }
}
