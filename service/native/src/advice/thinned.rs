//! How many queries of a category the hold would take under other rules (`taken` of querymix.local.thinned).

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::advice::twister::Twister;

const LOOKS: f64 = 20.0;
const LOOKS_FOR_NEW: f64 = 10.0;

/// The queries of one category, in time order.
#[pyclass(frozen)]
pub struct Thinned {
    ats: Vec<f64>,
    /// Whose each is, numbered from 0 on.
    users: Vec<usize>,
    chance: Twister,
}

#[pymethods]
impl Thinned {
    /// `state` is what draws begin from.
    #[new]
    fn new(ats: Vec<f64>, users: Vec<i64>, state: Vec<u32>) -> PyResult<Self> {
        let chance = Twister::new(&state).filter(|_| ats.len() == users.len());
        let chance = chance.ok_or_else(|| PyValueError::new_err("a time for each user, and 624 words of a state"))?;
        let mut numbers = HashMap::new();
        let mut number = |user| {
            let next = numbers.len();
            *numbers.entry(user).or_insert(next)
        };
        let users = users.into_iter().map(&mut number).collect();
        Ok(Thinned { ats, users, chance })
    }

    /// How many are held for longer than `hold` seconds. `since` is after how long a user counts, `paper` whether each
    /// query is an owner of its own, `by_owner` whether owners are drawn, `both` whether users go with queries.
    #[allow(clippy::too_many_arguments)]
    fn taken(
        &self,
        k: i64,
        most: i64,
        hold: f64,
        since: Option<f64>,
        paper: bool,
        by_owner: bool,
        both: bool,
    ) -> usize {
        let rules = Rules { k, most, hold, since, by_owner, both };
        let size = self.ats.len();
        let mut pool = Pool {
            rules,
            ats: &self.ats,
            chance: self.chance.clone(),
            taken: 0,
            look_at: f64::NEG_INFINITY,
            late_at: f64::NEG_INFINITY,
            new_at: if since.is_none() { f64::INFINITY } else { f64::NEG_INFINITY },
            owners: Vec::with_capacity(size),
            left: vec![false; size],
            first: 0,
            rows: vec![Vec::new(); size],
            with_rows: 0,
            drawn: Vec::new(),
            places: vec![0; size],
            users: Vec::new(),
            new: HashMap::new(),
            seen: vec![None; size],
        };
        for (number, (&at, &user)) in self.ats.iter().zip(&self.users).enumerate() {
            if at >= pool.look_at {
                pool.look(at);
            }
            pool.put(number, at, if paper { number } else { user });
        }
        pool.taken
    }
}

struct Rules {
    k: i64,
    most: i64,
    hold: f64,
    since: Option<f64>,
    by_owner: bool,
    both: bool,
}

/// A pool of queries by their place in the log. Owners and queries are numbers below the number of queries.
struct Pool<'a> {
    rules: Rules,
    ats: &'a [f64],
    chance: Twister,
    taken: usize,
    look_at: f64,
    late_at: f64,
    new_at: f64,
    owners: Vec<usize>,
    left: Vec<bool>,
    /// Nothing before it is held.
    first: usize,
    /// What each owner has there, the oldest first.
    rows: Vec<Vec<usize>>,
    /// How many owners have something.
    with_rows: usize,
    /// What is drawn from: owners, or queries.
    drawn: Vec<usize>,
    /// Where each of them stands.
    places: Vec<usize>,
    /// The queries whose users are pooled, where old users go too.
    users: Vec<usize>,
    /// Owners who do not count yet, and from when on they do.
    new: HashMap<usize, f64>,
    seen: Vec<Option<f64>>,
}

impl Pool<'_> {
    /// Look who counts by now, and at what is held.
    fn look(&mut self, at: f64) {
        if let Some(since) = self.rules.since {
            if at >= self.new_at {
                self.new_at = at + since / LOOKS_FOR_NEW;
                self.new.retain(|_, counts| *counts > at);
            }
        }
        if at >= self.late_at {
            self.late_at = at + self.rules.hold / LOOKS;
            self.take_late(self.late_at - self.rules.hold);
        }
        self.look_at = self.late_at.min(self.new_at);
    }

    /// Take out what would be held too long before the next look: what arrived before `limit`.
    fn take_late(&mut self, limit: f64) {
        let old = self.users.iter().filter(|number| self.ats[**number] < limit).count();
        let before = self.taken;
        while self.first < self.owners.len() && (self.ats[self.first] < limit || self.taken - before < old) {
            if !self.left[self.first] {
                self.take(self.first);
                self.taken += 1;
            }
            self.first += 1;
        }
        self.users.sort_unstable();
        self.users.drain(..self.users.len().min(self.taken - before));
    }

    /// Put a query in, and let one out where enough owners count.
    fn put(&mut self, number: usize, at: f64, owner: usize) {
        self.owners.push(owner);
        let first = self.rows[owner].is_empty();
        self.with_rows += usize::from(first);
        if first || !self.rules.by_owner {
            let one = if self.rules.by_owner { owner } else { number };
            self.places[one] = self.drawn.len();
            self.drawn.push(one);
        }
        self.rows[owner].push(number);
        if let Some(since) = self.rules.since {
            let counts = *self.seen[owner].get_or_insert(at) + since;
            if counts > at {
                self.new.insert(owner, counts);
            }
        }
        if self.rules.both {
            self.users.push(number);
        }
        let above = self.with_rows as i64 - self.new.len() as i64 - self.rules.k;
        let most = self.rules.most;
        if above > 0 && (above >= most || self.chance.random() * (most as f64) < above as f64) {
            self.let_out();
        }
    }

    fn let_out(&mut self) {
        let mut one = self.drawn[self.chance.below(self.drawn.len())];
        if self.rules.by_owner {
            let row = &self.rows[one];
            one = row[self.chance.below(row.len())];
        }
        self.take(one);
        if self.rules.both {
            let place = self.chance.below(self.users.len());
            self.users.remove(place);
        }
    }

    fn take(&mut self, number: usize) {
        let owner = self.owners[number];
        let row = &mut self.rows[owner];
        row.retain(|other| *other != number);
        let empty = row.is_empty();
        self.left[number] = true;
        if empty {
            self.with_rows -= 1;
            self.new.remove(&owner);
        }
        if empty || !self.rules.by_owner {
            let place = self.places[if self.rules.by_owner { owner } else { number }];
            if let Some(moved) = self.drawn.pop() {
                if place < self.drawn.len() {
                    self.drawn[place] = moved;
                    self.places[moved] = place;
                }
            }
        }
    }
}
