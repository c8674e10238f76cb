//! The classifier by term weights, and its rules: querymix.core.terms.

use crate::classify::bundle::{crc32_more, Bundle, NotMine, Term, STOP};
use crate::classify::guesses::guess;
use crate::classify::packed::{add, share, Fields, FIELDS, OFFSET};
use crate::classify::unknown::Reduce;
use crate::classify::words::{Words, MAX_WORDS};

const LONGEST_UNIT: usize = 4;
/// How near a share may be to the least one before Python has to tell which is larger.
const CLOSE: f64 = 1e-9;

pub const UNCLASSIFIED: i32 = -1;

/// A query's category, the place of its path (0: the category itself) and where its main unit stands in `Room::units`.
#[derive(Clone, Copy)]
pub struct Decision {
    pub category: i32,
    pub path: u32,
    pub unit: (usize, usize),
}

const NOTHING: Decision = Decision { category: UNCLASSIFIED, path: 0, unit: (0, 0) };

/// A term with weights, and the words of a query that it is: from which to before which.
struct Part {
    from: usize,
    to: usize,
    tags: u32,
    category: i32,
    path: u32,
    weights: [u8; FIELDS],
}

impl Part {
    fn new(from: usize, to: usize, term: &Term, weights: [u8; FIELDS]) -> Self {
        Part { from, to, tags: term.tags, category: term.category, path: term.path, weights }
    }
}

/// What is used again for each text.
#[derive(Default)]
pub struct Room {
    parts: Vec<Part>,
    pieces: Words,
    /// The main units of all texts, one behind the other.
    pub units: Vec<u8>,
}

pub struct Judge {
    pub bundle: Bundle,
    pub reduce: Reduce,
    pub bias: Fields,
    pub confidence: f64,
}

#[derive(Clone, Copy, PartialEq)]
pub struct How {
    /// Whether the letters of a word without weights say something.
    pub guessing: bool,
    /// Whether the words are those that unknown ones were reduced to.
    pub reduced: bool,
}

pub const FIRST: How = How { guessing: true, reduced: false };

impl Judge {
    /// Decide the category of a query; `terms` is what is known of each word.
    pub fn decide(&self, words: &Words, terms: &[Term], how: How, room: &mut Room) -> Result<Decision, NotMine> {
        if words.len() > MAX_WORDS {
            return Err(NotMine);
        }
        let mut score = self.bias;
        room.parts.clear();
        for (at, term) in terms.iter().enumerate() {
            if let Some(weights) = term.weights {
                add(&mut score, &weights);
                room.parts.push(Part::new(at, at + 1, term, weights));
            } else if term.tags == 0 && !how.reduced {
                if !self.stays(words.word(at), room)? {
                    let (words, terms) = self.reduced(words, terms, how)?;
                    return self.decide(&words, &terms, How { reduced: true, ..how }, room);
                }
                if how.guessing {
                    let guessed = guess(&self.bundle, words.word(at))?;
                    if let Some(weights) = guessed.weights {
                        if !self.in_longer(words, terms, at)? {
                            add(&mut score, &weights);
                            room.parts.push(Part::new(at, at + 1, &guessed, weights));
                        }
                    }
                }
            }
            if term.later_bits != 0 {
                self.add_longer(words, terms, at, &mut score, room)?;
            }
        }
        if room.parts.is_empty() {
            return if how.guessing { self.guessed(words, room) } else { Ok(NOTHING) };
        }
        let mut winner = 0;
        for place in 1..FIELDS {
            if score[place] > score[winner] {
                winner = place;
            }
        }
        if self.confidence > 0.0 {
            let share = share(&score, winner);
            if (share - self.confidence).abs() < CLOSE {
                return Err(NotMine);
            }
            if share < self.confidence {
                return Ok(NOTHING);
            }
        }
        Ok(verdict(words, winner, room))
    }

    /// Say whether an unknown word is reduced to itself.
    fn stays(&self, word: &[u8], room: &mut Room) -> Result<bool, NotMine> {
        let pieces = &mut room.pieces;
        pieces.clear();
        self.reduce.reduce(&self.bundle, word, &mut |piece| pieces.push(piece))?;
        Ok(pieces.len() == 1 && pieces.word(0) == word)
    }

    /// Add the longer terms that begin with a word.
    fn add_longer(
        &self,
        words: &Words,
        terms: &[Term],
        at: usize,
        score: &mut Fields,
        room: &mut Room,
    ) -> Result<(), NotMine> {
        let term = &terms[at];
        let last = (at + usize::from(term.span)).min(words.len());
        let mut end = at + 1;
        let mut code = words.code(at);
        while end < last && term.later_bits & terms[end].bit != 0 && terms[end].first_bits & term.bit != 0 {
            code = crc32_more(crc32_more(code, b" "), words.word(end));
            end += 1;
            let longer = self.bundle.find_coded(words.run(at, end), code)?;
            if let Some(weights) = longer.weights {
                add(score, &weights);
                room.parts.push(Part::new(at, end, &longer, weights));
            }
        }
        Ok(())
    }

    /// Decide by what guesses say of a query of which no term has weights.
    fn guessed(&self, words: &Words, room: &mut Room) -> Result<Decision, NotMine> {
        let terms = words.iter().map(|word| guess(&self.bundle, word)).collect::<Result<Vec<_>, _>>()?;
        if terms.iter().all(|term| term.weights.is_none()) {
            return Ok(NOTHING);
        }
        self.decide(words, &terms, How { guessing: false, reduced: true }, room)
    }

    /// Return the words and terms with each unknown word reduced, and guessed where it is unknown still.
    fn reduced(&self, words: &Words, terms: &[Term], how: How) -> Result<(Words, Vec<Term>), NotMine> {
        let mut new = Words::default();
        let mut new_terms = Vec::new();
        for (at, term) in terms.iter().enumerate() {
            if term.weights.is_some() || term.tags != 0 {
                new.push(words.word(at));
                new_terms.push(*term);
                continue;
            }
            self.reduce.reduce(&self.bundle, words.word(at), &mut |piece| new.push(piece))?;
            for place in new_terms.len()..new.len() {
                new_terms.push(self.bundle.find(new.word(place))?);
            }
        }
        for place in 0..if how.guessing { new.len() } else { 0 } {
            let term = new_terms[place];
            if term.weights.is_none() && term.tags == 0 && !self.in_longer(&new, &new_terms, place)? {
                new_terms[place] = guess(&self.bundle, new.word(place))?;
            }
        }
        Ok((new, new_terms))
    }

    /// Say whether the word at a place stands in a longer term that is known.
    fn in_longer(&self, words: &Words, terms: &[Term], place: usize) -> Result<bool, NotMine> {
        let first = (place + 1).saturating_sub(LONGEST_UNIT);
        for (start, term) in terms.iter().enumerate().take(place + 1).skip(first) {
            let most = (start + usize::from(term.span)).min(words.len());
            for end in (place + 1).max(start + 2)..=most {
                if self.bundle.find(words.run(start, end))?.weights.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn verdict(words: &Words, winner: usize, room: &mut Room) -> Decision {
    let category = winner as i32;
    let own = |part: &Part| part.category == category && part.path != 0;
    let mut unit: &[u8] = b"";
    let mut placed: &[u8] = b"";
    let (mut path, mut largest, mut largest_with_path) = (0, 0, 0);
    for part in &room.parts {
        let weight = part.weights[winner];
        if weight > largest && (unit.is_empty() || part.tags & STOP == 0) {
            largest = weight;
            unit = words.run(part.from, part.to);
        }
        if weight > largest_with_path && own(part) {
            largest_with_path = weight;
            placed = words.run(part.from, part.to);
            path = part.path;
        }
    }
    for part in room.parts.iter().filter(|part| room.parts.len() > 1 && part.to > part.from + 1) {
        let name = words.run(part.from, part.to);
        if u16::from(part.weights[winner]) > OFFSET && holds(name, unit) {
            unit = name;
        }
        if own(part) && holds(name, placed) {
            placed = name;
            path = part.path;
        }
    }
    let begin = room.units.len();
    room.units.extend_from_slice(unit);
    Decision { category, path, unit: (begin, room.units.len()) }
}

/// Say whether words stand side by side among others.
fn holds(name: &[u8], part: &[u8]) -> bool {
    let last = name.len().wrapping_sub(part.len());
    !part.is_empty()
        && part.len() <= name.len()
        && (0..=last).any(|at| {
            let end = at + part.len();
            &name[at..end] == part && (at == 0 || name[at - 1] == b' ') && (end == name.len() || name[end] == b' ')
        })
}
