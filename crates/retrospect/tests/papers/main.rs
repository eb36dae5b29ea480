//! What the papers prove and show, on our generators. `docs/papers.md` says which test belongs to
//! which section.

mod backward;
mod correctness;
mod equations;
mod programs;

/// Whether counts agree with shares: chi-square, exceeded by chance once in 10,000 times (Wilson
/// and Hilferty).
#[track_caller]
fn agree(what: &str, counts: &[(u64, f64)]) {
    let draws: u64 = counts.iter().map(|(count, _)| count).sum();
    let total: f64 = counts.iter().map(|(_, share)| share).sum();
    assert!((total - 1.0).abs() < 1e-9, "{what}: the shares add up to {total}");
    let mut statistic = 0.0;
    for (count, share) in counts {
        assert!(*share > 0.0 || *count == 0, "{what}: {count} where there should be none");
        let expected = share * draws as f64;
        if *share > 0.0 {
            statistic += (*count as f64 - expected).powi(2) / expected;
        }
    }
    let freedom = counts.iter().filter(|(_, share)| *share > 0.0).count() as f64 - 1.0;
    if freedom > 0.0 {
        let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.719 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        assert!(statistic < limit, "{what}: {statistic} is above {limit}, {counts:?}");
    }
}
