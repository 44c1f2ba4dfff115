//! What the service stands on fails: the disk is full, the database is gone or does not answer.

mod database_down;
mod disk_full;
mod proxy;
mod revoked;
