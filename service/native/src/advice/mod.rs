//! What the hold would take under other rules.

pub mod thinned;
pub mod twister;
