//! How a query's text becomes words (querymix.core.text), for texts of ASCII characters.

use crate::classify::bundle::crc32;

/// Most words of a text; one of more is Python's.
pub const MAX_WORDS: usize = 65;

const INSIDE: u8 = 0;
/// Dropped at a word's ends.
const END: u8 = 1;
/// Stands between words.
const BETWEEN: u8 = 2;

const KINDS: [u8; 128] = kinds();

const fn kinds() -> [u8; 128] {
    let mut kinds = [INSIDE; 128];
    let mut at = 0;
    let ends = b"'`.^_-&%$#@";
    while at < ends.len() {
        kinds[ends[at] as usize] = END;
        at += 1;
    }
    at = 0;
    let between = b" \"(),;:!?[]{}<>|*+=~/\\";
    while at < between.len() {
        kinds[between[at] as usize] = BETWEEN;
        at += 1;
    }
    at = 0;
    while at < 0x20 {
        kinds[at] = BETWEEN;
        at += 1;
    }
    kinds
}

fn kind(byte: u8) -> u8 {
    KINDS[usize::from(byte & 127)]
}

/// Words joined by single spaces, where each begins and ends, and the CRC-32 of each.
#[derive(Default)]
pub struct Words {
    joined: Vec<u8>,
    spans: Vec<(usize, usize)>,
    codes: Vec<u32>,
}

impl Words {
    pub fn clear(&mut self) {
        self.joined.clear();
        self.spans.clear();
        self.codes.clear();
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Add a word, in lower case.
    pub fn push(&mut self, word: &[u8]) {
        if !self.spans.is_empty() {
            self.joined.push(b' ');
        }
        let begin = self.joined.len();
        self.joined.extend_from_slice(word);
        self.joined[begin..].make_ascii_lowercase();
        self.spans.push((begin, self.joined.len()));
        self.codes.push(crc32(&self.joined[begin..]));
    }

    pub fn codes(&self) -> impl Iterator<Item = u32> + '_ {
        self.codes.iter().copied()
    }

    pub fn code(&self, place: usize) -> u32 {
        self.codes[place]
    }

    pub fn word(&self, place: usize) -> &[u8] {
        let (begin, end) = self.spans[place];
        &self.joined[begin..end]
    }

    /// The words from one place to before another, with spaces between them; at least one.
    pub fn run(&self, from: usize, to: usize) -> &[u8] {
        &self.joined[self.spans[from].0..self.spans[to - 1].1]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.spans.iter().map(move |&(begin, end)| &self.joined[begin..end])
    }

    /// Read the words of a text of ASCII characters without ":/" (what may be a URL is Python's), at most one more than
    /// `MAX_WORDS`: what is known of a word takes many times the room that it has in the text.
    pub fn read(&mut self, text: &[u8]) {
        self.clear();
        let mut at = 0;
        while at < text.len() && self.len() <= MAX_WORDS {
            if kind(text[at]) != INSIDE {
                at += 1; // between words, or dropped at the begin of one
                continue;
            }
            let begin = at;
            let mut end = at;
            let mut dotted = false;
            while at < text.len() && kind(text[at]) != BETWEEN {
                if kind(text[at]) == INSIDE {
                    end = at + 1;
                } else if text[at] == b'.' {
                    dotted = true;
                }
                at += 1;
            }
            self.add(&text[begin..end], dotted);
        }
    }

    fn add(&mut self, mut word: &[u8], dotted: bool) {
        if dotted && word.len() > 4 && word[..4].eq_ignore_ascii_case(b"www.") {
            word = &word[4..];
            while kind(word[0]) == END {
                word = &word[1..]; // its last byte is none of these
            }
        }
        self.push(word);
    }
}
