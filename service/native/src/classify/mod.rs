//! From texts to categories: what most queries need of the classifier and the knowledge.

pub mod bundle;
pub mod decide;
pub mod each;
pub mod engine;
pub mod frequent;
pub mod gate;
pub mod guesses;
pub mod likeliest;
pub mod packed;
pub mod unknown;
pub mod unspaced;
pub mod words;
