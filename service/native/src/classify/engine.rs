//! The engine as Python sees it: a batch of texts in, their classifications out.

use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Mutex, RwLock};

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use crate::classify::bundle::{Bundle, NotMine, Places, Term};
use crate::classify::decide::{Decision, Judge, Room, FIRST};
use crate::classify::each::{each, Answers, Texts};
use crate::classify::gate::{Gate, GateSets};
use crate::classify::guesses;
use crate::classify::packed::Fields;
use crate::classify::unknown::Reduce;
use crate::classify::words::Words;
use crate::objects::{new_tuple, strings};

/// Texts whose words are looked up side by side.
const AT_ONCE: usize = 16;

/// What is found of one text.
struct Found {
    decision: Decision,
    /// Nothing was asked.
    empty: bool,
    /// It may hold an identifier.
    suspicious: bool,
}

/// A knowledge bundle that is mapped into memory, and what is decided with it.
#[pyclass(frozen, module = "querymix.native")]
pub struct Engine {
    judge: RwLock<Option<Judge>>,
    gate: Gate,
    classification: Py<PyType>,
    categories: Vec<Py<PyString>>,
    nothing: Py<PyString>,
    paths: Mutex<HashMap<u32, Py<PyString>>>,
}

#[pymethods]
impl Engine {
    /// `content` is the whole bundle, `places` where its parts lie; `bias` is each category's own weight as a field,
    /// `classification` the class of the answers.
    #[new]
    fn new(
        content: PyBuffer<u8>,
        places: Places,
        bias: Fields,
        confidence: f64,
        gate: GateSets,
        categories: Vec<Py<PyString>>,
        classification: Bound<'_, PyType>,
    ) -> PyResult<Self> {
        if !classification.is_subclass_of::<PyTuple>()? {
            return Err(PyTypeError::new_err("the class of the answers is no tuple's"));
        }
        let bundle = Bundle::new(content, places).ok_or_else(|| PyValueError::new_err("no bundle"))?;
        Ok(Engine {
            judge: RwLock::new(Some(Judge { bundle, reduce: Reduce::new(), bias, confidence })),
            gate: Gate::new(gate),
            nothing: PyString::intern(classification.py(), "").unbind(),
            classification: classification.unbind(),
            categories,
            paths: Mutex::default(),
        })
    }

    /// Let go of the bundle; every text is Python's from there on.
    fn close(&self, py: Python<'_>) {
        let judge = py.allow_threads(|| self.judge.write().ok().and_then(|mut judge| judge.take()));
        drop(judge); // with the interpreter's lock, which a buffer needs
        if let Ok(mut paths) = self.paths.lock() {
            paths.clear();
        }
    }

    /// Return the known words that an unknown one stands for (querymix.core.unknown.Reduce), None where Python has to.
    fn reduce(&self, word: &str) -> Option<Vec<String>> {
        self.kept(|judge, keep| judge.reduce.reduce(&judge.bundle, word.as_bytes(), keep))
    }

    /// Return the likeliest that an unknown word of letters stands for (`Reduce._likeliest`), None likewise.
    fn likeliest(&self, word: &str) -> Option<Vec<String>> {
        self.kept(|judge, keep| judge.reduce.likeliest(&judge.bundle, word.as_bytes(), keep))
    }

    /// Return a word's guessed weights in a byte a category, empty where nothing tells them, and where the head of a
    /// compound begins (querymix.core.guesses.Guesses); None where nothing is to be guessed, and likewise.
    fn guess(&self, word: &str) -> Option<(Vec<u8>, Option<usize>)> {
        let found = self.asked(|judge| {
            let known = judge.bundle.find(word.as_bytes())?;
            guesses::weights(&judge.bundle, word.as_bytes(), &known)
        });
        let (weights, head) = found??;
        Some((weights.map_or_else(Vec::new, Vec::from), head.map(|(_, begin)| begin)))
    }

    /// Return the classification of each text, None where Python has to decide, and the places of those texts that may
    /// hold an identifier: their classification is right if nothing is found.
    ///
    /// `hosts` holds the host that was clicked for each text, or "".
    #[pyo3(signature = (texts, hosts=None, /))]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyList>,
        hosts: Option<&Bound<'py, PyList>>,
    ) -> PyResult<(Bound<'py, PyList>, Vec<usize>)> {
        let texts: Vec<_> = texts.iter().collect(); // so that nobody takes one away while the lock is let go
        let hosts: Option<Vec<_>> = hosts.map(|hosts| hosts.iter().collect());
        let (answers, doubted) = self.answers(py, &texts, hosts.as_deref())?;
        Ok((PyList::new(py, answers)?, doubted))
    }

    /// Return the classification of each query, and those by key that are not in `remembered`; see `each.rs`.
    ///
    /// `finish(text, host, answer)` is asked for what Python has to decide (None) and for what may hold an identifier.
    fn each<'py>(
        &self,
        queries: &Bound<'py, PyList>,
        remembered: &Bound<'py, PyDict>,
        hosts: Option<&Bound<'py, PyAny>>,
        longest: usize,
        finish: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
        let decide = |new: &Texts<'py>| self.answers(queries.py(), &new.texts, hosts.map(|_| new.hosts.as_slice()));
        each(queries, remembered, hosts, longest, decide, finish)
    }
}

impl Engine {
    fn answers<'py>(
        &self,
        py: Python<'py>,
        texts: &[Bound<'py, PyAny>],
        hosts: Option<&[Bound<'py, PyAny>]>,
    ) -> PyResult<Answers<'py>> {
        let read = strings(texts);
        let read_hosts = hosts.map_or_else(Vec::new, strings);
        if hosts.is_some() && read_hosts.len() != read.len() {
            return Err(PyValueError::new_err("there is not one host for each text"));
        }
        let mut room = Room::default();
        // A damaged bundle may break what no check foresees: Python then says what is wrong.
        let all = AssertUnwindSafe(|| self.find_all(&read, &read_hosts, &mut room));
        let mut found = py.allow_threads(|| catch_unwind(all)).unwrap_or_default();
        found.resize_with(read.len(), || None);
        let mut answers = Vec::with_capacity(read.len());
        let mut suspicious = vec![];
        for (place, (found, text)) in found.into_iter().zip(texts).enumerate() {
            let answer = found.as_ref().and_then(|found| self.made(py, found, text, &room));
            if answer.is_some() && found.is_some_and(|found| found.suspicious) {
                suspicious.push(place);
            }
            answers.push(answer);
        }
        Ok((answers, suspicious))
    }

    /// Ask the bundle, None where it is closed or damaged. What no check foresees is caught: Python then says what is wrong.
    fn asked<T>(&self, ask: impl FnOnce(&Judge) -> Result<T, NotMine>) -> Option<T> {
        let judge = self.judge.read().ok()?;
        let judge = judge.as_ref()?;
        catch_unwind(AssertUnwindSafe(|| ask(judge))).ok()?.ok()
    }

    /// Return the words that `reduce` keeps, as Python has them.
    fn kept(&self, reduce: impl FnOnce(&Judge, &mut dyn FnMut(&[u8])) -> Result<(), NotMine>) -> Option<Vec<String>> {
        let mut words = Vec::new();
        let mut keep = |word: &[u8]| words.push(String::from_utf8_lossy(word).into_owned());
        self.asked(|judge| reduce(judge, &mut keep))?;
        Some(words)
    }

    fn find_all(&self, texts: &[Option<&str>], hosts: &[Option<&str>], room: &mut Room) -> Vec<Option<Found>> {
        let judge = self.judge.read();
        let judge = judge.as_ref().ok().and_then(|judge| judge.as_ref());
        let mut words: Vec<Words> = (0..AT_ONCE).map(|_| Words::default()).collect();
        let (mut slots, mut terms, mut answers) = (vec![], vec![], Vec::with_capacity(texts.len()));
        for (number, chunk) in texts.chunks(AT_ONCE).enumerate() {
            let mine = chunk.iter().map(|text| text.filter(|text| text.is_ascii() && !may_hold_a_url(text)));
            let mine: Vec<Option<&str>> = mine.collect();
            for (words, text) in words.iter_mut().zip(&mine) {
                words.read(text.unwrap_or("").as_bytes());
            }
            let found = judge.map(|judge| judge.bundle.find_all(&words[..chunk.len()], &mut slots, &mut terms));
            let mut begin = 0;
            for (at, (words, text)) in words.iter_mut().zip(&mine).enumerate() {
                let known = terms.get(begin..begin + words.len());
                begin += words.len();
                let host = hosts.get(number * AT_ONCE + at).copied().unwrap_or(Some(""));
                answers.push(match (judge, &found, text, known, host) {
                    (Some(judge), Some(Ok(())), Some(text), Some(known), Some(host)) => {
                        self.find(judge, text, host, words, known, room).ok()
                    }
                    _ => None,
                });
            }
        }
        answers
    }

    /// Decide one text; `terms` is what is known of its words.
    fn find(
        &self,
        judge: &Judge,
        text: &str,
        host: &str,
        words: &mut Words,
        terms: &[Term],
        room: &mut Room,
    ) -> Result<Found, NotMine> {
        let text = text.as_bytes();
        let suspicious = self.gate.suspicious(&judge.bundle, text, words, terms)?;
        let sure = words.len() > 0 && words.word(0)[0].is_ascii_alphanumeric();
        let empty = !sure && is_empty(text);
        let decision = if empty || host.is_empty() {
            judge.decide(words, terms, FIRST, room)?
        } else if host.is_ascii() {
            words.push(host.as_bytes());
            let terms = [terms, &[judge.bundle.find(host.as_bytes())?]].concat();
            judge.decide(words, &terms, FIRST, room)?
        } else {
            return Err(NotMine);
        };
        Ok(Found { decision, empty, suspicious })
    }

    /// Make the classification, None where that is not possible.
    fn made<'py>(
        &self,
        py: Python<'py>,
        found: &Found,
        text: &Bound<'py, PyAny>,
        room: &Room,
    ) -> Option<Bound<'py, PyAny>> {
        let Decision { category, path, unit: (begin, end) } = found.decision;
        let nothing = || self.nothing.bind(py).clone().into_any();
        let path = match usize::try_from(category) {
            Ok(category) if path == 0 => self.categories.get(category)?.bind(py).clone().into_any(),
            Ok(_) => self.path(py, path)?.into_any(),
            Err(_) => nothing(),
        };
        let unit = std::str::from_utf8(&room.units[begin..end]).ok()?;
        let unit = if unit.is_empty() { nothing() } else { PyString::new(py, unit).into_any() };
        let text = if found.empty { nothing() } else { text.clone() };
        let none = PyTuple::empty(py).into_any();
        let category = category.into_pyobject(py).ok()?.into_any();
        new_tuple(self.classification.bind(py), [category, path, unit, text, none.clone(), none]).ok()
    }

    /// Return a path as a string, the same one each time.
    fn path<'py>(&self, py: Python<'py>, place: u32) -> Option<Bound<'py, PyString>> {
        let mut paths = self.paths.lock().ok()?;
        if let Some(path) = paths.get(&place) {
            return Some(path.bind(py).clone());
        }
        let judge = self.judge.try_read().ok()?;
        let path = PyString::intern(py, judge.as_ref()?.bundle.path(place).ok()?);
        paths.insert(place, path.clone().unbind());
        Some(path)
    }
}

fn may_hold_a_url(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair == b":/")
}

/// Whether a text of ASCII characters shows nothing, or a lone "-" (`is_empty` of querymix.core.text).
fn is_empty(text: &[u8]) -> bool {
    let takes_room = |byte: &&u8| !matches!(byte, 0..=8 | 0x0e..=0x1b | 0x7f);
    let blank = |byte: u8| matches!(byte, 9..=13 | 0x1c..=0x1f | b' ');
    let shown: Vec<u8> = text.iter().filter(takes_room).copied().skip_while(|byte| blank(*byte)).collect();
    match shown.split_first() {
        None => true,
        Some((first, rest)) => *first == b'-' && rest.iter().all(|byte| blank(*byte)),
    }
}
