//! Rule 4 of querymix.core.unknown: the likeliest of an unknown word, frequent words without the spaces between them, and
//! a frequent word with one edit in it.

use crate::classify::bundle::{Bundle, NotMine};
use crate::classify::frequent::{Frequent, Hashed, EDIT, LONGEST, MIN_CORRECTED, TOTAL};

const MIN_SEGMENTED: usize = 6;
const MIN_OF_MANY: usize = 12;
const SEGMENTATION: f64 = 1.4;
const OTHER_EDIT: f64 = -0.9;
const LONGEST_PIECE: usize = 16;
const IMPOSSIBLE: f64 = -99.0;

/// Say whether a word stays as it is, whatever is frequent.
pub fn stays(word: &[u8]) -> bool {
    word.len() < MIN_CORRECTED || !word.iter().all(u8::is_ascii_alphabetic)
}

/// Hand what a word that does not stay most likely stands for to `keep`; it has at most `LONGEST` bytes.
pub fn likeliest(
    frequent: &Frequent,
    bundle: &Bundle,
    word: &[u8],
    keep: &mut dyn FnMut(&[u8]),
) -> Result<(), NotMine> {
    let size = word.len();
    let hashed = Hashed::new(word);
    let get = |start, end| frequent.probability(bundle, &hashed, start, end);
    if get(0, size).is_some() {
        keep(word);
        return Ok(());
    }
    let mut least = -(size as f64);
    let mut ends = Ends::default();
    if size >= MIN_SEGMENTED {
        if let Some(probability) = segmentation(bundle, word, least - SEGMENTATION, &get, &mut ends)? {
            least = probability + SEGMENTATION;
        }
    }
    if let Some(correction) = correction(frequent, bundle, &hashed, least) {
        return replaced(bundle, correction, keep);
    }
    if ends.count == 0 {
        keep(word);
    }
    let mut start = 0;
    for end in ends.of[..ends.count].iter().rev() {
        replaced(bundle, &word[start..*end], keep)?;
        start = *end;
    }
    Ok(())
}

fn replaced(bundle: &Bundle, piece: &[u8], keep: &mut dyn FnMut(&[u8])) -> Result<(), NotMine> {
    recommended(bundle.recommendation(&bundle.find(piece)?)?, piece, keep)
}

/// Hand the right spelling of a wrong word to `keep`, or the word where there is none.
pub fn recommended(recommendation: &[u8], word: &[u8], keep: &mut dyn FnMut(&[u8])) -> Result<(), NotMine> {
    if recommendation.is_empty() {
        keep(word);
    } else {
        recommendation.split(|byte| *byte == b' ').for_each(keep);
    }
    Ok(())
}

/// Where the pieces of a word end, the last one first.
#[derive(Default)]
struct Ends {
    of: [usize; LONGEST / 2],
    count: usize,
}

impl Ends {
    fn push(&mut self, end: usize) {
        self.of[self.count] = end;
        self.count += 1;
    }
}

/// Put down where the pieces of the likeliest segmentation end; its probability, None where that is at most `least`.
fn segmentation(
    bundle: &Bundle,
    word: &[u8],
    least: f64,
    get: &dyn Fn(usize, usize) -> Option<f64>,
    ends: &mut Ends,
) -> Result<Option<f64>, NotMine> {
    let size = word.len();
    let mut best = [IMPOSSIBLE; LONGEST + 1];
    let mut first = 0;
    let (mut largest, mut pair_at) = (least, 0);
    for at in 2..size - 1 {
        if let Some(one) = get(0, at) {
            best[at] = one;
            first = if first == 0 { at } else { first };
            if let Some(two) = get(at, size) {
                let mut probability = one + two;
                let pair = bundle.find(&[&word[..at], b" ", &word[at..]].concat())?.references;
                if pair != 0 {
                    probability = probability.max((pair as f64 / TOTAL).log10());
                }
                if probability > largest {
                    largest = probability;
                    pair_at = at;
                }
            }
        }
    }
    if pair_at != 0 {
        ends.push(size);
        ends.push(pair_at);
        return Ok(Some(largest));
    }
    Ok(if size < MIN_OF_MANY || first == 0 { None } else { of_many(size, first, &mut best, least, get, ends) })
}

/// Do as `segmentation` does, for three pieces and more; `best` holds the probabilities of the first ones.
fn of_many(
    size: usize,
    first: usize,
    best: &mut [f64; LONGEST + 1],
    least: f64,
    get: &dyn Fn(usize, usize) -> Option<f64>,
    ends: &mut Ends,
) -> Option<f64> {
    let mut begins = [0; LONGEST + 1];
    for start in first..size - 1 {
        let before = best[start];
        if before > least {
            for end in start + 2..=size.min(start + LONGEST_PIECE) {
                if let Some(probability) = get(start, end) {
                    if before + probability > best[end] {
                        best[end] = before + probability;
                        begins[end] = start;
                    }
                }
            }
        }
    }
    if best[size] <= least {
        return None;
    }
    let mut end = size;
    while end != 0 {
        ends.push(end);
        end = begins[end];
    }
    Some(best[size])
}

/// Return the likeliest correction of a word by one edit, None where its probability is at most `least`.
fn correction<'a>(frequent: &Frequent, bundle: &'a Bundle, hashed: &Hashed, least: f64) -> Option<&'a [u8]> {
    let word = hashed.word;
    let mut found: (f64, &[u8]) = (least, b"");
    frequent.near(bundle, hashed, &mut |right, probability| {
        let probability = probability + edit(word, right);
        // Of equals the last one in alphabetical order, as of Python's tuples.
        if probability > found.0 || (probability == found.0 && !found.1.is_empty() && right > found.1) {
            found = (probability, right);
        }
    });
    if found.1.is_empty() {
        None
    } else {
        Some(found.1)
    }
}

/// Return the decimal logarithm of how often one edit makes `word` of `right`; both share a form.
fn edit(word: &[u8], right: &[u8]) -> f64 {
    if word.len() < right.len() {
        return EDIT;
    }
    let at = word.iter().zip(right).take_while(|(letter, expected)| letter == expected).count();
    let likely = if word.len() > right.len() {
        word[at] == word[at - 1]
    } else if word[at + 1..] == right[at + 1..] {
        is_vowel(word[at]) && is_vowel(right[at])
    } else if word[at] == right[at + 1] && word[at + 1] == right[at] && word[at + 2..] == right[at + 2..] {
        true
    } else {
        return IMPOSSIBLE;
    };
    if likely {
        EDIT
    } else {
        OTHER_EDIT
    }
}

fn is_vowel(letter: u8) -> bool {
    b"aeiouy".contains(&letter)
}
