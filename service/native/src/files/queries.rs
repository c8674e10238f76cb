//! Queries as bytes and back: the twin of what querymix.local.external_sort does with `marshal`.
//!
//! A mark, then queries. One is its moment (eight bytes) and five values: a text after its length and two, a whole number
//! in eight bytes after 1, and 0 for None.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::objects::{first, new_tuple, text_of};
use crate::varint;

/// Places in a `Query` of its values: the user, the text, the time, the rank and the URL.
const VALUES: [usize; 5] = [0, 1, 2, 4, 5];
const AT: usize = 3;
const EXTRA: usize = 6;
/// What `marshal` begins no list with.
const MARK: u8 = b'Q';
/// Bytes of a usual query, and room for some more.
const USUAL: usize = 80;

/// A value of a packed query.
#[derive(Clone, Copy)]
enum Value<'a> {
    None,
    Whole(i64),
    Text(&'a str),
}

/// Return queries as bytes, None where one of them holds other values, or a text that is no UTF-8.
#[pyfunction]
#[pyo3(signature = (rows, /))]
pub fn pack_queries<'py>(rows: &Bound<'py, PyList>) -> Option<Bound<'py, PyBytes>> {
    let mut out = Vec::with_capacity(rows.len() * USUAL);
    out.push(MARK);
    for row in rows.iter() {
        pack(&mut out, row.downcast::<PyTuple>().ok()?)?;
    }
    Some(PyBytes::new(rows.py(), &out))
}

fn pack(out: &mut Vec<u8>, row: &Bound<'_, PyTuple>) -> Option<()> {
    let extra = row.get_borrowed_item(EXTRA).ok()?;
    let at = row.get_borrowed_item(AT).ok()?;
    let usual = row.len() == EXTRA + 1 && at.is_exact_instance_of::<PyFloat>();
    if !usual || !extra.is_exact_instance_of::<PyTuple>() || !extra.downcast::<PyTuple>().ok()?.is_empty() {
        return None;
    }
    out.extend(at.extract::<f64>().ok()?.to_le_bytes());
    for place in VALUES {
        let value = row.get_item(place).ok()?;
        if value.is_none() {
            out.push(0);
        } else if value.is_exact_instance_of::<PyInt>() {
            out.push(1);
            out.extend(value.extract::<i64>().ok()?.to_le_bytes());
        } else {
            let text = text_of(&value)?;
            varint::put(out, text.len() as u64 + 2);
            out.extend(text.as_bytes());
        }
    }
    Some(())
}

/// Return the queries that `pack_queries` wrote; `users` holds each user as it was met first.
///
/// Raises ValueError where they cannot be read.
#[pyfunction]
#[pyo3(signature = (data, users, query, /))]
pub fn unpack_queries<'py>(
    data: &[u8],
    users: &Bound<'py, PyDict>,
    query: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyList>> {
    let py = query.py();
    let extra = PyTuple::empty(py).into_any();
    let rows = PyList::empty(py);
    let mut rest = data.strip_prefix(&[MARK]).unwrap_or(&[0]);
    let broken = || PyValueError::new_err("queries cannot be read");
    while !rest.is_empty() {
        let (at, values) = unpack(&mut rest).ok_or_else(broken)?;
        let [user, text, time, rank, url] = values.map(|value| match value {
            Value::None => py.None().into_bound(py),
            Value::Whole(number) => PyInt::new(py, number).into_any(),
            Value::Text(text) => PyString::new(py, text).into_any(),
        });
        let at = PyFloat::new(py, at).into_any();
        rows.append(new_tuple(query, [first(users, user)?, text, time, at, rank, url, extra.clone()])?)?;
    }
    Ok(rows)
}

fn unpack<'a>(rest: &mut &'a [u8]) -> Option<(f64, [Value<'a>; VALUES.len()])> {
    let at = f64::from_le_bytes(eight(rest)?);
    let mut values = [Value::None; VALUES.len()];
    for value in &mut values {
        *value = match varint::take(rest)? {
            0 => Value::None,
            1 => Value::Whole(i64::from_le_bytes(eight(rest)?)),
            size => Value::Text(std::str::from_utf8(varint::take_bytes(rest, size as usize - 2)?).ok()?),
        };
    }
    Some((at, values))
}

fn eight(rest: &mut &[u8]) -> Option<[u8; 8]> {
    let (bytes, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(*bytes)
}
