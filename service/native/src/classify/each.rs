//! A batch of queries, of which each text that is not remembered is decided once: `CachingClassifier.each` of
//! querymix.core.classify.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Where a query has its text and its URL (querymix.core.records.Query).
const TEXT: usize = 1;
const URL: usize = 5;

/// The answer to each text, None where Python has to decide, and the places of those that Python has to look at.
pub type Answers<'py> = (Vec<Option<Bound<'py, PyAny>>>, Vec<usize>);

/// Texts that are not remembered, each once: their keys, and the host that was clicked or "".
#[derive(Default)]
pub struct Texts<'py> {
    pub texts: Vec<Bound<'py, PyAny>>,
    pub hosts: Vec<Bound<'py, PyAny>>,
    keys: Vec<Bound<'py, PyAny>>,
}

/// Return the answer to each query, and those of them by key that were not in `remembered`, but for texts of more than
/// `longest` characters.
///
/// `hosts` gives the host of a URL, None where hosts are not read. `decide` answers, and `finish` completes an answer.
pub fn each<'py>(
    queries: &Bound<'py, PyList>,
    remembered: &Bound<'py, PyDict>,
    hosts: Option<&Bound<'py, PyAny>>,
    longest: usize,
    decide: impl FnOnce(&Texts<'py>) -> PyResult<Answers<'py>>,
    finish: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
    let py = queries.py();
    let new = PyDict::new(py); // first the place of each key among `texts`, then its answer
    let mut texts = Texts::default();
    let mut out = Vec::with_capacity(queries.len());
    let mut waiting = vec![];
    for query in queries {
        let query = query.downcast::<PyTuple>()?;
        let text = query.get_item(TEXT)?;
        let host = hosts.map_or(Ok(None), |hosts| host_of(query, hosts))?;
        let key = match &host {
            Some(host) => PyTuple::new(py, [host, &text])?.into_any(),
            None => text.clone(),
        };
        if let Some(answer) = remembered.get_item(&key)? {
            out.push(answer);
            continue;
        }
        let place = match new.get_item(&key)? {
            Some(place) => place.extract()?,
            None => {
                new.set_item(&key, texts.keys.len())?;
                texts.keys.push(key);
                texts.texts.push(text);
                texts.hosts.push(host.unwrap_or_else(|| intern!(py, "").clone().into_any()));
                texts.keys.len() - 1
            }
        };
        waiting.push((out.len(), place));
        out.push(py.None().into_bound(py));
    }
    if !waiting.is_empty() {
        let answers = finished(&texts, decide(&texts)?, &new, longest, finish)?;
        for (at, place) in waiting {
            if let (Some(out), Some(answer)) = (out.get_mut(at), answers.get(place)) {
                *out = answer.clone();
            }
        }
    }
    Ok((PyList::new(py, out)?, new))
}

/// Return the host of a query's URL, None where there is neither.
fn host_of<'py>(query: &Bound<'py, PyTuple>, hosts: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let url = query.get_borrowed_item(URL)?;
    if !url.is_truthy()? {
        return Ok(None);
    }
    let host = hosts.get_item(url)?;
    Ok(if host.is_truthy()? { Some(host) } else { None })
}

/// Return the answer to each text, and put it into `new`.
fn finished<'py>(
    texts: &Texts<'py>,
    (answers, doubted): Answers<'py>,
    new: &Bound<'py, PyDict>,
    longest: usize,
    finish: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut doubted = doubted.into_iter().peekable();
    let mut out = Vec::with_capacity(answers.len());
    let rows = texts.keys.iter().zip(&texts.texts).zip(&texts.hosts);
    for (place, (((key, text), host), answer)) in rows.zip(answers).enumerate() {
        let sure = doubted.next_if_eq(&place).is_none();
        let answer = match answer {
            Some(answer) if sure => answer,
            answer => finish.call1((text, host, answer))?,
        };
        if text.len()? <= longest {
            new.set_item(key, &answer)?;
        } else {
            new.del_item(key)?;
        }
        out.push(answer);
    }
    Ok(out)
}
