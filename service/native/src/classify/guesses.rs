//! What a word weighs that nothing reduces to known ones, as querymix.core.guesses does it; the rules stand there and in
//! querymix.core.word_pieces. Any word of ASCII characters is taken.

use crate::classify::bundle::{Bundle, NotMine, Term, COMMON, STOP};
use crate::classify::packed::{Weights, FIELDS, LARGEST, OFFSET};

const SHORTEST_PART: usize = 4;
const LONGEST: usize = 48; // no more pieces than fields of a sum can hold
const LINKS: [&[u8]; 6] = [b"", b"s", b"es", b"n", b"en", b"er"];
const SHORTEST_PIECE: usize = 3;
const LONGEST_PIECE: usize = 6;

/// Return what is known of a word, with guessed weights where it has none.
pub fn guess(bundle: &Bundle, word: &[u8]) -> Result<Term, NotMine> {
    let found = bundle.find(word)?;
    Ok(match weights(bundle, word, &found)? {
        None => found,
        Some((weights, None)) => Term { weights, ..found },
        Some((weights, Some((head, _)))) => Term { weights, category: head.category, path: head.path, ..found },
    })
}

/// What a word weighs, and what is known of a compound's head and where it begins.
pub type Guessed = (Weights, Option<(Term, usize)>);

/// Return what is guessed of a word, None where nothing is to be: what is known of it is enough, or it is none.
pub fn weights(bundle: &Bundle, word: &[u8], known: &Term) -> Result<Option<Guessed>, NotMine> {
    if !word.is_ascii() {
        return Err(NotMine);
    }
    let is_lower = word.iter().any(u8::is_ascii_lowercase) && !word.iter().any(u8::is_ascii_uppercase);
    if known.weights.is_some() || known.tags & STOP != 0 || word.len() > LONGEST || !is_lower {
        return Ok(None);
    }
    Ok(Some(match compound(bundle, word, true)? {
        Some((weights, head, at)) => (Some(weights), Some((head, at))),
        None => (of_pieces(bundle, word)?, None),
    }))
}

/// Return what a compound weighs, what is known of its head and where that begins; None for a word that is none.
fn compound(bundle: &Bundle, word: &[u8], of_three: bool) -> Result<Option<([u8; FIELDS], Term, usize)>, NotMine> {
    if word.len() < 2 * SHORTEST_PART || !word.iter().all(u8::is_ascii_alphabetic) {
        return Ok(None);
    }
    for at in SHORTEST_PART..=word.len() - SHORTEST_PART {
        let head = bundle.find(&word[at..])?;
        if let Some(last) = ordinary(&head) {
            if let Some(first) = first_part(bundle, &word[..at], of_three)? {
                let mut weights = [0; FIELDS];
                for ((weight, one), two) in weights.iter_mut().zip(first).zip(last) {
                    let offset = i32::from(OFFSET);
                    let sum = i32::from(one) - offset + 2 * (i32::from(two) - offset);
                    // Two thirds, rounded: a third is never half way.
                    let rounded = (4 * sum + 3).div_euclid(6);
                    *weight = (rounded.clamp(-LARGEST, LARGEST) + offset) as u8;
                }
                return Ok(Some((weights, head, at)));
            }
        }
    }
    Ok(None)
}

/// Return the weights of a compound's first part, which may end with a link; None where it is not known.
fn first_part(bundle: &Bundle, part: &[u8], of_three: bool) -> Result<Weights, NotMine> {
    for link in LINKS {
        if let Some(first) = part.strip_suffix(link) {
            if first.len() >= SHORTEST_PART {
                let known = bundle.find(first)?;
                if let Some(weights) = ordinary(&known) {
                    return Ok(Some(weights));
                }
                if of_three {
                    if let Some((weights, _, _)) = compound(bundle, first, false)? {
                        return Ok(Some(weights));
                    }
                }
            }
        }
    }
    Ok(None)
}

fn ordinary(term: &Term) -> Weights {
    term.weights.filter(|_| term.tags & COMMON != 0)
}

/// Return the mean of the known rows of a word's pieces, None where no row is known.
fn of_pieces(bundle: &Bundle, word: &[u8]) -> Result<Weights, NotMine> {
    let table = bundle.pieces();
    let rows = table.len() / FIELDS;
    if rows == 0 {
        return Ok(None);
    }
    let padded = [b"<", word, b">"].concat();
    let (mut sums, mut known) = ([0u32; FIELDS], 0);
    for start in 0..=padded.len() - SHORTEST_PIECE {
        let longest = LONGEST_PIECE.min(padded.len() - start);
        bundle.crc32_of_each(&padded[start..start + longest], SHORTEST_PIECE, &mut |code| {
            let at = code as usize % rows * FIELDS;
            let row = &table[at..at + FIELDS];
            if row.iter().any(|weight| *weight != 0) {
                known += 1;
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += u32::from(*weight);
                }
            }
        });
    }
    if known == 0 {
        return Ok(None);
    }
    let mut weights = [0; FIELDS];
    for (weight, sum) in weights.iter_mut().zip(sums) {
        *weight = half_to_even(sum, known) as u8;
        if *weight == 0 {
            return Err(NotMine); // a row that no table has
        }
    }
    Ok(Some(weights))
}

/// Return a quotient, rounded as Python rounds.
fn half_to_even(sum: u32, count: u32) -> u32 {
    let (quotient, rest) = (sum / count, sum % count);
    let up = 2 * rest > count || (2 * rest == count && quotient % 2 == 1);
    quotient + u32::from(up)
}
