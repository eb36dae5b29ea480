use std::collections::BTreeMap;

/// Numbers, counted in buckets that are a 128th of a power of two wide, with the smallest and the largest kept as they are.
///
/// A sample of the numbers would be smaller still, but two of them cannot be merged without chance, and a count can.
#[derive(Default)]
pub(super) struct Numbers {
    /// By [`ordered`], so that the buckets are in the order of their numbers.
    buckets: BTreeMap<i64, u64>,
    count: u64,
    not_numbers: u64,
    min: f64,
    max: f64,
    sum: f64,
}

/// Of a number's 52 bits behind the point, the last 45 are cut off. The numbers up to 256 need no more than the other 7.
const CUT: u64 = (1 << 45) - 1;

impl Numbers {
    pub(super) fn add(&mut self, number: f64) {
        if number.is_nan() {
            self.not_numbers += 1;
            return;
        }
        // Minus zero is zero.
        let number = number + 0.0;
        self.widen(number, number);
        self.count += 1;
        self.sum += number;
        *self.buckets.entry(ordered(number)).or_default() += 1;
    }

    pub(super) fn merge(&mut self, other: Numbers) {
        self.not_numbers += other.not_numbers;
        if other.count == 0 {
            return;
        }
        self.widen(other.min, other.max);
        self.count += other.count;
        self.sum += other.sum;
        for (bucket, count) in other.buckets {
            *self.buckets.entry(bucket).or_default() += count;
        }
    }

    /// Before the new numbers are counted.
    fn widen(&mut self, min: f64, max: f64) {
        let is_first = self.count == 0;
        self.min = if is_first { min } else { self.min.min(min) };
        self.max = if is_first { max } else { self.max.max(max) };
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn not_numbers(&self) -> u64 {
        self.not_numbers
    }

    pub(super) fn min(&self) -> f64 {
        self.min
    }

    pub(super) fn max(&self) -> f64 {
        self.max
    }

    pub(super) fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }

    /// The smallest number that at least this share of the numbers do not exceed, within a 128th.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.count as f64).ceil() as u64;
        let mut passed = 0;
        for (bucket, count) in &self.buckets {
            passed += count;
            // Of the last bucket, the largest number is as near and more familiar.
            if passed >= rank && passed < self.count {
                return number_of(*bucket).clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// A bar for each part of the range, as high as the part is full: `▁▇▅▃`. Empty parts are blank. At most ten bars; nothing if there is nothing
    /// to compare.
    pub(super) fn sparkline(&self) -> String {
        const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        // Halves, since the distance between the extremes of `f64` is none.
        let (low, width) = (self.min / 2.0, self.max / 2.0 - self.min / 2.0);
        if self.count == 0 || width == 0.0 || !width.is_finite() {
            return String::new();
        }
        let are_whole = self.buckets.keys().all(|bucket| number_of(*bucket).fract() == 0.0);
        let has_one_each = are_whole && width < 5.0;
        let parts = if has_one_each { (2.0 * width) as usize + 1 } else { 8 };
        let mut counts = vec![0; parts];
        for (bucket, count) in &self.buckets {
            let number = number_of(*bucket).clamp(self.min, self.max);
            let part = if has_one_each { number - self.min } else { (number / 2.0 - low) / width * parts as f64 };
            counts[(part as usize).min(parts - 1)] += count;
        }
        let highest = counts.iter().copied().max().unwrap_or(0).max(1);
        counts.iter().map(|count| BARS[(count * 8).div_ceil(highest) as usize]).collect()
    }
}

/// A number's bucket, in the order of the numbers: negative ones count from the far end.
fn ordered(number: f64) -> i64 {
    let magnitude = ((number.to_bits() & !CUT) & (i64::MAX as u64)) as i64;
    if number < 0.0 { -magnitude } else { magnitude }
}

/// The number of a bucket that is nearest to zero.
fn number_of(bucket: i64) -> f64 {
    let magnitude = f64::from_bits(bucket.unsigned_abs());
    if bucket < 0 { -magnitude } else { magnitude }
}
