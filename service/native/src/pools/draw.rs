//! Random numbers out of the words that a draw of Python has read: querymix.core.draw.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::objects::cut;

/// A draw of Python's. Its words are used from the end, as Python does, and taken off before Python draws again.
pub struct Draw<'py> {
    draw: Bound<'py, PyAny>,
    words: Option<Words<'py>>,
}

struct Words<'py> {
    /// The draw that reads them.
    source: Bound<'py, PyAny>,
    block: Bound<'py, PyList>,
    /// How many of the block were not used yet.
    left: usize,
    /// Where what is drawn is noted.
    drawn: Option<Bound<'py, PyList>>,
}

impl<'py> Draw<'py> {
    /// A draw that says nothing of its words is asked for each number.
    pub fn new(draw: Bound<'py, PyAny>) -> PyResult<Self> {
        let py = draw.py();
        let said = draw.call_method0(intern!(py, "words"))?;
        let mut words = None;
        if !said.is_none() {
            let (source, block, drawn) = said.extract::<(Bound<'py, PyAny>, Bound<'py, PyList>, _)>()?;
            words = Some(Words { source, left: block.len(), block, drawn });
        }
        Ok(Draw { draw, words })
    }

    /// Return an integer drawn uniformly from 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> PyResult<usize> {
        let Some(words) = self.words.as_mut() else { return self.ask(n) };
        let Ok(small) = u32::try_from(n) else { return self.ask(n) };
        let mut product = u64::from(words.next()?) * u64::from(small);
        if (product as u32) < small {
            let refuse = small.wrapping_neg().checked_rem(small).unwrap_or(0);
            while (product as u32) < refuse {
                product = u64::from(words.next()?) * u64::from(small);
            }
        }
        let number = (product >> 32) as usize;
        if let Some(drawn) = &words.drawn {
            drawn.append(number)?;
        }
        Ok(number)
    }

    fn ask(&mut self, n: usize) -> PyResult<usize> {
        self.give_back()?;
        let number = self.draw.call_method1(intern!(self.draw.py(), "below"), (n,))?.extract()?;
        self.take_again();
        Ok(number)
    }

    /// Take the words that were used off the draw's block: before Python draws, or looks.
    pub fn give_back(&mut self) -> PyResult<()> {
        self.words.as_mut().map_or(Ok(()), Words::give_back)
    }

    /// Go on with the words that are there after Python has drawn.
    pub fn take_again(&mut self) {
        if let Some(words) = &mut self.words {
            words.left = words.block.len();
        }
    }
}

impl Words<'_> {
    fn next(&mut self) -> PyResult<u32> {
        if self.left == 0 {
            self.give_back()?;
            let word = self.source.call_method0(intern!(self.source.py(), "_word"))?.extract();
            self.left = self.block.len();
            return word;
        }
        self.left -= 1;
        self.block.get_item(self.left)?.extract()
    }

    fn give_back(&mut self) -> PyResult<()> {
        cut(&self.block, self.left)
    }
}

impl Drop for Words<'_> {
    fn drop(&mut self) {
        // A number is used once. The block is a list with at least so many items, so this cannot fail.
        let _ = self.give_back();
    }
}
