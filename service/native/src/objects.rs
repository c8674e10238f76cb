//! Python's objects, where pyo3's own ways would cost more than the answer that they carry.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};

/// Borrow the text of each `str`, None for anything else and where it holds a lone surrogate.
pub fn strings<'a>(texts: &'a [Bound<'_, PyAny>]) -> Vec<Option<&'a str>> {
    texts.iter().map(text_of).collect()
}

/// Borrow the text of a `str`, None for anything else and where it holds a lone surrogate.
pub fn text_of<'a>(text: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    if !text.is_exact_instance_of::<PyString>() {
        return None;
    }
    let mut size = 0;
    // Who borrows holds the string, which never changes.
    let data = unsafe { ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &mut size) };
    if data.is_null() {
        drop(PyErr::take(text.py()));
        return None;
    }
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) };
    Some(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Make a tuple of a subclass without a call of Python, as `tuple.__new__` does, of items that lead to no cycle.
///
/// Raises TypeError where the class is no tuple's, or one that nothing may be derived from.
pub fn new_tuple<'py, const N: usize>(
    class: &Bound<'py, PyType>,
    items: [Bound<'py, PyAny>; N],
) -> PyResult<Bound<'py, PyAny>> {
    unsafe {
        // Of another class memory would be taken for what it is not. The tuples of C that have more items than show are
        // nobody's base.
        let needed = ffi::Py_TPFLAGS_TUPLE_SUBCLASS | ffi::Py_TPFLAGS_BASETYPE;
        if ffi::PyType_GetFlags(class.as_type_ptr()) & needed != needed {
            return Err(PyTypeError::new_err("the class is no tuple's that others may be derived from"));
        }
        let made = ffi::PyType_GenericAlloc(class.as_type_ptr(), N as ffi::Py_ssize_t);
        let made = Bound::from_owned_ptr_or_err(class.py(), made)?;
        for (place, item) in items.into_iter().enumerate() {
            ffi::PyTuple_SetItem(made.as_ptr(), place as ffi::Py_ssize_t, item.into_ptr());
        }
        // Many are remembered, and none leads back to itself: the garbage collector need not look.
        ffi::PyObject_GC_UnTrack(made.as_ptr().cast());
        Ok(made)
    }
}

/// Return a value as a dict had it first: to find one object again takes less time and memory than equal ones.
pub fn first<'py>(known: &Bound<'py, PyDict>, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(first) = known.get_item(&value)? {
        return Ok(first);
    }
    known.set_item(&value, &value)?;
    Ok(value)
}

/// Let a list end before a place.
pub fn cut(list: &Bound<'_, PyList>, end: usize) -> PyResult<()> {
    list.del_slice(end, list.len())
}

/// Remove and return the last item of a list.
pub fn pop<'py>(list: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyAny>> {
    let last = list.len().checked_sub(1).ok_or_else(|| PyIndexError::new_err("pop from empty list"))?;
    let item = list.get_item(last)?;
    cut(list, last)?;
    Ok(item)
}

/// Add to a number under a key of a dict, where it stands for 0 that there is none; return the sum.
pub fn add(dict: &Bound<'_, PyDict>, key: &Bound<'_, PyAny>, number: i64) -> PyResult<i64> {
    let before: i64 = dict.get_item(key)?.map_or(Ok(0), |value| value.extract())?;
    dict.set_item(key, before + number)?;
    Ok(before + number)
}
