//! Whether a text of ASCII characters can hold an identifier (querymix.core.identifiers.gate).

use std::collections::{HashMap, HashSet};

use pyo3::prelude::*;

use crate::classify::bundle::{crc32, Bundle, NotMine, Term};
use crate::classify::unspaced::Unspaced;
use crate::classify::words::Words;

/// What a word is to the gate. Each set comes from Python.
const TOLD: u8 = 1;
const CUE: u8 = 2;
const SEED: u8 = 4;
const BEFORE_NUMBER: u8 = 8;
const PRIVATE: u8 = 16;
const WITHOUT_FIGURES: u8 = 32;
/// The first of two words that ask for a person.
const ASKS: u8 = 64;

const FILTER_BITS: usize = 1 << 16;
/// What French and Italian elide, the longer ones first (`ELIDED` of querymix.core.identifiers.tokens).
const ELIDED: [&[u8]; 9] = [b"dall", b"dell", b"nell", b"sull", b"all", b"un", b"d", b"l", b"n"];

/// What the gate needs to know, see `querymix.knowledge.engine`.
#[derive(FromPyObject)]
pub struct GateSets {
    name_tags: u32,
    fewest: usize,
    said: usize,
    told: Vec<String>,
    cues: Vec<String>,
    seeds: Vec<String>,
    before_numbers: Vec<String>,
    private: Vec<String>,
    without_figures: Vec<String>,
    asking: Vec<String>,
    endings: Vec<String>,
    given: String,
    family: String,
    no_family: String,
}

pub struct Gate {
    name_tags: u32,
    fewest: usize,
    said: usize,
    sets: HashMap<Vec<u8>, u8>,
    /// A bit for the hash of each word in the sets but the seeds, which are common words: most words are in none.
    filter: Vec<u64>,
    asking: HashSet<Vec<u8>>,
    endings: Vec<Vec<u8>>,
    unspaced: Unspaced,
}

impl Gate {
    pub fn new(from: GateSets) -> Self {
        let asks = from.asking.iter().filter_map(|pair| pair.split(' ').next().map(String::from)).collect();
        let mut sets = HashMap::new();
        let mut filter = vec![0; FILTER_BITS / 64];
        for (set, flag) in [
            (from.told, TOLD),
            (from.cues, CUE),
            (from.seeds, SEED),
            (from.before_numbers, BEFORE_NUMBER),
            (from.private, PRIVATE),
            (from.without_figures, WITHOUT_FIGURES),
            (asks, ASKS),
        ] {
            for word in set {
                let bit = crc32(word.as_bytes()) as usize % FILTER_BITS;
                filter[bit / 64] |= u64::from(flag != SEED) << (bit % 64);
                *sets.entry(word.into_bytes()).or_insert(0) |= flag;
            }
        }
        let (name_tags, fewest, said) = (from.name_tags, from.fewest, from.said);
        let asking = from.asking.into_iter().map(String::into_bytes).collect();
        let endings = from.endings.into_iter().map(String::into_bytes).collect();
        let unspaced = Unspaced::new(&from.given, &from.family, &from.no_family);
        Gate { name_tags, fewest, said, sets, filter, asking, endings, unspaced }
    }

    /// `terms` are what is known of the words.
    pub fn suspicious(&self, bundle: &Bundle, text: &[u8], words: &Words, terms: &[Term]) -> Result<bool, NotMine> {
        let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        if (letters < text.len() || letters == 0) && self.named(terms) || cased(text) {
            return Ok(true);
        }
        let plain = letters > 0 && text.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
        let told = if plain {
            words.len() > 1 && self.tells(words, TOLD)
        } else {
            !quiet(text)
                || self.tells(words, CUE)
                || self.maybe_house_number(words)
                || dutch(text)
                || (text.contains(&b'\'') && self.hides(bundle, words)?)
        };
        Ok(told || self.whole(bundle, words, terms)? || self.maybe_seed(words))
    }

    fn named(&self, terms: &[Term]) -> bool {
        terms.iter().fold(0, |tags, term| tags | term.tags) & self.name_tags != 0
    }

    /// Say whether words without a tag of a name may make an identifier; `told` is one of the sets.
    fn tells(&self, words: &Words, told: u8) -> bool {
        let (mut letter, mut found) = (false, 0);
        for (place, (word, code)) in words.iter().zip(words.codes()).enumerate() {
            letter |= word.len() == 1 && word[0].is_ascii_lowercase();
            if self.maybe(code) {
                let flags = self.flags(word);
                found |= if place == 0 { flags } else { flags & !ASKS };
            }
        }
        found & told != 0
            || (letter && found & PRIVATE != 0)
            || (found & ASKS != 0 && words.len() > 1 && self.asking.contains(words.run(0, 2)))
    }

    fn whole(&self, bundle: &Bundle, words: &Words, terms: &[Term]) -> Result<bool, NotMine> {
        for (word, term) in words.iter().zip(terms) {
            if self.unspaced.is_whole(bundle, word, term)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Say whether words with an apostrophe may be other ones to the search that make an identifier.
    fn hides(&self, bundle: &Bundle, words: &Words) -> Result<bool, NotMine> {
        let (mut bare, mut terms, mut other) = (Words::default(), vec![], false);
        for word in words.iter() {
            let mut kept = word;
            if let Some(at) = word.iter().position(|byte| *byte == b'\'') {
                if word.contains(&b'.') || word[at + 1..].contains(&b'\'') {
                    return Ok(true);
                }
                if word[at..] == *b"'s" {
                    (kept, other) = (&word[..at], true);
                } else if self.flags(&unelided(word, at)) & WITHOUT_FIGURES != 0 {
                    return Ok(true);
                }
            }
            bare.push(kept);
            terms.push(bundle.find(kept)?);
        }
        Ok(other && (self.named(&terms) || self.tells(&bare, CUE) || self.whole(bundle, &bare, &terms)?))
    }

    fn flags(&self, word: &[u8]) -> u8 {
        self.sets.get(word).copied().unwrap_or(0)
    }

    /// Whether a word, by its CRC-32, can be in one of the sets but the seeds.
    fn maybe(&self, code: u32) -> bool {
        let bit = code as usize % FILTER_BITS;
        self.filter[bit / 64] >> (bit % 64) & 1 == 1
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

/// A word with an apostrophe at `at` without what is elided before it.
fn unelided(word: &[u8], at: usize) -> Vec<u8> {
    let elided = ELIDED.iter().find(|elided| word[..at].ends_with(elided));
    match elided {
        Some(elided) if word.get(at + 1).is_some_and(u8::is_ascii_lowercase) => {
            [&word[..at - elided.len()], &word[at + 1..]].concat()
        }
        _ => word.to_vec(),
    }
}

/// `CASED`: a capital between small letters, two on each side, or an operator between words in small letters.
fn cased(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_uppercase) && (camel(text) || operator(text))
}

fn camel(text: &[u8]) -> bool {
    text.windows(5).any(|part| {
        part[2].is_ascii_uppercase() && [0, 1, 3, 4].iter().all(|place: &usize| part[*place].is_ascii_lowercase())
    })
}

fn operator(text: &[u8]) -> bool {
    let blank = |byte: u8| matches!(byte, 9..=13 | 0x1c..=0x1f | b' ');
    [&b"AND"[..], b"OR", b"NEAR"].iter().any(|word| {
        text.windows(word.len() + 4).any(|part| {
            let (before, rest) = part.split_at(2);
            let (inside, after) = rest.split_at(word.len());
            let apart = blank(before[1]) && blank(after[0]);
            apart && inside == *word && before[0].is_ascii_lowercase() && after[1].is_ascii_lowercase()
        })
    })
}

/// `DUTCH`: a postcode that is all of the text.
fn dutch(text: &[u8]) -> bool {
    let (Some(figures), Some(letters)) = (text.get(..4), text.get(text.len().saturating_sub(2)..)) else {
        return false;
    };
    let Some(between) = text.get(4..text.len().saturating_sub(2)) else {
        return false;
    };
    figures[0] != b'0'
        && figures.iter().all(u8::is_ascii_digit)
        && !between.is_empty()
        && between.iter().all(|byte| *byte == b' ')
        && letters.iter().all(u8::is_ascii_alphabetic)
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

/// Whether a dot stands behind a "www" that begins a word, or begins the usual ending of a host.
fn usual_dot(text: &[u8], at: usize) -> bool {
    if let Some(before) = text[..at].strip_suffix(b"www") {
        if !before.last().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'.') {
            return true;
        }
    }
    let ending = matches!(text.get(at + 1..at + 4), Some(b"com" | b"net" | b"org" | b"edu" | b"gov"));
    ending && !text.get(at + 4).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'.')
}
