//! What arrives is put together and enters its pool, a batch at a time: `take_frames`, `take_timed` and `settle` of
//! `Pools` (querymix.core.pools), where queries are pooled alone, drawn by owner and all counted.

mod draw;
mod gathering;
mod pairing;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyTuple, PyType};

use crate::pools::draw::Draw;
use crate::pools::gathering::{Gathering, Row, ROWS};
use crate::pools::pairing::{Pairing, Pool};

/// Rows of the same time that are put together without waiting.
const MAX_TOGETHER: usize = 500;

/// The `Pools` of Python and what is in it, for as long as a batch takes.
struct Pools<'py> {
    pools: Bound<'py, PyAny>,
    by_category: Bound<'py, PyDict>,
    known: Vec<(i64, Pool<'py>)>,
    gathering: Gathering<'py>,
    pairing: Pairing<'py>,
    wait: f64,
    out: Bound<'py, PyList>,
}

/// Do as `Pools.take_timed`; None, and nothing done, where it is Python's.
#[pyfunction]
#[pyo3(signature = (pools, release, rows, times, /))]
pub fn take_timed<'py>(
    pools: Bound<'py, PyAny>,
    release: Bound<'py, PyType>,
    rows: &Bound<'py, PyAny>,
    times: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let (Ok(rows), Ok(times)) = (rows.downcast_exact::<PyList>(), times.downcast_exact::<PyList>()) else {
        return Ok(None);
    };
    let mut ats = Vec::with_capacity(times.len());
    for at in times {
        let Ok(at) = at.downcast_into_exact::<PyFloat>() else { return Ok(None) };
        ats.push(at);
    }
    if rows.len() != ats.len() {
        return Ok(None);
    }
    let mut pools = Pools::new(pools, release)?;
    pools.take_timed(rows, &ats)?;
    pools.pairing.draw.give_back()?;
    Ok(Some(pools.out))
}

/// Do as `Pools.take_frames`.
#[pyfunction]
#[pyo3(signature = (pools, release, frames, now, reading, /))]
pub fn take_frames<'py>(
    pools: Bound<'py, PyAny>,
    release: Bound<'py, PyType>,
    frames: &Bound<'py, PyAny>,
    now: Bound<'py, PyAny>,
    reading: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let mut pools = Pools::new(pools, release)?;
    for frame in frames.try_iter()? {
        pools.take_frame(frame?.downcast()?, &now, &reading)?;
    }
    pools.pairing.draw.give_back()?;
    Ok(pools.out)
}

/// Do as `Pools.settle` where no sessions wait.
#[pyfunction]
#[pyo3(signature = (pools, release, reading, /))]
pub fn settle<'py>(
    pools: Bound<'py, PyAny>,
    release: Bound<'py, PyType>,
    reading: f64,
) -> PyResult<Bound<'py, PyList>> {
    let mut pools = Pools::new(pools, release)?;
    pools.settle(reading)?;
    pools.pairing.draw.give_back()?;
    Ok(pools.out)
}

impl<'py> Pools<'py> {
    fn new(pools: Bound<'py, PyAny>, release: Bound<'py, PyType>) -> PyResult<Self> {
        if !release.is_subclass_of::<PyTuple>()? {
            return Err(PyTypeError::new_err("the class of the answers is no tuple's"));
        }
        let py = pools.py();
        let most = pools.getattr(intern!(py, "_most"))?.extract()?;
        let draw = Draw::new(pools.getattr(intern!(py, "draw"))?)?;
        Ok(Pools {
            by_category: pools.getattr(intern!(py, "_pools"))?.downcast_into()?,
            known: vec![],
            gathering: Gathering::new(pools.getattr(intern!(py, "_gathering"))?)?,
            pairing: Pairing { draw, most, release },
            wait: pools.getattr(intern!(py, "rules"))?.getattr(intern!(py, "click_wait"))?.extract()?,
            out: PyList::empty(py),
            pools,
        })
    }

    fn take_timed(&mut self, rows: &Bound<'py, PyList>, times: &[Bound<'py, PyFloat>]) -> PyResult<()> {
        let mut together = vec![];
        for (place, at) in times.iter().enumerate() {
            let row = self.row(rows.get_item(place)?)?;
            let (now, next) = (at.value(), times.get(place + 1).unwrap_or(at).value());
            self.settle(now)?;
            let waiting = self.gathering.is_waiting()?;
            if next - now < self.wait || waiting {
                together.push(row);
                if now == next && !waiting && together.len() <= MAX_TOGETHER {
                    continue;
                }
                self.gather_all(&mut together, at)?;
            } else if together.is_empty() {
                self.arrive(&row, at)?;
            } else {
                together.push(row);
                for row in self.gathering.joined(&together)? {
                    self.arrive(&row, at)?;
                }
                together.clear();
            }
        }
        times.last().map_or(Ok(()), |at| self.gather_all(&mut together, at))
    }

    /// Let the rows of a frame wait for further ones, or enter their pool where nothing waits.
    fn take_frame(
        &mut self,
        frame: &Bound<'py, PyTuple>,
        now: &Bound<'py, PyAny>,
        reading: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let category = frame.get_item(0)?;
        let owns = if frame.len() > 2 { Some(frame.get_item(2)?) } else { None };
        let owns = owns.filter(|owns| owns.len().is_ok_and(|size| size > 0));
        for (place, query) in frame.get_item(1)?.downcast::<PyList>()?.iter().enumerate() {
            let own = match &owns {
                None => category.clone(),
                Some(owns) if place < owns.len()? => owns.get_item(place)?,
                Some(_) => break,
            };
            if self.wait == 0.0 && owns.is_some() {
                self.go_on((&category, own, [query], now, reading))?;
                continue;
            }
            let row = Row { category: category.clone(), query: query.downcast_into()? };
            if self.wait == 0.0 {
                self.arrive(&row, now)?;
            } else {
                self.gather(&row, now, reading, &own)?;
            }
        }
        Ok(())
    }

    fn row(&self, row: Bound<'py, PyAny>) -> PyResult<Row<'py>> {
        let row = row.downcast_into::<PyTuple>()?;
        Ok(Row { category: row.get_item(0)?, query: row.get_item(1)?.downcast_into()? })
    }

    fn gather_all(&mut self, rows: &mut Vec<Row<'py>>, at: &Bound<'py, PyAny>) -> PyResult<()> {
        rows.drain(..).try_for_each(|row| self.gather(&row, at, at, &row.category))
    }

    /// Let a row join the query that waits for it, or begin one (`PoolState._gather`).
    fn gather(
        &mut self,
        row: &Row<'py>,
        now: &Bound<'py, PyAny>,
        reading: &Bound<'py, PyAny>,
        own: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let query = &row.query;
        let key = PyTuple::new(now.py(), [query.get_item(0)?, query.get_item(1)?, query.get_item(3)?])?;
        let Some(unit) = self.gathering.unit(&key)? else {
            self.gathering.begin([&row.category, query, now, reading, &key, own])?;
            return self.pool(&row.category).map(drop);
        };
        if !self.gathering.join(&unit, query)? {
            let name = intern!(now.py(), "repeats");
            self.pools.setattr(name, self.pools.getattr(name)?.extract::<i64>()? + 1)?;
        }
        Ok(())
    }

    fn settle(&mut self, reading: f64) -> PyResult<()> {
        while let Some(unit) = self.gathering.next(reading, self.wait)? {
            let (category, query) = (unit.get_item(0)?, unit.get_item(1)?);
            let (now, own) = (unit.get_item(2)?, unit.get_item(5)?);
            let further = unit.get_slice(ROWS, unit.len());
            if !own.eq(&category)? {
                self.gathering.count(&category, -(further.len() as i64))?;
                further.insert(0, query)?;
                self.go_on((category, own, further, now, unit.get_item(3)?))?;
                continue;
            }
            let row = Row { category, query: query.downcast_into()? };
            if !further.is_empty() {
                self.gathering.hold(&row.category, &row.query, &further)?;
            }
            self.arrive(&row, &now)?;
        }
        Ok(())
    }

    /// Let Python put a query with another own category into its pool.
    fn go_on(&mut self, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyResult<()> {
        self.pairing.draw.give_back()?;
        let released = self.pools.call_method1(intern!(self.pools.py(), "_go_on"), arguments);
        self.pairing.draw.take_again();
        for release in released?.downcast::<PyList>()? {
            self.out.append(release)?;
        }
        Ok(())
    }

    fn arrive(&mut self, row: &Row<'py>, now: &Bound<'py, PyAny>) -> PyResult<()> {
        let place = self.pool(&row.category)?;
        let Some((_, pool)) = self.known.get(place) else { return Ok(()) };
        match self.pairing.through(pool, &row.category, &row.query, now, &self.gathering)? {
            Some(release) => self.out.append(release),
            None => Ok(()),
        }
    }

    /// Return where a category's pool stands among those that are known; it is made where there was none.
    fn pool(&mut self, category: &Bound<'py, PyAny>) -> PyResult<usize> {
        let number = category.extract::<i64>()?;
        if let Some(place) = self.known.iter().position(|(known, _)| *known == number) {
            return Ok(place);
        }
        let pool = match self.by_category.get_item(category)? {
            Some(pool) => pool,
            None => self.pools.call_method1(intern!(category.py(), "_pool"), (category,))?,
        };
        self.known.push((number, Pool::new(pool)?));
        Ok(self.known.len() - 1)
    }
}
