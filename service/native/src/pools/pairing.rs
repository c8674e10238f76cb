//! One pool, and the pair that is drawn from it: `Pairing._through` (querymix.core.pairing) and `Pool.exchange`
//! (querymix.core.pool), over the same lists and dicts.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use crate::objects::{add, new_tuple, pop};
use crate::pools::draw::Draw;
use crate::pools::gathering::Gathering;

/// Length of the row of an owner with one query.
const ONE_QUERY: usize = 2;

/// A pool's lists and dicts, as querymix.core.pool describes them.
pub struct Pool<'py> {
    pool: Bound<'py, PyAny>,
    k: i64,
    users: Bound<'py, PyList>,
    user_counts: Bound<'py, PyDict>,
    queries: Bound<'py, PyList>,
    ranks: Bound<'py, PyList>,
    owners: Bound<'py, PyList>,
    owner_rows: Bound<'py, PyDict>,
    spread: Bound<'py, PyDict>,
}

/// What decides whether a pair leaves, and what it is made of.
pub struct Pairing<'py> {
    pub draw: Draw<'py>,
    /// X is below it.
    pub most: i64,
    pub release: Bound<'py, PyType>,
}

/// A query that arrives: its owner's row with its place in it, and what it comes with.
struct Arrival<'a, 'py> {
    category: &'a Bound<'py, PyAny>,
    query: &'a Bound<'py, PyTuple>,
    now: &'a Bound<'py, PyAny>,
    user: Bound<'py, PyAny>,
    mine: Bound<'py, PyList>,
    rank: usize,
}

impl<'py> Pool<'py> {
    pub fn new(pool: Bound<'py, PyAny>) -> PyResult<Self> {
        let py = pool.py();
        Ok(Pool {
            k: pool.getattr(intern!(py, "k"))?.extract()?,
            users: pool.getattr(intern!(py, "users"))?.downcast_into()?,
            user_counts: pool.getattr(intern!(py, "user_counts"))?.downcast_into()?,
            queries: pool.getattr(intern!(py, "queries"))?.downcast_into()?,
            ranks: pool.getattr(intern!(py, "ranks"))?.downcast_into()?,
            owners: pool.getattr(intern!(py, "owners"))?.downcast_into()?,
            owner_rows: pool.getattr(intern!(py, "owner_rows"))?.downcast_into()?,
            spread: pool.getattr(intern!(py, "spread"))?.downcast_into()?,
            pool,
        })
    }

    /// Count the user, and let the owner have the query: it stands behind all others until something leaves.
    fn meet(&self, user: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyList>, usize)> {
        let last = self.queries.len();
        add(&self.user_counts, user, 1)?;
        if let Some(mine) = self.owner_rows.get_item(user)? {
            let mine = mine.downcast_into::<PyList>()?;
            let rank = mine.len();
            mine.append(last)?;
            return Ok((mine, rank));
        }
        let mine = PyList::new(user.py(), [self.owners.len(), last])?;
        self.owner_rows.set_item(user, &mine)?;
        self.owners.append(&mine)?;
        Ok((mine, 1))
    }

    /// Remove the user at a place, which may be that of the one who comes; return it with the category of its query.
    fn leave(&self, place: usize, coming: &Arrival<'_, 'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (mut user, mut origin) = (coming.user.clone(), coming.category.clone());
        if place < self.users.len() {
            let entry = self.users.get_item(place)?.downcast_into::<PyTuple>()?;
            self.users.set_item(place, (&user, &origin, coming.now))?;
            (user, origin) = (entry.get_item(0)?, entry.get_item(1)?);
        }
        let count: i64 = self.user_counts.as_any().get_item(&user)?.extract()?;
        if count > 1 {
            self.user_counts.set_item(&user, count - 1)?;
        } else {
            self.user_counts.del_item(&user)?;
        }
        Ok((user, origin))
    }

    /// Let what comes take the place of a query that leaves; return that.
    fn exchange(
        &self,
        at: Bound<'py, PyAny>,
        row: &Bound<'py, PyList>,
        coming: &Arrival<'_, 'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (end, place) = (self.queries.len(), at.extract::<usize>()?);
        let entry = if place == end { None } else { Some(self.queries.get_item(place)?.downcast_into::<PyTuple>()?) };
        let mut rank = coming.rank;
        if row.len() > ONE_QUERY {
            let last = pop(row)?;
            let moved = last.extract::<usize>()?;
            if moved != place {
                // The last of the owner's places takes the rank of the one that goes.
                let free = self.ranks.get_item(place)?;
                row.set_item(free.extract()?, last)?;
                if moved == end {
                    rank = free.extract()?;
                } else {
                    self.ranks.set_item(moved, free)?;
                }
            }
        } else {
            let owner = entry.as_ref().map_or_else(|| Ok(coming.user.clone()), |entry| entry.get_item(0))?;
            self.owner_rows.del_item(owner)?;
            let other = pop(&self.owners)?;
            if !other.is(row) {
                let seat = row.get_item(0)?;
                self.owners.set_item(seat.extract()?, &other)?;
                other.downcast::<PyList>()?.set_item(0, seat)?;
            }
        }
        let Some(entry) = entry else { return Ok(coming.query.clone()) };
        self.queries.set_item(place, (&coming.user, coming.query, coming.now))?;
        self.ranks.set_item(place, rank)?;
        coming.mine.set_item(rank, at)?;
        Ok(entry.get_item(1)?.downcast_into()?)
    }
}

impl<'py> Pairing<'py> {
    /// Put a query into its pool and let out at most one pair, what comes in the place of what leaves.
    pub fn through(
        &mut self,
        pool: &Pool<'py>,
        category: &Bound<'py, PyAny>,
        query: &Bound<'py, PyTuple>,
        now: &Bound<'py, PyAny>,
        gathering: &Gathering<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let user = query.get_item(0)?;
        let size = pool.users.len() + 1;
        let (mine, rank) = pool.meet(&user)?;
        let coming = Arrival { category, query, now, user, mine, rank };
        let mut distinct = pool.owners.len();
        let above = distinct.min(pool.user_counts.len()) as i64 - pool.k;
        let Some(place) = self.place(above, size)? else {
            pool.users.append((&coming.user, category, now))?;
            pool.queries.append((&coming.user, query, now))?;
            pool.ranks.append(rank)?;
            return Ok(None);
        };
        let (user, origin) = pool.leave(place, &coming)?;
        let number = match pool.owner_rows.get_item(&user)? {
            None => self.draw.below(distinct)?,
            Some(own) => {
                distinct -= 1;
                let number = self.draw.below(distinct)?;
                let seat: usize = own.downcast::<PyList>()?.get_item(0)?.extract()?;
                number + usize::from(number >= seat)
            }
        };
        let row = pool.owners.get_item(number)?.downcast_into::<PyList>()?;
        let queries = row.len().saturating_sub(1);
        let chosen = if queries == 1 { 0 } else { self.draw.below(queries)? };
        let place = row.get_item(1 + chosen)?;
        let py = query.py();
        let distinct = distinct.into_pyobject(py)?.into_any();
        add(&pool.spread, &distinct, 1)?;
        let left = pool.exchange(place, &row, &coming)?;
        let (further, owns) = gathering.close(&left, &pool.pool)?;
        let (query, category, now) = (query.clone().into_any(), category.clone(), now.clone());
        let items = [user, origin, left.into_any(), category, query, distinct, further, now, owns];
        new_tuple(&self.release, items).map(Some)
    }

    /// Return the place of the user that leaves, None where nothing does: X and the user are drawn at once.
    fn place(&mut self, above: i64, size: usize) -> PyResult<Option<usize>> {
        if above >= self.most {
            return self.draw.below(size).map(Some);
        }
        if above <= 0 {
            return Ok(None);
        }
        let place = self.draw.below(size.saturating_mul(self.most as usize))?;
        Ok(if place >= size.saturating_mul(above as usize) { None } else { Some(place % size) })
    }
}
