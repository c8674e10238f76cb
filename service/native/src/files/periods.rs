//! Releases under the ids of a period: the twin of `with_ids` of querymix.core.periods.

use std::array::from_fn;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

use crate::objects::new_tuple;

/// Fields of a `Release`; the first is the user.
const FIELDS: usize = 9;

/// Return each release under what `ids` answers for its user.
///
/// Raises TypeError where one has other fields, and what `ids` raises.
#[pyfunction]
#[pyo3(signature = (releases, ids, release, /))]
pub fn with_ids<'py>(
    releases: &Bound<'py, PyList>,
    ids: &Bound<'py, PyAny>,
    release: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyList>> {
    let out = PyList::empty(releases.py());
    for one in releases.iter() {
        let fields = one.downcast::<PyTuple>()?;
        if fields.len() != FIELDS {
            return Err(PyTypeError::new_err("a release has other fields"));
        }
        let mut copied: [_; FIELDS] = from_fn(|place| fields.get_item(place).unwrap_or_else(|_| one.clone()));
        copied[0] = ids.get_item(&copied[0])?;
        out.append(new_tuple(release, copied)?)?;
    }
    Ok(out)
}
