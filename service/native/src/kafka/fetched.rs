//! Records out of a fetched batch (message format 2): what aiokafka's reader and querymix.kafka.refused_batches make of
//! them. What is unusual or damaged is None: Python's.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple, PyType};

use crate::objects::new_tuple;
use crate::varint::{take_bytes, take_signed};

/// What all records of a batch have: topic, partition, base offset, and the batch's time, first its earliest one, or
/// else the time of all of them.
type About<'py> = (Bound<'py, PyString>, Bound<'py, PyInt>, i64, i64, Option<i64>);
/// Records, and where the next one begins.
type Read<'py> = (Vec<Bound<'py, PyAny>>, usize);

/// Return `most` records that stand in `data` from `at` on and before `end`; the offset of each is more than `after`.
#[pyfunction]
pub fn read_records<'py>(
    data: &Bound<'py, PyBytes>,
    at: usize,
    end: usize,
    most: usize,
    after: i64,
    about: About<'py>,
    class: &Bound<'py, PyType>,
) -> Option<Read<'py>> {
    let mut rest = data.as_bytes().get(at..end)?;
    let mut rows = Vec::with_capacity(most.min(rest.len()));
    let mut after = after;
    for _ in 0..most {
        let (offset, row) = record(&mut rest, class, &about)?;
        if offset <= after {
            return None;
        }
        after = offset;
        rows.push(row);
    }
    Some((rows, end - rest.len()))
}

/// Take a record off the front.
fn record<'py>(rest: &mut &[u8], class: &Bound<'py, PyType>, about: &About<'py>) -> Option<(i64, Bound<'py, PyAny>)> {
    let py = class.py();
    let (topic, partition, base, first, all) = about;
    let size = usize::try_from(take_signed(rest)?).ok()?;
    let mut record = take_bytes(rest, size)?;
    take_bytes(&mut record, 1)?.first().filter(|attributes| **attributes == 0)?;
    let later = take_signed(&mut record)?;
    let time = all.or_else(|| first.checked_add(later))?;
    let offset = base.checked_add(take_signed(&mut record)?)?;
    let (key, value) = (bytes(&mut record, py)?, bytes(&mut record, py)?);
    let headers = headers(&mut record, py)?;
    if !record.is_empty() {
        return None;
    }
    let fields = [
        topic.clone().into_any(),
        partition.clone().into_any(),
        offset.into_pyobject(py).ok()?.into_any(),
        key,
        value,
        headers.into_any(),
        time.into_pyobject(py).ok()?.into_any(),
    ];
    Some((offset, new_tuple(class, fields).ok()?))
}

fn headers<'py>(rest: &mut &[u8], py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
    let mut headers = Vec::new();
    for _ in 0..u32::try_from(take_signed(rest)?).ok()? {
        let size = usize::try_from(take_signed(rest)?).ok()?;
        let name = PyString::new(py, std::str::from_utf8(take_bytes(rest, size)?).ok()?);
        headers.push(PyTuple::new(py, [name.into_any(), bytes(rest, py)?]).ok()?);
    }
    PyTuple::new(py, headers).ok()
}

/// Take bytes with their size before them off the front; a negative one stands for none.
fn bytes<'py>(rest: &mut &[u8], py: Python<'py>) -> Option<Bound<'py, PyAny>> {
    let size = take_signed(rest)?;
    if size < 0 {
        return Some(py.None().into_bound(py));
    }
    Some(PyBytes::new(py, take_bytes(rest, usize::try_from(size).ok()?)?).into_any())
}
