//! Words that the base does not know, reduced to words that it does, as querymix.core.unknown does it; the rules stand
//! there. Any word of ASCII characters is taken.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::classify::bundle::{Bundle, NotMine};
use crate::classify::frequent::{Frequent, LONGEST};
use crate::classify::likeliest::{self, recommended};

const URL_PARTS: [&[u8]; 15] = [
    b"www", b"com", b"net", b"org", b"http", b"https", b"html", b"htm", b"edu", b"gov", b"co", b"uk", b"info", b"biz",
    b"us",
];
/// What French and Italian elide before a word (`ELIDED` of the Python module, its expression written out).
const ELIDED: [&[u8]; 39] = [
    b"c", b"d", b"j", b"l", b"m", b"n", b"s", b"t", b"v", b"qu", b"jusqu", b"lorsqu", b"puisqu", b"quelqu", b"presqu",
    b"un", b"gl", b"degl", b"dagl", b"agl", b"negl", b"sugl", b"dell", b"dall", b"all", b"nell", b"sull", b"coll",
    b"quest", b"quell", b"bell", b"sant", b"mezz", b"senz", b"tutt", b"anch", b"dov", b"com", b"quand",
];

/// Reduces unknown words; its tables are made when a word first needs them.
#[derive(Default)]
pub struct Reduce {
    /// None inside where the bundle is damaged.
    frequent: OnceLock<Option<Frequent>>,
}

impl Reduce {
    pub fn new() -> Self {
        Self::default()
    }

    fn frequent(&self, bundle: &Bundle) -> Result<&Frequent, NotMine> {
        self.frequent.get_or_init(|| Frequent::new(bundle).ok()).as_ref().ok_or(NotMine)
    }

    /// Hand the words that a word stands for to `keep`, or itself; none for a word that is too long or says nothing.
    pub fn reduce(&self, bundle: &Bundle, word: &[u8], keep: &mut dyn FnMut(&[u8])) -> Result<(), NotMine> {
        if !word.is_ascii() {
            return Err(NotMine);
        }
        if word.len() > LONGEST {
            return Ok(());
        }
        let term = bundle.find(word)?;
        if term.known {
            return recommended(bundle.recommendation(&term)?, word, keep);
        }
        if is_host(word) {
            for parent in parents(word) {
                if bundle.find(parent)?.known {
                    keep(parent);
                    return Ok(());
                }
            }
        }
        if !word.is_empty() && word.iter().all(u8::is_ascii_alphanumeric) && !word.starts_with(b"www") {
            return if is_url_part(word) { Ok(()) } else { self.likeliest(bundle, word, keep) };
        }
        let word = if word.contains(&b'\'') { without_apostrophes(bundle, word)? } else { Cow::Borrowed(word) };
        // As Python's expression: a capital letter is no part of a word here.
        for part in word.split(|byte| !(byte.is_ascii_lowercase() || byte.is_ascii_digit())) {
            if !part.is_empty() && !is_url_part(part) {
                self.part(bundle, part, keep)?;
            }
        }
        Ok(())
    }

    fn part(&self, bundle: &Bundle, part: &[u8], keep: &mut dyn FnMut(&[u8])) -> Result<(), NotMine> {
        let part = if part.starts_with(b"www") && part.len() > 6 { &part[3..] } else { part };
        let term = bundle.find(part)?;
        if term.known {
            return recommended(bundle.recommendation(&term)?, part, keep);
        }
        self.likeliest(bundle, part, keep)
    }

    /// Hand the likeliest of the three to `keep` (rule 4).
    pub fn likeliest(&self, bundle: &Bundle, word: &[u8], keep: &mut dyn FnMut(&[u8])) -> Result<(), NotMine> {
        if word.len() > LONGEST {
            return Err(NotMine);
        }
        if likeliest::stays(word) {
            keep(word);
            return Ok(());
        }
        likeliest::likeliest(self.frequent(bundle)?, bundle, word, keep)
    }
}

fn is_url_part(word: &[u8]) -> bool {
    word.len() <= 5 && URL_PARTS.contains(&word)
}

/// Say whether a word is a host (querymix.core.text.is_host).
fn is_host(word: &[u8]) -> bool {
    let mut labels = word.rsplit(|byte| *byte == b'.');
    let last = labels.next().unwrap_or_default();
    let mut others = labels.peekable();
    (2..=8).contains(&last.len())
        && last.iter().all(u8::is_ascii_lowercase)
        && others.peek().is_some()
        && others.all(|label| !label.is_empty() && label.iter().all(is_of_host))
}

fn is_of_host(byte: &u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-')
}

/// The hosts that a host lies under, the nearest first (querymix.core.classify.parents).
fn parents(host: &[u8]) -> impl Iterator<Item = &[u8]> {
    let dots = host.iter().filter(|byte| **byte == b'.').count();
    (0..host.len()).filter(move |at| host[*at] == b'.').take(dots.saturating_sub(1)).map(move |at| &host[at + 1..])
}

fn without_apostrophes<'a>(bundle: &Bundle, word: &'a [u8]) -> Result<Cow<'a, [u8]>, NotMine> {
    let is_letter = |at: usize| word.get(at).is_some_and(u8::is_ascii_alphabetic);
    let mut owned = Vec::with_capacity(word.len());
    let mut at = 0;
    while at < word.len() {
        if word[at..].starts_with(b"'s") && !is_letter(at + 2) {
            at += 2;
        } else {
            owned.push(word[at]);
            at += 1;
        }
    }
    let whole: Vec<u8> = owned.iter().copied().filter(|byte| *byte != b'\'').collect();
    let mut rest = Vec::with_capacity(owned.len());
    let mut run = 0; // where the letters and digits before this place begin, in `rest`
    for (at, byte) in owned.iter().enumerate() {
        if *byte == b'\'' {
            let elided = owned.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
            if elided && rest.len() > run && ELIDED.contains(&&rest[run..]) {
                rest.truncate(run);
            }
            run = rest.len();
        } else {
            rest.push(*byte);
            if !byte.is_ascii_alphanumeric() {
                run = rest.len();
            }
        }
    }
    Ok(Cow::Owned(if rest == whole || bundle.find(&whole)?.known { whole } else { rest }))
}
