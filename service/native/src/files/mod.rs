//! Lines of files, the sort and the ids of a period.

pub mod aol;
pub mod periods;
pub mod queries;
