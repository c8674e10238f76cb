//! Look-ups in a knowledge bundle, as querymix.knowledge.bundle does them. Every read is checked: a damaged bundle gives
//! `NotMine`, and Python then says which file it is.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

use crate::classify::packed::{Weights, FIELDS, OFFSET};
use crate::classify::words::Words;

const RECORD: usize = 18;
const OWN_WEIGHTS: u64 = 1;
const CATEGORY_WEIGHTS: u64 = 2;
const LATER_BITS: u64 = 4;
const FIRST_BITS: u64 = 8;
/// Bytes of most records; many lie in two of the processor's lines.
const MOST_OF_A_RECORD: usize = 48;
const PREFILTER_BITS: u32 = 63;

/// Tags of a term (querymix.core.knowledge).
pub const STOP: u32 = 4;
pub const COMMON: u32 = 8;

/// What Python has to answer: a place that leads out of the file was met, or anything rare.
#[derive(Debug)]
pub struct NotMine;

/// What is known of a term (querymix.core.knowledge.Term).
#[derive(Clone, Copy)]
pub struct Term {
    pub known: bool,
    pub tags: u32,
    pub references: u64,
    pub category: i32,
    /// The place of its path among the bundle's, 0 where it has none.
    pub path: u32,
    pub weights: Weights,
    pub span: u8,
    pub bit: u64,
    pub later_bits: u64,
    pub first_bits: u64,
    /// Where the recommendation begins and how long it is.
    pub recommendation: (usize, usize),
}

/// What is known of a term that the bundle has not: it passes every prefilter.
pub const UNKNOWN: Term = Term {
    known: false,
    tags: 0,
    references: 0,
    category: -1,
    path: 0,
    weights: None,
    span: 1,
    bit: (1 << PREFILTER_BITS) - 1,
    later_bits: 0,
    first_bits: (1 << PREFILTER_BITS) - 1,
    recommendation: (0, 0),
};

pub struct Bundle {
    content: PyBuffer<u8>,
    places: Places,
}

/// Where the parts of a bundle lie in it.
#[derive(Clone, Copy, FromPyObject)]
pub struct Places {
    slots: usize,
    records: usize,
    paths: usize,
    /// The table of word pieces (querymix.core.word_pieces), which is empty in format 5: from where to before where.
    pieces: usize,
    end: usize,
}

// The buffer is read-only memory of a file that is mapped; it stays until the buffer is released.
unsafe impl Sync for Bundle {}
unsafe impl Send for Bundle {}

impl Bundle {
    /// Return a bundle over a buffer, None where the places are none in it.
    pub fn new(content: PyBuffer<u8>, places: Places) -> Option<Self> {
        let Places { slots, records, paths, pieces, end } = places;
        let sane = slots < records && records <= paths && paths <= pieces && pieces <= end;
        let bundle = Bundle { content, places };
        (sane && bundle.content.is_c_contiguous() && end <= bundle.content.len_bytes()).then_some(bundle)
    }

    pub fn bytes(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.content.buf_ptr() as *const u8, self.content.len_bytes()) }
    }

    /// Return what is known of a term.
    pub fn find(&self, key: &[u8]) -> Result<Term, NotMine> {
        self.find_coded(key, crc32(key))
    }

    /// Return what is known of a term, given its CRC-32.
    pub fn find_coded(&self, key: &[u8], code: u32) -> Result<Term, NotMine> {
        self.find_from(key, code, self.slot(code)?)
    }

    /// Return what is known of each word. One place in memory is read for all words before the next one is: the
    /// processor waits for many at once then. `first` is room: the first slot of each, and what was read behind it.
    pub fn find_all(&self, words: &[Words], first: &mut Vec<(u32, u8)>, terms: &mut Vec<Term>) -> Result<(), NotMine> {
        first.clear();
        terms.clear();
        for code in words.iter().flat_map(Words::codes) {
            first.push((self.slot(code)?, 0));
        }
        let data = self.bytes();
        for (slot, read) in first.iter_mut() {
            let at = self.places.records + *slot as usize + 7;
            *read = data.get(at).copied().unwrap_or(0) ^ data.get(at + MOST_OF_A_RECORD).copied().unwrap_or(0);
        }
        let mut slots = first.iter();
        for each in words {
            for (word, code) in each.iter().zip(each.codes()) {
                terms.push(self.find_from(word, code, slots.next().ok_or(NotMine)?.0)?);
            }
        }
        Ok(())
    }

    fn slots(&self) -> usize {
        (self.places.records - self.places.slots) / 4
    }

    fn slot(&self, code: u32) -> Result<u32, NotMine> {
        u32_at(self.bytes(), self.places.slots + 4 * (code as usize % self.slots()))
    }

    /// Return what is known of a term; `slot` is the content of the first one that it may be in.
    fn find_from(&self, key: &[u8], code: u32, mut slot: u32) -> Result<Term, NotMine> {
        let data = self.bytes();
        for further in 1..=self.slots() {
            if slot == 0 {
                return Ok(UNKNOWN);
            }
            let at = self.places.records + slot as usize - 1;
            let size = usize::from(*data.get(at + 8).ok_or(NotMine)?);
            if size == key.len() && data.get(at + RECORD..at + RECORD + size).ok_or(NotMine)? == key {
                return self.decode(at, size, code, key.contains(&b' '));
            }
            let place = (code as usize % self.slots() + further) % self.slots();
            slot = u32_at(data, self.places.slots + 4 * place)?;
        }
        Err(NotMine) // no slot is empty
    }

    /// Return the path that lies at a place among the paths; one of no characters is none.
    pub fn path(&self, place: u32) -> Result<&str, NotMine> {
        let at = self.places.paths + place as usize;
        let size = self.bytes().get(at..at + 2).ok_or(NotMine)?;
        let size = usize::from(u16::from_le_bytes(size.try_into().map_err(|_| NotMine)?));
        let path = self.bytes().get(at + 2..at + 2 + size).ok_or(NotMine)?;
        match std::str::from_utf8(path) {
            Ok(path) if size > 0 => Ok(path),
            _ => Err(NotMine),
        }
    }

    /// The table of word pieces, a row of `FIELDS` bytes each.
    pub fn pieces(&self) -> &[u8] {
        &self.bytes()[self.places.pieces..self.places.end]
    }

    /// Where the records begin, and before where they end.
    pub fn records(&self) -> (usize, usize) {
        (self.places.records, self.places.paths)
    }

    fn decode(&self, at: usize, size: usize, code: u32, longer: bool) -> Result<Term, NotMine> {
        let data = self.bytes();
        let facts = u32_at(data, at)?;
        let path = u32_at(data, at + 4)?;
        let other = *data.get(at + 9).ok_or(NotMine)? as usize;
        let references = u64_at(data, at + 10)?;
        let mut rest = at + RECORD + size;
        let recommendation = (rest, other);
        rest += other;
        let category = (facts & 31) as i32 - 1;
        let mut weights = None;
        if references & 3 == OWN_WEIGHTS {
            let own: [u8; FIELDS] = data.get(rest..rest + FIELDS).ok_or(NotMine)?.try_into().map_err(|_| NotMine)?;
            weights = (own != [0; FIELDS]).then_some(own);
            rest += FIELDS;
        } else if references & 3 == CATEGORY_WEIGHTS {
            weights = category_only(category);
        }
        let (mut later_bits, mut first_bits) = (0, 0);
        if references & LATER_BITS != 0 {
            later_bits = u64_at(data, rest)?;
            rest += 8;
        }
        if references & FIRST_BITS != 0 {
            first_bits = u64_at(data, rest)?;
        }
        Ok(Term {
            known: true,
            tags: facts >> 8,
            references: references >> 4,
            category,
            path,
            weights,
            span: (facts >> 5 & 7) as u8,
            bit: if longer { 0 } else { 1 << (code % PREFILTER_BITS) },
            later_bits,
            first_bits,
            recommendation,
        })
    }
}

impl Bundle {
    /// Return a term's recommendation, empty where it has none.
    pub fn recommendation(&self, term: &Term) -> Result<&[u8], NotMine> {
        let (at, size) = term.recommendation;
        self.bytes().get(at..at + size).filter(|content| content.is_ascii()).ok_or(NotMine)
    }

    /// Call with the place, the size and the references of each word that has so many (Python's `counts`).
    pub fn each_word(&self, least: u64, each: &mut dyn FnMut(usize, usize, u64)) -> Result<(), NotMine> {
        let (mut at, end) = self.records();
        while at < end {
            let record = self.bytes().get(at..at + RECORD).ok_or(NotMine)?;
            let (size, other) = (record[8] as usize, record[9] as usize);
            let references = u64_at(record, 10)?;
            at += RECORD;
            if references >> 4 >= least && !self.bytes().get(at..at + size).ok_or(NotMine)?.contains(&b' ') {
                each(at, size, references >> 4);
            }
            at += size + other;
            at += if references & 3 == OWN_WEIGHTS { FIELDS } else { 0 };
            at += if references & LATER_BITS != 0 { 8 } else { 0 };
            at += if references & FIRST_BITS != 0 { 8 } else { 0 };
        }
        Ok(())
    }

    /// Call with the CRC-32 of each beginning of `content` that has `least` bytes at least.
    pub fn crc32_of_each(&self, content: &[u8], least: usize, each: &mut dyn FnMut(u32)) {
        let mut code = !0u32;
        for (at, byte) in content.iter().enumerate() {
            code = CRC_TABLE[((code ^ u32::from(*byte)) & 255) as usize] ^ (code >> 8);
            if at + 1 >= least {
                each(!code);
            }
        }
    }
}

/// Weights of a term of which nothing but the category is known (`CATEGORY_ONLY` of querymix.core.packed_weights).
fn category_only(category: i32) -> Weights {
    const OWN: i32 = 80;
    const OTHER: i32 = -5;
    let own = usize::try_from(category).ok()?;
    let mut weights = [(i32::from(OFFSET) + OTHER) as u8; FIELDS];
    *weights.get_mut(own)? = (i32::from(OFFSET) + OWN) as u8;
    Some(weights)
}

fn u32_at(data: &[u8], at: usize) -> Result<u32, NotMine> {
    let bytes = data.get(at..at + 4).ok_or(NotMine)?;
    Ok(u32::from_le_bytes(bytes.try_into().map_err(|_| NotMine)?))
}

fn u64_at(data: &[u8], at: usize) -> Result<u64, NotMine> {
    let bytes = data.get(at..at + 8).ok_or(NotMine)?;
    Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| NotMine)?))
}

static CRC_TABLE: [u32; 256] = crc_table();

const fn crc_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut place = 0;
    while place < 256 {
        let mut code = place as u32;
        let mut bit = 0;
        while bit < 8 {
            code = if code & 1 == 1 { 0xEDB8_8320 ^ (code >> 1) } else { code >> 1 };
            bit += 1;
        }
        table[place] = code;
        place += 1;
    }
    table
}

pub fn crc32(content: &[u8]) -> u32 {
    crc32_more(0, content)
}

/// Return the CRC-32 of what had `code`, and `content` behind it.
pub fn crc32_more(code: u32, content: &[u8]) -> u32 {
    let more = |code: u32, byte: &u8| CRC_TABLE[((code ^ u32::from(*byte)) & 255) as usize] ^ (code >> 8);
    !content.iter().fold(!code, more)
}
