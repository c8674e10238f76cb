//! Kafka's records of releases: `ReleaseWriter` of querymix.kafka.releases, and what aiokafka's builder makes of them.

use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyList, PyString, PyTuple};

use crate::varint;

/// Bytes of a batch's head (message format 2), which is written last.
const HEAD: usize = 61;
/// Places of the user and the pool in a `Release`.
const USER: usize = 0;
const POOL: usize = 3;

/// Many records of one partition, packed but for their places in a batch. Read, they are (key, value, headers).
#[pyclass(module = "querymix.native")]
#[derive(Default)]
pub struct Records {
    /// Key, value and headers of all of them, and where each one ends.
    content: Vec<u8>,
    ends: Vec<usize>,
}

#[pymethods]
impl Records {
    fn __len__(&self) -> usize {
        self.ends.len()
    }

    fn __repr__(&self) -> String {
        format!("Records({})", self.ends.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let mut content = self.content.as_slice();
        let mut rows = Vec::with_capacity(self.ends.len());
        for _ in &self.ends {
            rows.push(row(py, &mut content).ok_or_else(|| PyValueError::new_err("no records"))?);
        }
        PyList::new(py, rows)?.try_iter()
    }

    /// Pack records from `start` on, as many as fit into `room` bytes with the batch's head; the first one always does.
    ///
    /// Return the batch, whose head is still empty, how many records it has, and when it was packed, in milliseconds.
    fn pack<'py>(&self, py: Python<'py>, start: usize, room: usize) -> (Bound<'py, PyByteArray>, usize, u64) {
        let mut from = if start == 0 { 0 } else { self.ends.get(start - 1).copied().unwrap_or(0) };
        let mut batch = Vec::with_capacity(room.min(self.content.len() * 2 + HEAD));
        batch.resize(HEAD, 0);
        let mut count = 0;
        for end in self.ends.iter().skip(start) {
            let body = &self.content[from..*end];
            let before = batch.len();
            // Before it: attributes, and the time since the first record, both 0.
            varint::put_signed(&mut batch, 2 + varint_size(count) + body.len());
            if count > 0 && batch.len() + 2 + varint_size(count) + body.len() > room {
                batch.truncate(before);
                break;
            }
            batch.extend([0, 0]);
            varint::put_signed(&mut batch, count);
            batch.extend_from_slice(body);
            count += 1;
            from = *end;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
        (PyByteArray::new(py, &batch), count, now)
    }
}

/// Add a record for each release to those of its partition; return the bytes of the lines.
///
/// `lines` maps partitions to `Records`, `headers` pools to what a record of theirs has.
#[pyfunction]
pub fn add_lines(
    releases: &Bound<'_, PyList>,
    texts: &Bound<'_, PyList>,
    partitions: u32,
    headers: &Bound<'_, PyDict>,
    lines: &Bound<'_, PyDict>,
) -> PyResult<usize> {
    let py = releases.py();
    if releases.len() != texts.len() || partitions == 0 {
        return Err(PyValueError::new_err("a line for each release is needed, and a partition"));
    }
    let mut size = 0;
    let mut places: Vec<Option<Bound<'_, Records>>> = vec![None; partitions as usize];
    let mut heads: Vec<(Bound<'_, PyAny>, Vec<u8>)> = Vec::new();
    for (release, text) in releases.iter().zip(texts.iter()) {
        let release = release.downcast::<PyTuple>()?;
        let user = release.get_item(USER)?;
        let key = Encoded::of(&user)?;
        let value = Encoded::of(&text)?;
        let own = headers.as_any().get_item(release.get_borrowed_item(POOL)?)?;
        let head = match heads.iter().position(|(known, _)| known.is(&own)) {
            Some(place) => place,
            None => {
                let packed = packed_headers(&own)?;
                heads.push((own, packed));
                heads.len() - 1
            }
        };
        let place = (murmur2(key.bytes()) & 0x7fff_ffff) % partitions;
        let slot = &mut places[place as usize];
        let records = match slot {
            Some(records) => records,
            None => slot.insert(records_of(py, lines, place)?),
        };
        let mut packed = records.try_borrow_mut()?;
        put(&mut packed.content, key.bytes());
        put(&mut packed.content, value.bytes());
        packed.content.extend_from_slice(&heads[head].1);
        let end = packed.content.len();
        packed.ends.push(end);
        size += value.bytes().len();
    }
    Ok(size)
}

fn records_of<'py>(py: Python<'py>, lines: &Bound<'py, PyDict>, place: u32) -> PyResult<Bound<'py, Records>> {
    if let Some(found) = lines.get_item(place)? {
        return Ok(found.downcast_into()?);
    }
    let made = Bound::new(py, Records::default())?;
    lines.set_item(place, &made)?;
    Ok(made)
}

fn packed_headers(headers: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let mut out = Vec::new();
    varint::put_signed(&mut out, headers.len()?);
    for header in headers.try_iter()? {
        let (name, value) = header?.extract::<(Bound<PyString>, Bound<PyBytes>)>()?;
        put(&mut out, name.to_str()?.as_bytes());
        put(&mut out, value.as_bytes());
    }
    Ok(out)
}

/// What `str.encode("utf-8", "surrogateescape")` gives.
enum Encoded<'a, 'py> {
    Utf8(&'a str),
    Other(Bound<'py, PyBytes>),
}

impl<'a, 'py> Encoded<'a, 'py> {
    fn of(text: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        let text = text.downcast::<PyString>().map_err(|_| PyTypeError::new_err("no text"))?;
        if let Ok(utf8) = text.to_str() {
            return Ok(Encoded::Utf8(utf8));
        }
        let made = text.call_method1(intern!(text.py(), "encode"), ("utf-8", "surrogateescape"))?;
        Ok(Encoded::Other(made.downcast_into()?))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Encoded::Utf8(text) => text.as_bytes(),
            Encoded::Other(bytes) => bytes.as_bytes(),
        }
    }
}

/// Kafka's hash of a key (org.apache.kafka.common.utils.Utils.murmur2).
fn murmur2(data: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
    let mut hash = 0x9747_b28c ^ data.len() as u32;
    let (words, rest) = data.split_at(data.len() & !3);
    for word in words.chunks_exact(4) {
        let word = number(word).wrapping_mul(M);
        hash = hash.wrapping_mul(M) ^ (word ^ word >> 24).wrapping_mul(M);
    }
    if !rest.is_empty() {
        hash = (hash ^ number(rest)).wrapping_mul(M);
    }
    hash = (hash ^ hash >> 13).wrapping_mul(M);
    hash ^ hash >> 15
}

/// Add a size with the bytes that it is of.
fn put(out: &mut Vec<u8>, value: &[u8]) {
    varint::put_signed(out, value.len());
    out.extend_from_slice(value);
}

fn varint_size(value: usize) -> usize {
    (1..10).find(|bytes| (value as u64) << 1 < 1 << (7 * bytes)).unwrap_or(10)
}

/// Take a record off the front of packed ones.
fn row<'py>(py: Python<'py>, content: &mut &[u8]) -> Option<Bound<'py, PyTuple>> {
    let (key, value) = (PyBytes::new(py, taken(content)?), PyBytes::new(py, taken(content)?));
    let headers = PyList::empty(py);
    for _ in 0..number(content)? {
        let name = PyString::new(py, std::str::from_utf8(taken(content)?).ok()?);
        headers.append((name, PyBytes::new(py, taken(content)?))).ok()?;
    }
    PyTuple::new(py, [key.into_any(), value.into_any(), headers.into_any()]).ok()
}

fn taken<'a>(content: &mut &'a [u8]) -> Option<&'a [u8]> {
    let size = number(content)?;
    varint::take_bytes(content, size)
}

fn number(content: &mut &[u8]) -> Option<usize> {
    usize::try_from(varint::take_signed(content)?).ok()
}
