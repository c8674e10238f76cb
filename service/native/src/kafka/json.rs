//! JSON as orjson writes it, without a space: read once, from the front. What is unusual is None.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyString, PyTuple};

pub struct Json<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Json<'a> {
    /// Lists within lists, at most.
    pub const DEEPEST: usize = 32;

    pub fn new(text: &'a str) -> Self {
        Json { text, at: 0 }
    }

    pub fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    pub fn is_at(&self, byte: u8) -> bool {
        self.text.as_bytes().get(self.at) == Some(&byte)
    }

    /// Go past a byte, if it is the next.
    pub fn take(&mut self, byte: u8) -> Option<()> {
        self.is_at(byte).then(|| self.at += 1)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.text.as_bytes().get(self.at..)?.starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    pub fn string(&mut self) -> Option<Cow<'a, str>> {
        self.take(b'"')?;
        let start = self.at;
        let mut made = String::new();
        let mut from = start;
        loop {
            match *self.text.as_bytes().get(self.at)? {
                b'"' => break,
                b'\\' => {
                    made.push_str(self.text.get(from..self.at)?);
                    made.push(self.escaped()?);
                    from = self.at;
                }
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
        let rest = self.text.get(from..self.at)?;
        self.at += 1;
        if from == start {
            return Some(Cow::Borrowed(rest));
        }
        made.push_str(rest);
        Some(Cow::Owned(made))
    }

    /// Go past an escape. One of a pair of surrogates is Python's.
    fn escaped(&mut self) -> Option<char> {
        let kind = *self.text.as_bytes().get(self.at + 1)?;
        self.at += 2;
        Some(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4)?;
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                self.at += 4;
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            _ => return None,
        })
    }

    pub fn text<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        Some(PyString::new(py, &self.string()?).into_any())
    }

    pub fn none<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.word("null").map(|()| py.None().into_bound(py))
    }

    /// Go past a number; say whether it has no fraction and no exponent.
    fn digits(&mut self) -> Option<(&'a str, bool)> {
        let bytes = self.text.as_bytes();
        let run = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let start = self.at;
        let first = start + usize::from(self.is_at(b'-'));
        let mut end = run(first);
        if end == first || (bytes[first] == b'0' && (end > first + 1 || first > start)) {
            return None; // leading zeros, and what is less than nothing by a fraction
        }
        let whole = end;
        if bytes.get(end) == Some(&b'.') {
            end = run(whole + 1);
            if end == whole + 1 {
                return None;
            }
        }
        if bytes.get(end).is_some_and(|byte| matches!(byte, b'e' | b'E')) {
            return None;
        }
        self.at = end;
        Some((self.text.get(start..end)?, end == whole))
    }

    pub fn integer(&mut self) -> Option<i64> {
        let (digits, is_whole) = self.digits()?;
        if is_whole {
            digits.parse().ok()
        } else {
            None
        }
    }

    pub fn integers(&mut self) -> Option<Vec<i64>> {
        let mut out = Vec::new();
        self.take(b'[')?;
        if self.take(b']').is_some() {
            return Some(out);
        }
        loop {
            out.push(self.integer()?);
            if self.take(b',').is_none() {
                return self.take(b']').map(|()| out);
            }
        }
    }

    pub fn whole<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        Some(self.integer()?.into_pyobject(py).ok()?.into_any())
    }

    pub fn number<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let start = self.at;
        let (digits, is_whole) = self.digits()?;
        if is_whole {
            self.at = start;
            return self.whole(py);
        }
        let value: f64 = digits.parse().ok()?;
        value.is_finite().then(|| PyFloat::new(py, value).into_any())
    }

    /// Go past a list, as the tuple that `tuples` of querymix.core.records makes of it.
    pub fn tuple<'py>(&mut self, py: Python<'py>, depth: usize) -> Option<Bound<'py, PyAny>> {
        self.take(b'[')?;
        let mut items = Vec::new();
        if self.take(b']').is_none() {
            loop {
                items.push(self.value(py, depth + 1)?);
                if self.take(b',').is_none() {
                    self.take(b']')?;
                    break;
                }
            }
        }
        Some(PyTuple::new(py, items).ok()?.into_any())
    }

    fn value<'py>(&mut self, py: Python<'py>, depth: usize) -> Option<Bound<'py, PyAny>> {
        match self.text.as_bytes().get(self.at)? {
            b'"' => self.text(py),
            b'n' => self.none(py),
            b't' => self.word("true").map(|()| PyBool::new(py, true).to_owned().into_any()),
            b'f' => self.word("false").map(|()| PyBool::new(py, false).to_owned().into_any()),
            b'[' if depth < Self::DEEPEST => self.tuple(py, depth),
            b'[' | b'{' => None,
            _ => self.number(py),
        }
    }
}

/// Add a text in quotes.
pub fn quote(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    // Every byte is looked at, which the processor does many at a time.
    let plain = |good, byte: &u8| good & (*byte >= 0x20) & (*byte != b'"') & (*byte != b'\\');
    if text.as_bytes().iter().fold(true, plain) {
        out.extend_from_slice(text.as_bytes());
    } else {
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' => out.extend([b'\\', byte]),
                0x08 => out.extend_from_slice(b"\\b"),
                0x0c => out.extend_from_slice(b"\\f"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                0..=0x1f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
                _ => out.push(byte),
            }
        }
    }
    out.push(b'"');
}
