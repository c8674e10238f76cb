//! Weights, one a category: the sum of a query's. See querymix.core.packed_weights.

pub const FIELDS: usize = 16;
pub const OFFSET: u16 = 128;
pub const LARGEST: i32 = 127;
const SCALE: f64 = 40.0;

/// Sums of weights in steps, each weight with `OFFSET` added, as the fields of Python's packed integer.
pub type Fields = [u16; FIELDS];

/// Weights of one term: none, or a byte a category.
pub type Weights = Option<[u8; FIELDS]>;

/// Add a term's weights.
pub fn add(sum: &mut Fields, weights: &[u8; FIELDS]) {
    for (field, weight) in sum.iter_mut().zip(weights) {
        *field = field.wrapping_add(u16::from(*weight));
    }
}

/// Return the winner's share of all categories' odds, as `share` of querymix.core.packed_weights does.
pub fn share(sum: &Fields, winner: usize) -> f64 {
    let top = f64::from(sum[winner]);
    1.0 / sum.iter().map(|field| ((f64::from(*field) - top) / SCALE).exp()).sum::<f64>()
}
