//! What is read from Kafka and written to it.

pub mod fetched;
pub mod frames;
pub mod json;
pub mod records;
