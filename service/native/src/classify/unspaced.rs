//! Whether a word may be a whole name (`Vocabulary.is_whole` of querymix.core.identifiers.names.roles).

use crate::classify::bundle::{crc32, crc32_more, Bundle, NotMine, Term, COMMON, STOP};

const MIN_UNSPACED: usize = 9;
const LONGEST_REMEMBERED: usize = 32;
const COMMON_REFERENCES: u64 = 3_000_000;
const RARE_REFERENCES: u64 = 100_000;
/// Letters of each half of a name, at least.
const HALF: usize = 3;

/// Tags of a term (querymix.core.knowledge).
const FIRST_NAME: u32 = 16;
const SURNAME: u32 = 32;
const STATE: u32 = 512;
const PLACE: u32 = 1024;
const FLAGS: u32 = 4095;

/// Words in one text with a line end behind each, and a table of where they begin.
struct WordSet {
    text: Vec<u8>,
    /// The place of a word plus one, 0 where there is none.
    table: Vec<u32>,
}

impl WordSet {
    fn new(words: &str) -> Self {
        let count = words.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let mut set =
            WordSet { text: Vec::with_capacity(words.len() + 1), table: vec![0; (4 * count).next_power_of_two()] };
        for word in words.split('\n') {
            let slot = set.slot(word.as_bytes(), crc32(word.as_bytes()));
            if set.table[slot] == 0 {
                set.table[slot] = set.text.len() as u32 + 1;
                set.text.extend_from_slice(word.as_bytes());
                set.text.push(b'\n');
            }
        }
        set
    }

    /// Return where a word is in the table, or would be.
    fn slot(&self, word: &[u8], code: u32) -> usize {
        let mut slot = code as usize & (self.table.len() - 1);
        while self.table[slot] != 0 {
            let at = self.table[slot] as usize - 1;
            if self.text[at..].starts_with(word) && self.text.get(at + word.len()) == Some(&b'\n') {
                break;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        slot
    }

    fn holds(&self, word: &[u8], code: u32) -> bool {
        self.table[self.slot(word, code)] != 0
    }
}

/// The names that are known, and what is known to be none.
pub struct Unspaced {
    given: WordSet,
    family: WordSet,
    /// What is no sure surname, whatever its tags say.
    others: WordSet,
}

impl Unspaced {
    /// Each of the three are words with line ends between them.
    pub fn new(given: &str, family: &str, others: &str) -> Self {
        Unspaced { given: WordSet::new(given), family: WordSet::new(family), others: WordSet::new(others) }
    }

    pub fn is_whole(&self, bundle: &Bundle, word: &[u8], term: &Term) -> Result<bool, NotMine> {
        let long = (MIN_UNSPACED..=LONGEST_REMEMBERED).contains(&word.len());
        if !long || !is_rare(term) || !word.iter().all(u8::is_ascii_alphabetic) {
            return Ok(false);
        }
        let mut code = crc32(&word[..HALF - 1]);
        for at in HALF..word.len() - HALF {
            code = crc32_more(code, &word[at - 1..at]);
            if self.given.holds(&word[..at], code) && self.is_family(bundle, &word[at..])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Say whether a word is a sure surname (`Vocabulary._family`).
    fn is_family(&self, bundle: &Bundle, word: &[u8]) -> Result<bool, NotMine> {
        let code = crc32(word);
        if self.family.holds(word, code) || self.others.holds(word, code) {
            return Ok(self.family.holds(word, code));
        }
        let term = bundle.find_coded(word, code)?;
        let named = term.tags & SURNAME != 0 && term.tags & (COMMON | STOP | STATE | PLACE) == 0;
        Ok(named && term.references < COMMON_REFERENCES)
    }
}

/// Say whether few know a word, and no other sense of it: no dictionary has it.
fn is_rare(term: &Term) -> bool {
    let named = term.tags & FLAGS & !FIRST_NAME == 0;
    named && term.references < RARE_REFERENCES && term.category < 0 && term.recommendation.1 == 0
}
