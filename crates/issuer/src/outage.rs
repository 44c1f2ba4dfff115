//! What people and programs read when the database fails.

use toolgate_storage::StorageError;

/// The cause, and what to do.
pub(crate) fn outage_text(error: &StorageError) -> &'static str {
    match error {
        StorageError::Full(_) => {
            "The disk of the service or of its database is full. Its operator must free space; then try again."
        }
        _ => "The database does not respond. Try again in a moment.",
    }
}
