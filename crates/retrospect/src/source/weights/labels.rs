use super::DEPTH;
use crate::choice::Site;
use crate::source::Bracket;
use std::fmt::Write;

/// Follows the brackets of a generator, to know at which place it chooses. Learning and drawing go
/// by the same brackets, so they agree on it.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    /// The innermost bracket that is open. It is where everything is asked.
    top: Frame,
    /// Those around it, and behind them room for more: always for one, so that there is nothing
    /// left to do when it was used.
    outer: Vec<Frame>,
    /// How many are around it.
    depth: usize,
    /// How many brackets of each site are open; sites are counted from 1.
    depths: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    place: Place,
    /// By how much the position rises with each choice: not at all where what is chosen has that of
    /// the part.
    step: u16,
    /// The number of the site whose bracket this is, or 0.
    call: u32,
    /// How often that site was open already, up to [`DEEPEST`].
    depth: u8,
    /// How many lists are around it inside of that site.
    lists: u8,
}

/// A place in a generator, as one number: the number of the site it belongs to, or 0 outside of
/// every generator; one more than the arm it is in, or 0 (outside of every generator: for which
/// argument of a property it is); the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Place(u64);

/// The number that stands for all that the body of a property draws, however often.
pub(crate) const IN_BODY: u16 = u16::MAX;

/// Depths from this one on are one.
const DEEPEST: u8 = 7;
pub(super) const DEPTHS: usize = DEEPEST as usize + 1;

impl Labels {
    const TOP: Frame = Frame { place: Place(0), step: 1, call: 0, depth: 0, lists: 0 };

    /// For this argument of a property; by itself a generator is the first.
    pub(super) fn new(argument: u16) -> Labels {
        let mut labels = Labels { top: Labels::TOP, outer: vec![Labels::TOP; 16], depth: 0, depths: Vec::new() };
        labels.begin(argument);
        labels
    }

    /// Forgets the brackets of a run that ended early, and keeps the room.
    pub(super) fn begin(&mut self, argument: u16) {
        // What ended as it should has put the depths back.
        if self.depth > 0 {
            self.depth = 0;
            self.depths.fill(0);
        }
        self.top = Frame { place: Place::new(0, argument), ..Labels::TOP };
    }

    #[inline(always)]
    fn push(&mut self, frame: Frame) {
        self.outer[self.depth] = self.top;
        self.top = frame;
        self.depth += 1;
        if self.depth == self.outer.len() {
            self.make_room();
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.outer.resize(2 * self.depth, Labels::TOP);
    }

    /// Where the next choice stands.
    #[inline(always)]
    pub(super) fn place(&mut self) -> Place {
        self.top.next()
    }

    /// Where the next list stands, and how deep: the depth of its generator, and one more for each
    /// list that it is in there. A list of lists stands where those do, and has another length.
    #[inline(always)]
    pub(super) fn place_of_list(&mut self) -> (Place, u16) {
        let depth = self.top.depth.saturating_add(self.top.lists);
        (self.top.next(), depth.min(DEEPEST).into())
    }

    /// Where the next choice stands, without going on.
    pub(super) fn here(&self) -> Place {
        self.top.place
    }

    /// Where the next pick stands, and at which depth of its generator. What follows goes on from
    /// its [arm](Labels::picked).
    #[inline(always)]
    pub(super) fn place_of_pick(&self, site: u32) -> (Place, u16) {
        let top = &self.top;
        // A generator that begins by picking is that pick.
        let is_pick = top.call != 0 && top.place.is_beginning();
        (if is_pick { Place::new(site, 0) } else { top.place }, top.depth.into())
    }

    /// What follows belongs to the arm.
    #[inline(always)]
    pub(super) fn picked(&mut self, site: u32, arm: usize) {
        self.top.place = Place::new(site, (arm as u16).saturating_add(1));
        self.top.step = 1;
    }

    #[inline(always)]
    pub(super) fn open(&mut self, bracket: Bracket) {
        match bracket {
            Bracket::Call(site) => self.open_call(site),
            Bracket::Part => self.open_part(),
            Bracket::Again => self.open_again(),
        }
    }

    #[inline(always)]
    pub(super) fn open_call(&mut self, site: &'static Site) {
        let call = site.known_id();
        // A site without a number is none of them either.
        let Some(open) = self.depths.get_mut((call as usize).wrapping_sub(1)) else { return self.open_new(site) };
        let depth = *open;
        *open = depth.saturating_add(1);
        self.place();
        let depth = depth.min(DEEPEST.into()) as u8;
        self.push(Frame { place: Place::new(call, 0), step: 1, call, depth, lists: 0 });
    }

    /// The same for a site that was not met before.
    #[cold]
    #[inline(never)]
    fn open_new(&mut self, site: &'static Site) {
        self.depths.resize(site.id() as usize, 0);
        self.open_call(site);
    }

    /// Another attempt stands where the first one did.
    #[cold]
    #[inline(never)]
    fn open_again(&mut self) {
        self.push(Frame { call: 0, place: self.top.before(), ..self.top });
    }

    /// All that a part chooses stands where the part does.
    #[inline(always)]
    pub(super) fn open_part(&mut self) {
        let place = self.place();
        self.push(Frame { place, step: 0, call: 0, ..self.top });
    }

    /// The items of a list stand where the list does.
    #[inline(always)]
    pub(super) fn open_list(&mut self, place: Place) {
        self.push(Frame { place, step: 0, call: 0, depth: self.top.depth, lists: self.top.lists.saturating_add(1) });
    }

    #[inline(always)]
    pub(super) fn close(&mut self) {
        // Closed too often is nothing to panic about: this runs while a panic of the generator
        // unwinds.
        if self.depth > 0 {
            let call = self.top.call as usize;
            self.depth -= 1;
            self.top = self.outer[self.depth];
            if let Some(open) = self.depths.get_mut(call.wrapping_sub(1)) {
                *open = open.saturating_sub(1);
            }
        }
    }
}

/// Where a generator is among its brackets, to come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    depth: usize,
    top: Frame,
}

// For who looks at a value: several ways begin at the same place.
impl Labels {
    pub(super) fn mark(&self) -> Mark {
        Mark { depth: self.depth, top: self.top }
    }

    /// Closes what was opened since then, and goes back.
    pub(super) fn restore(&mut self, mark: Mark) {
        self.close_to(mark.depth);
        self.top = mark.top;
    }

    /// Whether another attempt at what was done since then would begin there.
    pub(super) fn is_again_at(&self, mark: Mark) -> bool {
        self.top.before() == mark.top.place && self.top.step == mark.top.step
    }

    /// How many brackets are open.
    pub(super) fn open_count(&self) -> usize {
        self.depth
    }

    pub(super) fn close_to(&mut self, depth: usize) {
        while self.depth > depth {
            self.close();
        }
    }

    /// What follows stands at a place that hangs on which way was taken.
    pub(super) fn lose(&mut self) {
        self.top.place = Place::LOST;
    }

    /// What the places inside of the next call hang on: how many brackets of each site are open, as
    /// far as that counts.
    pub(super) fn depths_as_number(&self) -> u64 {
        let mut number = 0u64;
        for (site, open) in self.depths.iter().enumerate() {
            if *open > 0 {
                let open = u64::from((*open).min(DEEPEST.into()));
                number = (number ^ ((site as u64) << 4 | open)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                number ^= number >> 29;
            }
        }
        number
    }

    /// The same for a part that is no call: where it stands counts, too.
    #[cfg(feature = "text")]
    pub(super) fn here_as_number(&self) -> u64 {
        let Frame { place, step, depth, lists, .. } = self.top;
        let deep = u64::from(depth) << 3 | u64::from(lists.min(DEEPEST));
        let here = place.0 ^ u64::from(step) << 63 ^ deep << 57;
        self.depths_as_number() ^ here.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}

impl Frame {
    /// Where the last choice stood, if it was no pick.
    fn before(&self) -> Place {
        Place(self.place.0 - u64::from(self.step.min(self.place.position())))
    }

    /// Where the next choice stands.
    #[inline(always)]
    fn next(&mut self) -> Place {
        let place = self.place;
        // Those that are too many share the last position.
        let step = if place.position() == u16::MAX { 0 } else { self.step };
        self.place.0 += u64::from(step);
        place
    }
}

impl Place {
    /// A place that is not known.
    const LOST: Place = Place(u64::MAX);

    pub(super) fn is_lost(self) -> bool {
        self == Place::LOST
    }

    #[inline(always)]
    fn new(site: u32, arm: u16) -> Place {
        Place(u64::from(site) << 32 | u64::from(arm) << 16)
    }

    /// Whether nothing was chosen yet in its site.
    #[inline(always)]
    fn is_beginning(self) -> bool {
        self.0 as u32 == 0
    }

    #[inline(always)]
    pub(super) fn site(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn arm(self) -> u16 {
        (self.0 >> 16) as u16
    }

    #[inline(always)]
    fn position(self) -> u16 {
        self.0 as u16
    }

    /// The same place of a generator that is by itself: what was learned there is used where
    /// nothing was learned for the argument.
    pub(super) fn by_itself(self) -> Place {
        if self.site() == 0 { Place(self.position().into()) } else { self }
    }

    /// What it is called in a file.
    pub(super) fn text(self) -> String {
        let (arm, position) = (self.arm(), self.position());
        let Some(site) = Site::by_id(self.site()) else {
            return match arm {
                0 => format!("top.{position}"),
                IN_BODY => format!("draw.{position}"),
                argument => format!("argument {}.{position}", argument + 1),
            };
        };
        let mut text = site.label_of_place();
        if arm > 0 {
            let _ = write!(text, "/{}", super::name_of(site, usize::from(arm) - 1));
        }
        let _ = write!(text, ".{position}");
        text
    }

    /// What a pick there is called in a file: by its own site and, if it is not the beginning of a
    /// generator, where it stands in one.
    pub(super) fn text_of_pick(self, own: &'static Site) -> String {
        let label = own.label_of_place();
        match self.is_beginning() && (self.site() == 0 || self.site() == own.id()) {
            true => label,
            false => format!("{label} in {}", self.text()),
        }
    }
}

pub(super) fn at_depth(label: &str, depth: u16) -> String {
    format!("{label}{DEPTH}{depth}")
}
