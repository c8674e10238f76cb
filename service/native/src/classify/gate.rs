//! Whether a text of ASCII characters can hold an identifier (`suspicious` of querymix.core.identifiers.detector).

use std::collections::HashMap;

use crate::classify::bundle::crc32;
use crate::classify::words::Words;

/// What a word is to the gate. Each set comes from Python.
pub const TOLD: u8 = 1;
pub const CUE: u8 = 2;
pub const SEED: u8 = 4;
pub const BEFORE_NUMBER: u8 = 8;

const FILTER_BITS: usize = 1 << 16;

pub struct Gate {
    name_tags: u32,
    fewest: usize,
    said: usize,
    sets: HashMap<Vec<u8>, u8>,
    /// A bit for the hash of each word in the sets but the seeds, which are common words: most words are in none.
    filter: Vec<u64>,
    endings: Vec<Vec<u8>>,
}

impl Gate {
    /// `sets` are told, cues, seeds and what stands before numbers, in this order.
    pub fn new(name_tags: u32, fewest: usize, said: usize, sets: [Vec<String>; 4], endings: Vec<String>) -> Self {
        let mut flags = HashMap::new();
        let mut filter = vec![0; FILTER_BITS / 64];
        for (set, flag) in sets.into_iter().zip([TOLD, CUE, SEED, BEFORE_NUMBER]) {
            for word in set {
                let bit = crc32(word.as_bytes()) as usize % FILTER_BITS;
                filter[bit / 64] |= u64::from(flag != SEED) << (bit % 64);
                *flags.entry(word.into_bytes()).or_insert(0) |= flag;
            }
        }
        let endings = endings.into_iter().map(String::into_bytes).collect();
        Gate { name_tags, fewest, said, sets: flags, filter, endings }
    }

    /// `tags` are those of all words, or-ed.
    pub fn suspicious(&self, text: &[u8], words: &Words, tags: u32) -> bool {
        let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        if tags & self.name_tags != 0 && (letters < text.len() || letters == 0) {
            return true;
        }
        let plain = letters > 0 && text.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
        if plain && words.len() == 1 {
            return camel(text);
        }
        if plain {
            return self.any(words, TOLD) || self.maybe_seed(words);
        }
        !quiet(text) || self.any(words, CUE) || self.maybe_house_number(words) || self.maybe_seed(words)
    }

    fn flags(&self, word: &[u8]) -> u8 {
        self.sets.get(word).copied().unwrap_or(0)
    }

    /// Say whether one of the words is in one of the sets `flag`, which is not the seeds.
    fn any(&self, words: &Words, flag: u8) -> bool {
        let maybe = |code: u32| {
            let bit = code as usize % FILTER_BITS;
            self.filter[bit / 64] >> (bit % 64) & 1 == 1
        };
        words.iter().zip(words.codes()).any(|(word, code)| maybe(code) && self.flags(word) & flag != 0)
    }

    fn maybe_seed(&self, words: &Words) -> bool {
        words.len() >= self.fewest && words.iter().filter(|word| self.flags(word) & SEED != 0).count() >= self.said
    }

    fn maybe_house_number(&self, words: &Words) -> bool {
        let mut before: &[u8] = b"";
        for word in words.iter() {
            let number = word.first().is_some_and(u8::is_ascii_digit);
            let ends = |ending: &Vec<u8>| before.ends_with(ending);
            if number && (self.flags(before) & BEFORE_NUMBER != 0 || self.endings.iter().any(ends)) {
                return true;
            }
            before = word;
        }
        false
    }
}

/// `CAMEL`: a capital between small letters, two on each side.
fn camel(text: &[u8]) -> bool {
    text.windows(5).any(|part| {
        part[2].is_ascii_uppercase() && [0, 1, 3, 4].iter().all(|place: &usize| part[*place].is_ascii_lowercase())
    })
}

/// `QUIET`: words and usual hosts, or words and one short number that is no high age.
fn quiet(text: &[u8]) -> bool {
    let mut digits = 0..0;
    let (mut dot, mut apostrophe) = (false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b' ' | b',' | b'?' | b'!' | b'"' => {}
            b'\'' => apostrophe = true,
            b'0'..=b'9' if digits.is_empty() => digits = at..at + 1,
            b'0'..=b'9' if digits.end == at => digits.end += 1,
            b'.' if usual_dot(text, at) => dot = true,
            _ => return false,
        }
    }
    if digits.is_empty() {
        return true;
    }
    let before = text[..digits.start].last().is_some_and(u8::is_ascii_alphabetic);
    let after = text.get(digits.end).is_some_and(u8::is_ascii_alphabetic);
    let high_age = match &text[digits.clone()] {
        [b'9', _] => true,
        [b'1', tens, _] => matches!(tens, b'0' | b'1'),
        _ => false,
    };
    !(dot || apostrophe || before || after || high_age || digits.len() > 4)
}

/// Whether a dot stands behind "www", or begins the usual ending of a host.
fn usual_dot(text: &[u8], at: usize) -> bool {
    if text[..at].ends_with(b"www") {
        return true;
    }
    let ending = matches!(text.get(at + 1..at + 4), Some(b"com" | b"net" | b"org" | b"edu" | b"gov"));
    ending && !text.get(at + 4).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'.')
}
