/// Numbers, counted in buckets that are a 128th of a power of two wide, with the smallest and the
/// largest kept as they are.
///
/// A sample of the numbers would be smaller still, but two of them cannot be merged without chance,
/// and a count can.
#[derive(Default)]
pub(super) struct Numbers {
    /// The buckets of each power of two that was met, in the order of the numbers.
    octaves: Vec<Octave>,
    count: u64,
    not_numbers: u64,
    min: f64,
    max: f64,
    sum: f64,
}

/// Of a number's 52 bits behind the point, the last 45 are cut off. The numbers up to 256 need no
/// more than the other 7.
const CUT: u32 = 45;

/// What is left makes this many buckets of each power of two.
const PER_OCTAVE: usize = 1 << (52 - CUT);

/// How many numbers were met between a power of two and the next.
struct Octave {
    /// Of its first bucket, by [`ordered`].
    first: i64,
    counts: Box<[u64; PER_OCTAVE]>,
}

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
        let bucket = ordered(number);
        let octave = self.octave(bucket & !(PER_OCTAVE as i64 - 1));
        octave.counts[bucket as usize % PER_OCTAVE] += 1;
    }

    pub(super) fn merge(&mut self, other: Numbers) {
        self.not_numbers += other.not_numbers;
        if other.count == 0 {
            return;
        }
        self.widen(other.min, other.max);
        self.count += other.count;
        self.sum += other.sum;
        for more in other.octaves {
            let counts = &mut self.octave(more.first).counts;
            for place in 0..PER_OCTAVE {
                counts[place] += more.counts[place];
            }
        }
    }

    fn octave(&mut self, first: i64) -> &mut Octave {
        let place = match self.octaves.binary_search_by(|octave| octave.first.cmp(&first)) {
            Ok(place) => place,
            Err(place) => {
                self.octaves.insert(place, Octave { first, counts: Box::new([0; PER_OCTAVE]) });
                place
            }
        };
        &mut self.octaves[place]
    }

    /// Each bucket in which there are any, by its number nearest to zero, and how many there are;
    /// in the order of the numbers.
    fn buckets(&self) -> Vec<(f64, u64)> {
        let mut buckets = Vec::new();
        for octave in &self.octaves {
            for (place, count) in octave.counts.iter().enumerate() {
                if *count > 0 {
                    buckets.push((number_of(octave.first + place as i64), *count));
                }
            }
        }
        buckets
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
        for (number, count) in self.buckets() {
            passed += count;
            // Of the last bucket, the largest number is as near and more familiar.
            if passed >= rank && passed < self.count {
                return number.clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// A bar for each part of the range, as high as the part is full: `▁▇▅▃`. Empty parts are
    /// blank. At most ten bars; nothing if there is nothing to compare.
    pub(super) fn sparkline(&self) -> String {
        const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        // Halves, since the distance between the extremes of `f64` is none.
        let (low, width) = (self.min / 2.0, self.max / 2.0 - self.min / 2.0);
        if self.count == 0 || width == 0.0 || !width.is_finite() {
            return String::new();
        }
        let buckets = self.buckets();
        let are_whole = buckets.iter().all(|(number, _)| number.fract() == 0.0);
        let has_one_each = are_whole && width < 5.0;
        let parts = if has_one_each { (2.0 * width) as usize + 1 } else { 8 };
        let mut counts = vec![0; parts];
        for (number, count) in buckets {
            let number = number.clamp(self.min, self.max);
            let part = if has_one_each { number - self.min } else { (number / 2.0 - low) / width * parts as f64 };
            counts[(part as usize).min(parts - 1)] += count;
        }
        let mut highest = 1;
        for count in &counts {
            highest = highest.max(*count);
        }
        let mut bars = String::new();
        for count in counts {
            bars.push(BARS[(count * 8).div_ceil(highest) as usize]);
        }
        bars
    }
}

/// A number's bucket, in the order of the numbers: negative ones count from the far end.
fn ordered(number: f64) -> i64 {
    let magnitude = (number.abs().to_bits() >> CUT) as i64;
    if number < 0.0 { -magnitude } else { magnitude }
}

/// The number of a bucket that is nearest to zero.
fn number_of(bucket: i64) -> f64 {
    let magnitude = f64::from_bits(bucket.unsigned_abs() << CUT);
    if bucket < 0 { -magnitude } else { magnitude }
}
