//! Frames of classified records and of evidence: the JSON of querymix.codecs.frames, as orjson reads and writes it.
//!
//! What is unusual (an escape of a lone surrogate, a huge number, an object) is None: Python's.

use std::collections::HashMap;
use std::io::Write;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyString, PyTuple, PyType};

use crate::classify::bundle::crc32;
use crate::kafka::json::{quote, Json};
use crate::objects::new_tuple;

/// Items of an `extra` that Python need not look through.
const PLAIN: usize = 2;
/// Places of the user and the origin in a `Release`.
const USER: usize = 0;
const ORIGIN: usize = 1;

type Frame<'py> = (i64, Bound<'py, PyList>, String, Vec<i64>);
/// Partition, frame, and how many releases it counts.
type Evidence<'py> = (u32, Bound<'py, PyBytes>, u64);

/// Return a frame's category, queries, format and own categories, None where Python has to read it.
#[pyfunction]
pub fn read_classified<'py>(frame: &Bound<'py, PyBytes>, query: &Bound<'py, PyType>) -> PyResult<Option<Frame<'py>>> {
    let Ok(text) = std::str::from_utf8(frame.as_bytes()) else {
        return Ok(None);
    };
    let mut json = Json::new(text);
    let mut queries = Vec::new();
    Ok(frame_of(&mut json, query, &mut queries)
        .and_then(|(category, written, owns)| Some((category, PyList::new(query.py(), queries).ok()?, written, owns))))
}

fn frame_of<'py>(
    json: &mut Json<'_>,
    query: &Bound<'py, PyType>,
    queries: &mut Vec<Bound<'py, PyAny>>,
) -> Option<(i64, String, Vec<i64>)> {
    json.take(b'[')?;
    let category = json.integer()?;
    json.take(b',')?;
    json.take(b'[')?;
    if json.take(b']').is_none() {
        loop {
            queries.push(row(json, query)?);
            if json.take(b',').is_none() {
                json.take(b']')?;
                break;
            }
        }
    }
    let (mut written, mut owns) = (String::new(), Vec::new());
    if json.take(b',').is_some() {
        written = json.string()?.into_owned();
        if json.take(b',').is_some() {
            owns = json.integers()?;
        }
    }
    json.take(b']')?;
    json.is_done().then_some((category, written, owns))
}

fn row<'py>(json: &mut Json<'_>, query: &Bound<'py, PyType>) -> Option<Bound<'py, PyAny>> {
    let py = query.py();
    json.take(b'[')?;
    let user = json.text(py)?;
    json.take(b',')?;
    let text = json.text(py)?;
    json.take(b',')?;
    let time = if json.is_at(b'"') { json.text(py)? } else { json.number(py)? };
    json.take(b',')?;
    let at = json.number(py)?;
    json.take(b',')?;
    let rank = if json.is_at(b'"') { json.text(py)? } else { json.none(py).or_else(|| json.whole(py))? };
    json.take(b',')?;
    let url = if json.is_at(b'"') { json.text(py)? } else { json.none(py)? };
    json.take(b',')?;
    let extra = json.tuple(py, 0)?;
    json.take(b']')?;
    let rich = extra.downcast::<PyTuple>().ok()?;
    if rich.len() > PLAIN && !rich.get_item(0).ok()?.is_instance_of::<PyBool>() {
        return None;
    }
    new_tuple(query, [user, text, time, at, rank, url, extra]).ok()
}

/// Return the frames of what releases give the profiles, in the order in which each partition came first.
///
/// None where Python has to write them.
#[pyfunction]
pub fn evidence_frames<'py>(
    releases: &Bound<'py, PyList>,
    partitions: u32,
    unclassified: i64,
) -> PyResult<Option<Vec<Evidence<'py>>>> {
    let Some(users) = users_of(releases) else {
        return Ok(None);
    };
    let Some(counts) = counted(&users, unclassified) else {
        return Ok(None);
    };
    let mut shares: Vec<(u32, Vec<u8>, u64)> = Vec::new();
    for (user, category, count) in counts {
        let partition = crc32(user.as_bytes()).checked_rem(partitions).unwrap_or(0);
        let place = shares.iter().position(|share| share.0 == partition).unwrap_or_else(|| {
            shares.push((partition, Vec::new(), 0));
            shares.len() - 1
        });
        let (_, frame, sum) = &mut shares[place];
        frame.extend_from_slice(if frame.is_empty() { b"[[" } else { b",[" });
        quote(frame, user);
        write!(frame, ",{category},{count}]")?;
        *sum += count;
    }
    let framed = shares.into_iter().map(|(partition, mut frame, sum)| {
        frame.push(b']');
        (partition, PyBytes::new(releases.py(), &frame), sum)
    });
    Ok(Some(framed.collect()))
}

/// Return the user and the origin of each release, None where one has several origins.
fn users_of<'py>(releases: &Bound<'py, PyList>) -> Option<Vec<(Bound<'py, PyString>, i64)>> {
    let of = |release: Bound<'py, PyAny>| {
        let release = release.downcast_into::<PyTuple>().ok()?;
        let origin = release.get_item(ORIGIN).ok()?;
        let origin = if origin.is_exact_instance_of::<PyInt>() { origin.extract().ok()? } else { return None };
        Some((release.get_item(USER).ok()?.downcast_into().ok()?, origin))
    };
    releases.iter().map(of).collect()
}

/// Count what is not unclassified by user and origin, in the order in which each came first.
fn counted<'a>(users: &'a [(Bound<'_, PyString>, i64)], unclassified: i64) -> Option<Vec<(&'a str, i64, u64)>> {
    let mut places: HashMap<(&str, i64), usize> = HashMap::with_capacity(users.len());
    let mut counts: Vec<(&str, i64, u64)> = Vec::new();
    for (user, origin) in users.iter().filter(|(_, origin)| *origin != unclassified) {
        let user = user.to_str().ok()?;
        let place = *places.entry((user, *origin)).or_insert(counts.len());
        match counts.get_mut(place) {
            Some(count) => count.2 += 1,
            None => counts.push((user, *origin, 1)),
        }
    }
    Some(counts)
}
