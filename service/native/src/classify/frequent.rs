//! The frequent words of a bundle, and what is left of the possible corrections with one letter out: the tables that
//! querymix.core.unknown makes when it is made. A word is a place in the bundle; a look-up compares its letters.

use crate::classify::bundle::{Bundle, NotMine};

/// Characters of the longest word that is looked at.
pub const LONGEST: usize = 48;
pub const MIN_CORRECTED: usize = 5;
pub const TOTAL: f64 = 1_024_908_267_229.0;
const MIN_COUNT: u64 = 50_000;
const MIN_OF_TWO: u64 = 250_000_000;
const MIN_OF_THREE: u64 = 25_000_000;
const MIN_TARGET: u64 = 1_000_000;
pub const EDIT: f64 = 0.3;
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
const SPREAD: u64 = 0xD6E8_FEB8_6659_FD93;

/// A word with the hash of each run of its letters: a polynomial in `BASE` modulo 2 to the 64.
pub struct Hashed<'a> {
    pub word: &'a [u8],
    upto: [u64; LONGEST + 1],
    powers: [u64; LONGEST + 1],
}

impl<'a> Hashed<'a> {
    /// `word` has at most `LONGEST` bytes.
    pub fn new(word: &'a [u8]) -> Self {
        let mut hashed = Hashed { word, upto: [0; LONGEST + 1], powers: [1; LONGEST + 1] };
        for (at, byte) in word.iter().enumerate() {
            hashed.upto[at + 1] = hashed.upto[at].wrapping_mul(BASE).wrapping_add(u64::from(*byte));
            hashed.powers[at + 1] = hashed.powers[at].wrapping_mul(BASE);
        }
        hashed
    }

    fn run(&self, start: usize, end: usize) -> u64 {
        self.upto[end].wrapping_sub(self.upto[start].wrapping_mul(self.powers[end - start]))
    }

    /// Call with the hash of the word and of what is left with one letter out, any but the first one; and that place.
    fn forms(&self, each: &mut dyn FnMut(u64, usize)) {
        let (word, size) = (self.word, self.word.len());
        each(self.run(0, size), size);
        for out in 1..size {
            // The same letter before it leaves the same, except the first one's, which stays.
            if out == 1 || word[out] != word[out - 1] {
                let before = self.upto[out].wrapping_mul(self.powers[size - out - 1]);
                each(before.wrapping_add(self.run(out + 1, size)), out);
            }
        }
    }
}

/// Numbers of words by hash: several may have the same.
struct Numbers {
    slots: Vec<u64>,
    shift: u32,
}

impl Numbers {
    fn new(most: usize) -> Self {
        let slots = (most + most / 2 + 2).next_power_of_two();
        Numbers { slots: vec![0; slots], shift: 64 - slots.trailing_zeros() }
    }

    fn put(&mut self, hash: u64, number: usize) {
        let code = hash.wrapping_mul(SPREAD);
        let mut place = (code >> self.shift) as usize;
        while self.slots[place] != 0 {
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = code << 32 | (number as u64 + 1);
    }

    /// Call with each number that may have this hash.
    fn each(&self, hash: u64, mut each: impl FnMut(usize) -> bool) {
        let code = hash.wrapping_mul(SPREAD);
        let mut place = (code >> self.shift) as usize;
        while self.slots[place] != 0 {
            let slot = self.slots[place];
            if slot >> 32 == code & 0xFFFF_FFFF && each((slot & 0xFFFF_FFFF) as usize - 1) {
                return;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }
}

struct Word {
    probability: f64,
    at: u32,
    size: u32,
}

impl Word {
    fn letters<'a>(&self, bundle: &'a Bundle) -> &'a [u8] {
        &bundle.bytes()[self.at as usize..(self.at + self.size) as usize]
    }

    fn may_be_meant(&self, references: u64) -> bool {
        let enough = references >= MIN_TARGET && self.size as usize >= MIN_CORRECTED - 1;
        enough && self.probability + EDIT > -f64::from(self.size) - 1.0
    }
}

pub struct Frequent {
    words: Vec<Word>,
    by_word: Numbers,
    by_form: Numbers,
}

impl Frequent {
    pub fn new(bundle: &Bundle) -> Result<Self, NotMine> {
        if bundle.bytes().len() > u32::MAX as usize {
            return Err(NotMine);
        }
        let mut words = Vec::new();
        let mut meant = Vec::new();
        bundle.each_word(MIN_COUNT, &mut |at, size, references| {
            let word = Word { probability: (references as f64 / TOTAL).log10(), at: at as u32, size: size as u32 };
            let least = [MIN_COUNT, MIN_COUNT, MIN_OF_TWO, MIN_OF_THREE].get(size).copied().unwrap_or(MIN_COUNT);
            if references >= least && size <= LONGEST && word.letters(bundle).iter().all(u8::is_ascii_alphabetic) {
                if word.may_be_meant(references) {
                    meant.push(words.len());
                }
                words.push(word);
            }
        })?;
        let mut by_word = Numbers::new(words.len());
        for (number, word) in words.iter().enumerate() {
            by_word.put(hash(word.letters(bundle)), number);
        }
        let forms = meant.iter().map(|number| words[*number].size as usize).sum();
        let mut by_form = Numbers::new(forms);
        for number in meant {
            Hashed::new(words[number].letters(bundle)).forms(&mut |hash, _| by_form.put(hash, number));
        }
        Ok(Frequent { words, by_word, by_form })
    }

    /// Return the decimal logarithm of a frequent word's probability, None for any other; the word is a run of letters.
    pub fn probability(&self, bundle: &Bundle, hashed: &Hashed, start: usize, end: usize) -> Option<f64> {
        let mut found = None;
        self.by_word.each(hashed.run(start, end), |number| {
            let word = &self.words[number];
            let same = word.letters(bundle) == &hashed.word[start..end];
            if same {
                found = Some(word.probability);
            }
            same
        });
        found
    }

    /// Call with each possible correction that shares a form with the word, and its probability's logarithm.
    pub fn near<'a>(&self, bundle: &'a Bundle, hashed: &Hashed, each: &mut dyn FnMut(&'a [u8], f64)) {
        let mut form = Vec::with_capacity(LONGEST);
        hashed.forms(&mut |hash, out| {
            self.by_form.each(hash, |number| {
                let word = &self.words[number];
                form.clear();
                form.extend_from_slice(&hashed.word[..out]);
                form.extend_from_slice(hashed.word.get(out + 1..).unwrap_or_default());
                if has_form(word.letters(bundle), &form) {
                    each(word.letters(bundle), word.probability);
                }
                false
            });
        });
    }
}

fn hash(word: &[u8]) -> u64 {
    word.iter().fold(0, |hash: u64, byte| hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte)))
}

/// Say whether a word is a form, or is it with one letter out, any but the first one.
fn has_form(word: &[u8], form: &[u8]) -> bool {
    if word.len() != form.len() + 1 {
        return word == form;
    }
    let at = word.iter().zip(form).take_while(|(letter, expected)| letter == expected).count();
    at > 0 && word[at + 1..] == form[at..]
}
