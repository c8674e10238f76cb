//! Numbers of seven bits a byte, the lowest first, as Protocol Buffers have them.

/// Add a number.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Add a number that is not negative, in the zigzag form.
pub fn put_signed(out: &mut Vec<u8>, number: usize) {
    put(out, (number as u64) << 1);
}

/// Take a number of nine bytes at most off the front.
pub fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, left) = rest.split_first()?;
        *rest = left;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Take a signed number off the front, in the zigzag form.
pub fn take_signed(rest: &mut &[u8]) -> Option<i64> {
    let number = take(rest)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

/// Take so many bytes off the front.
pub fn take_bytes<'a>(rest: &mut &'a [u8], size: usize) -> Option<&'a [u8]> {
    let (bytes, left) = rest.split_at_checked(size)?;
    *rest = left;
    Some(bytes)
}
