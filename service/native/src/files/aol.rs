//! Lines of the AOL format as queries, and releases as such lines: the twin of querymix.codecs.aol.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString, PyTuple, PyType};

use crate::objects::{first, new_tuple, text_of};

/// Characters of a line, and of a user or a rank, as querymix.codecs.base has them.
const LONGEST_LINE: usize = 65_536;
const LONGEST_FIELD: usize = 256;
/// What stands for no value, beside the empty text (querymix.codecs.spelling).
const NULL: [&str; 2] = ["\\N", "NULL"];
const FIELDS: usize = 5;

/// The fields of a line that holds nothing unusual.
struct Line<'a> {
    user: &'a str,
    text: &'a str,
    time: &'a str,
    rank: Option<&'a str>,
    url: Option<&'a str>,
    at: f64,
}

/// What queries are made with: `urls` cuts texts, and remembers them.
struct Maker<'a, 'py> {
    query: &'a Bound<'py, PyType>,
    urls: Option<&'a Bound<'py, PyDict>>,
    nothing: Bound<'py, PyAny>,
    extra: Bound<'py, PyAny>,
}

/// Return the query of each line, None where Python has to read it, and the places of those lines.
///
/// `users` holds each user as it was met first. `urls` answers what is kept of a URL, None where all of it is.
#[pyfunction]
#[pyo3(signature = (lines, users, urls, longest, query, /))]
pub fn read_aol<'py>(
    lines: &Bound<'py, PyList>,
    users: &Bound<'py, PyDict>,
    urls: Option<&Bound<'py, PyDict>>,
    longest: usize,
    query: &Bound<'py, PyType>,
) -> PyResult<(Bound<'py, PyList>, Vec<usize>)> {
    let py = lines.py();
    let (nothing, extra) = (PyString::new(py, "").into_any(), PyTuple::empty(py).into_any());
    let maker = Maker { query, urls, nothing, extra };
    let (out, mut odd) = (PyList::empty(py), vec![]);
    let mut last: Option<(String, Bound<'py, PyAny>)> = None;
    for (place, line) in lines.iter().enumerate() {
        match text_of(&line).and_then(|text| parted(text, longest)) {
            Some(found) => {
                let user = match last.take() {
                    Some((text, user)) if text == found.user => (text, user),
                    _ => (found.user.to_owned(), first(users, PyString::new(py, found.user).into_any())?),
                };
                out.append(maker.query(&found, user.1.clone())?)?;
                last = Some(user);
            }
            None => {
                odd.push(place);
                out.append(py.None())?;
            }
        }
    }
    Ok((out, odd))
}

impl<'py> Maker<'_, 'py> {
    fn query(&self, line: &Line<'_>, user: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.query.py();
        let text = |text: &str| PyString::new(py, text).into_any();
        let none = || py.None().into_bound(py);
        let rank = match line.rank {
            None => none(),
            Some("") => self.nothing.clone(),
            Some(rank) => text(rank),
        };
        let url = match (line.url, self.urls) {
            (None, _) => none(),
            (Some(""), _) => self.nothing.clone(),
            (Some(url), None) => text(url),
            // Not `get_item` of a dict, which does not know what is missing.
            (Some(url), Some(urls)) => urls.as_any().get_item(text(url))?,
        };
        let at = PyFloat::new(py, line.at).into_any();
        new_tuple(self.query, [user, text(line.text), text(line.time), at, rank, url, self.extra.clone()])
    }
}

/// Return the fields of a line, None where one of them is unusual.
fn parted(line: &str, longest: usize) -> Option<Line<'_>> {
    let mut ends = [line.len(); FIELDS];
    let mut tabs = 0;
    for (place, byte) in line.bytes().enumerate() {
        if byte == b'\t' {
            *ends[..FIELDS - 1].get_mut(tabs)? = place;
            tabs += 1;
        } else if matches!(byte, b'\n' | b'\r' | 0) {
            return None;
        }
    }
    let field = |number: usize| line.get(if number == 0 { 0 } else { ends[number - 1] + 1 }..ends[number]);
    let (user, text, time) = (field(0)?, field(1)?, (tabs >= 2).then(|| field(2))??);
    let rank = if tabs > 2 { Some(number(field(3)?)?) } else { None };
    let url = if tabs > 3 { field(4).map(|url| if NULL.contains(&url) { "" } else { url }) } else { None };
    let plain = !user.is_empty() && user.len() <= LONGEST_FIELD && user.bytes().all(|byte| byte.is_ascii_graphic());
    if !plain || is_longer(text, longest) || is_longer(line, LONGEST_LINE) {
        return None;
    }
    Some(Line { user, text, time, rank, url, at: moment(time.as_bytes())? })
}

/// Say whether a text has more than `most` characters.
fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().count() > most
}

/// Return the digits of a rank in one spelling, None where it has others or is too long.
fn number(rank: &str) -> Option<&str> {
    if rank.len() > LONGEST_FIELD || !rank.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = rank.trim_start_matches('0');
    Some(if digits.is_empty() && !rank.is_empty() { "0" } else { digits })
}

/// Return the seconds from 1970 to "YYYY-MM-DD HH:MM:SS" (UTC), None for any other form.
fn moment(time: &[u8]) -> Option<f64> {
    let form: &[u8; 19] = time.try_into().ok()?;
    if [form[4], form[7], form[10], form[13], form[16]] != *b"-- ::" {
        return None;
    }
    let digits = |from: usize, to: usize| {
        form[from..to]
            .iter()
            .try_fold(0i64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
    };
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year < 1 || day < 1 || day > days || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Years that begin in March have their leap day at the end. 719,468 days lie between March of the year 0 and 1970.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let past = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1 - 719_468;
    Some((((past * 24 + hour) * 60 + minute) * 60 + second) as f64)
}

/// Return a line for each row of each release, None where Python has to write them; `own`: with each query's own time.
#[pyfunction]
#[pyo3(signature = (releases, own, /))]
pub fn write_aol<'py>(releases: &Bound<'py, PyList>, own: bool) -> PyResult<Option<Bound<'py, PyList>>> {
    let lines = PyList::empty(releases.py());
    let mut line = String::new();
    for release in releases.iter() {
        let Ok(release) = release.downcast::<PyTuple>() else { return Ok(None) };
        let Ok(further) = release.get_item(6)?.downcast_into::<PyTuple>() else { return Ok(None) };
        let (user, trigger) = (release.get_item(0)?, release.get_item(4)?);
        for row in std::iter::once(release.get_item(2)?).chain(further.iter()) {
            line.clear();
            if written(&mut line, &user, &row, if own { &row } else { &trigger }).is_none() {
                return Ok(None);
            }
            lines.append(PyString::new(releases.py(), &line))?;
        }
    }
    Ok(Some(lines))
}

/// Add a row's fields to a line, None where one of them is unusual.
fn written(line: &mut String, user: &Bound<'_, PyAny>, row: &Bound<'_, PyAny>, timed: &Bound<'_, PyAny>) -> Option<()> {
    let (row, timed) = (row.downcast::<PyTuple>().ok()?, timed.downcast::<PyTuple>().ok()?);
    line.push_str(text_of(user)?);
    line.push('\t');
    // Python takes four separators for white space too.
    let is_space = |sign: char| sign.is_whitespace() || matches!(sign, '\x1c'..='\x1f');
    line.push_str(text_of(&row.get_item(1).ok()?)?.trim_matches(is_space));
    line.push('\t');
    line.push_str(text_of(&timed.get_item(2).ok()?)?);
    for place in [4, 5] {
        line.push('\t');
        let field = row.get_item(place).ok()?;
        if !field.is_none() {
            line.push_str(text_of(&field)?);
        }
    }
    Some(())
}
