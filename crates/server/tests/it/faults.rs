//! What the service stands on fails: the disk is full, the database is gone or does not answer, its clients never come to
//! an end.

mod database_down;
mod disk_full;
mod proxy;
mod revoked;
mod slow_clients;
