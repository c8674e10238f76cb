//! Python's `random.Random.random` (the Mersenne Twister MT19937), begun from a state that Python made.

const SIZE: usize = 624;
const FAR: usize = 397;
const UPPER: u32 = 0x8000_0000;
const MATRIX: u32 = 0x9908_b0df;

#[derive(Clone)]
pub struct Twister {
    state: [u32; SIZE],
    at: usize,
}

impl Twister {
    /// `state` are the 624 words of `Random.getstate()` right after it was seeded; none for another number of words.
    pub fn new(state: &[u32]) -> Option<Self> {
        Some(Twister { state: state.try_into().ok()?, at: SIZE })
    }

    /// The next number from 0 to 1, without 1.
    pub fn random(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// The place, below `size`, of an item that is drawn as `int(random() * size)` does.
    pub fn below(&mut self, size: usize) -> usize {
        (self.random() * size as f64) as usize
    }

    fn word(&mut self) -> u32 {
        if self.at >= SIZE {
            self.twist();
        }
        let mut word = self.state[self.at];
        self.at += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    fn twist(&mut self) {
        for at in 0..SIZE {
            let joined = (self.state[at] & UPPER) | (self.state[(at + 1) % SIZE] & !UPPER);
            let odd = if joined & 1 == 1 { MATRIX } else { 0 };
            self.state[at] = self.state[(at + FAR) % SIZE] ^ (joined >> 1) ^ odd;
        }
        self.at = 0;
    }
}
