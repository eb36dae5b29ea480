use super::DEPTH;
use crate::choice::Site;
use crate::source::Bracket;
use std::fmt::Write;

/// Follows the brackets of a generator, to know at which place it chooses. Learning and drawing go by the same brackets, so they agree on it.
#[derive(Debug)]
pub(super) struct Labels {
    /// The innermost bracket that is open. It is where everything is asked.
    top: Frame,
    /// Those around it, and behind them room for more: always for one, so that there is nothing left to do when it was used.
    outer: Vec<Frame>,
    /// How many are around it.
    depth: usize,
    /// How many brackets of each site are open; sites are counted from 1.
    depths: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    place: Place,
    /// By how much the position rises with each choice: not at all where what is chosen has that of the part.
    step: u16,
    /// The number of the site whose bracket this is, or 0.
    call: u32,
    depth: u16,
}

/// A place in a generator, as one number: the number of the site it belongs to, or 0 outside of every generator; one more than the arm it is in, or 0 (outside of
/// every generator: for which argument of a property it is); the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place(u64);

/// The number that stands for all that the body of a property draws, however often.
pub(crate) const IN_BODY: u16 = u16::MAX;

/// Depths from this one on are one.
const DEEPEST: u16 = 7;
pub(super) const DEPTHS: usize = DEEPEST as usize + 1;

impl Labels {
    const TOP: Frame = Frame { place: Place(0), step: 1, call: 0, depth: 0 };

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

    /// Where the next list stands, and at which depth of its generator.
    #[inline(always)]
    pub(super) fn place_of_list(&mut self) -> (Place, u16) {
        (self.top.next(), self.top.depth.min(DEEPEST))
    }

    /// Where the next choice stands, without going on.
    pub(super) fn here(&self) -> Place {
        self.top.place
    }

    /// Where the next pick stands, and at which depth of its generator. What follows goes on from its [arm](Labels::picked).
    #[inline(always)]
    pub(super) fn place_of_pick(&self, site: u32) -> (Place, u16) {
        let top = &self.top;
        // A generator that begins by picking is that pick.
        let is_pick = top.call != 0 && top.place.is_beginning();
        (if is_pick { Place::new(site, 0) } else { top.place }, top.depth.min(DEEPEST))
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
            Bracket::Part => {
                let place = self.place();
                self.open_list(place);
            }
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
        self.push(Frame { place: Place::new(call, 0), step: 1, call, depth });
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
        let mut again = Frame { call: 0, ..self.top };
        again.place.0 -= u64::from(again.step.min(again.place.position()));
        self.push(again);
    }

    /// The items of a list stand where the list does, and so does all that a part chooses.
    #[inline(always)]
    pub(super) fn open_list(&mut self, place: Place) {
        self.push(Frame { place, step: 0, call: 0, depth: self.top.depth });
    }

    #[inline(always)]
    pub(super) fn close(&mut self) {
        // Closed too often is nothing to panic about: this runs while a panic of the generator unwinds.
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

impl Frame {
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
    #[inline(always)]
    fn new(site: u32, arm: u16) -> Place {
        Place(u64::from(site) << 32 | u64::from(arm) << 16)
    }

    /// A number by which the place is known while the program runs.
    #[inline(always)]
    pub(super) fn number(self) -> u64 {
        self.0
    }

    /// Whether nothing was chosen yet in its site.
    #[inline(always)]
    fn is_beginning(self) -> bool {
        self.0 as u32 == 0
    }

    #[inline(always)]
    pub(super) fn is_beginning_of(self, site: u32) -> bool {
        self == Place::new(site, 0)
    }

    #[inline(always)]
    fn site(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn arm(self) -> u16 {
        (self.0 >> 16) as u16
    }

    #[inline(always)]
    fn position(self) -> u16 {
        self.0 as u16
    }

    /// The same place of a generator that is by itself: what was learned there is used where nothing was learned for the argument.
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

    /// What a pick there is called in a file: by its own site and, if it is not the beginning of a generator, where it stands in one.
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
