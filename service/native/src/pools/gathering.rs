//! The rows of one query put together: `Gathering` (querymix.core.gathering), over the same dicts.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::objects::add;

/// Queries that wait at most.
const MAX_WAITING: usize = 1 << 14;
/// Rows of a query after which the others are suppressed.
const MAX_ROWS: usize = 1000;
/// Where the rows begin in what is held.
const HEAD: usize = 2;
/// Where the rows after the first begin in a waiting query.
pub const ROWS: usize = 6;
/// Where the clock's reading stands in a waiting query.
const READING: usize = 3;
/// Where its key does.
const KEY: usize = 4;

/// A query with its pool's category.
#[derive(Clone)]
pub struct Row<'py> {
    pub category: Bound<'py, PyAny>,
    pub query: Bound<'py, PyTuple>,
}

/// The dicts and the queue of a `Gathering`.
pub struct Gathering<'py> {
    gathering: Bound<'py, PyAny>,
    waiting: Bound<'py, PyAny>,
    append: Bound<'py, PyAny>,
    units: Bound<'py, PyDict>,
    held: Bound<'py, PyDict>,
    further: Bound<'py, PyDict>,
    nothing: Bound<'py, PyTuple>,
}

impl<'py> Gathering<'py> {
    pub fn new(gathering: Bound<'py, PyAny>) -> PyResult<Self> {
        let py = gathering.py();
        let waiting = gathering.getattr(intern!(py, "waiting"))?;
        Ok(Gathering {
            append: waiting.getattr(intern!(py, "append"))?,
            waiting,
            units: gathering.getattr(intern!(py, "units"))?.downcast_into()?,
            held: gathering.getattr(intern!(py, "held"))?.downcast_into()?,
            further: gathering.getattr(intern!(py, "further"))?.downcast_into()?,
            nothing: PyTuple::empty(py),
            gathering,
        })
    }

    /// Return what leaves with a query that leaves its pool, and the own categories of all its rows.
    pub fn close(
        &self,
        query: &Bound<'py, PyTuple>,
        pool: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = query.py();
        let nothing = || (self.nothing.clone().into_any(), self.nothing.clone().into_any());
        let user = query.get_item(0)?;
        let Some(mine) = self.held.get_item(&user)? else { return Ok(nothing()) };
        let mine = mine.downcast_into::<PyDict>()?;
        let moment = PyTuple::new(py, [query.get_item(1)?, query.get_item(3)?])?;
        let Some(found) = mine.get_item(&moment)? else { return Ok(nothing()) };
        mine.del_item(&moment)?;
        if mine.is_empty() {
            self.held.del_item(&user)?;
        }
        let found = found.downcast_into::<PyList>()?;
        let rows = found.get_slice(HEAD, found.len()).to_tuple();
        let number = rows.len();
        self.count(&found.get_item(0)?, -(number as i64))?;
        if number > 0 {
            let name = intern!(py, "further_released");
            pool.setattr(name, pool.getattr(name)?.extract::<i64>()? + number as i64)?;
        }
        Ok((rows.into_any(), found.get_item(1)?))
    }

    /// Hold what is to leave with a query of a category's pool.
    pub fn hold(
        &self,
        category: &Bound<'py, PyAny>,
        query: &Bound<'py, PyTuple>,
        further: &Bound<'py, PyList>,
    ) -> PyResult<()> {
        let py = query.py();
        let user = query.get_item(0)?;
        let moment = PyTuple::new(py, [query.get_item(1)?, query.get_item(3)?])?;
        let mine = match self.held.get_item(&user)? {
            Some(mine) => mine.downcast_into::<PyDict>()?,
            None => {
                let mine = PyDict::new(py);
                self.held.set_item(&user, &mine)?;
                mine
            }
        };
        if mine.contains(&moment)? {
            self.gathering.call_method1(intern!(py, "hold"), (category, query, further))?;
            return Ok(());
        }
        let found = PyList::new(py, [category, self.nothing.as_any()])?;
        found.set_slice(HEAD, HEAD, further)?;
        mine.set_item(moment, found)
    }

    /// Let rows of the same time become queries, after which no more of their rows come, and hold their further rows.
    pub fn joined(&self, rows: &[Row<'py>]) -> PyResult<Vec<Row<'py>>> {
        let places = PyDict::new(self.held.py());
        let mut units: Vec<(Row<'py>, Option<Bound<'py, PyList>>)> = Vec::with_capacity(rows.len());
        for row in rows {
            let name = PyTuple::new(places.py(), [row.query.get_item(0)?, row.query.get_item(1)?])?;
            let Some(place) = places.get_item(&name)? else {
                places.set_item(name, units.len())?;
                units.push((row.clone(), None));
                continue;
            };
            match units.get_mut(place.extract::<usize>()?) {
                Some((_, Some(further))) => further.append(&row.query)?,
                Some((_, none)) => *none = Some(PyList::new(places.py(), [&row.query])?),
                None => {}
            }
        }
        for (row, further) in &units {
            if let Some(further) = further {
                self.hold(&row.category, &row.query, further)?;
                self.count(&row.category, further.len() as i64)?;
            }
        }
        Ok(units.into_iter().map(|(row, _)| row).collect())
    }

    /// Return the query that waits for a row.
    pub fn unit(&self, key: &Bound<'py, PyTuple>) -> PyResult<Option<Bound<'py, PyList>>> {
        Ok(self.units.get_item(key)?.map(Bound::downcast_into).transpose()?)
    }

    /// Add a row to a query that waits, and say whether there was room.
    pub fn join(&self, unit: &Bound<'py, PyList>, query: &Bound<'py, PyTuple>) -> PyResult<bool> {
        if unit.len() + 1 == MAX_ROWS + ROWS {
            return Ok(false);
        }
        unit.append(query)?;
        self.count(&unit.get_item(0)?, 1)?;
        Ok(true)
    }

    /// Let a query wait: see `Waiting` of Python.
    pub fn begin(&self, unit: [&Bound<'py, PyAny>; ROWS]) -> PyResult<()> {
        let key = unit[KEY];
        let unit = PyList::new(self.units.py(), unit)?;
        self.units.set_item(key, &unit)?;
        self.append.call1((unit,)).map(drop)
    }

    pub fn is_waiting(&self) -> PyResult<bool> {
        Ok(self.waiting.len()? > 0)
    }

    /// Remove and return the query that has waited longest, where it waits no longer; its further rows still count.
    pub fn next(&self, reading: f64, wait: f64) -> PyResult<Option<Bound<'py, PyList>>> {
        let number = self.waiting.len()?;
        if number == 0 {
            return Ok(None);
        }
        let unit = self.waiting.get_item(0)?.downcast_into::<PyList>()?;
        let waited = reading - unit.get_item(READING)?.extract::<f64>()?;
        // Not >=, since a time may be NaN.
        if -wait < waited && waited < wait && number < MAX_WAITING {
            return Ok(None);
        }
        self.waiting.del_item(0)?;
        self.units.del_item(unit.get_item(KEY)?)?;
        Ok(Some(unit))
    }

    /// Count further rows of a category.
    pub fn count(&self, category: &Bound<'py, PyAny>, number: i64) -> PyResult<()> {
        add(&self.further, category, number).map(drop)
    }
}
