//! The settings that are one of a few words.

/// What a run notices about a property that passes and yet tests less than it seems to.
///
/// Each one is reported until it is [allowed](super::Settings::allow). All are warnings, except
/// that a property fails whose cases were nearly all discarded.
///
/// ```
/// use retrospect::runner::settings::Health;
/// assert_eq!(Health::ALL.map(Health::name), ["discards", "slow", "large", "nondeterminism"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Many cases were given up by `assume!` or `filter`. The property fails if fewer cases than
    /// wanted were tested, and more than 10 were discarded for each of them; unless all cases there
    /// are were run.
    Discards,
    /// Making the values takes longer than testing them.
    Slow,
    /// The values are very large.
    Large,
    /// The same choices led to another outcome.
    Nondeterminism,
}

impl Health {
    /// All of them.
    ///
    /// ```
    /// use retrospect::runner::settings::Health;
    /// assert!(Health::ALL.contains(&Health::Slow));
    /// ```
    pub const ALL: [Health; 4] = [Health::Discards, Health::Slow, Health::Large, Health::Nondeterminism];

    /// The word for it in `RETROSPECT_ALLOW` and `allow`.
    ///
    /// ```
    /// use retrospect::runner::settings::Health;
    /// assert_eq!(Health::Discards.name(), "discards");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Health::Discards => "discards",
            Health::Slow => "slow",
            Health::Large => "large",
            Health::Nondeterminism => "nondeterminism",
        }
    }
}

/// Whether a report is coloured.
///
/// ```
/// use retrospect::runner::settings::Color;
/// assert_eq!(Color::ALL.map(Color::name), ["auto", "always", "never"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Where a terminal shows it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// All of them.
    ///
    /// ```
    /// use retrospect::runner::settings::Color;
    /// assert_eq!(Color::ALL[0], Color::Auto);
    /// ```
    pub const ALL: [Color; 3] = [Color::Auto, Color::Always, Color::Never];

    /// The word for it in `RETROSPECT_COLOR` and `color`.
    ///
    /// ```
    /// use retrospect::runner::settings::Color;
    /// assert_eq!(Color::Never.name(), "never");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Color::Auto => "auto",
            Color::Always => "always",
            Color::Never => "never",
        }
    }
}
