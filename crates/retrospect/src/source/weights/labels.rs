use super::DEPTH;
use crate::choice::Site;
use crate::source::Bracket;
use std::fmt::Write;

/// Follows the brackets of a generator, to know at which place it chooses. Learning and drawing go by the same brackets, so they agree on it.
#[derive(Debug)]
pub(super) struct Labels {
    /// The brackets that are open, the innermost last. They are changed where they are: to copy what was just written makes a processor wait.
    frames: Vec<Frame>,
    /// How many brackets of each site are open.
    depths: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    place: Place,
    /// Whether what is chosen here has positions of its own; otherwise it has that of the part.
    has_positions: bool,
    /// The number of the site whose bracket this is, or 0.
    call: u32,
    depth: u16,
}

/// A place in a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the site it belongs to, or 0 outside of every generator.
    site: u32,
    /// One more than the arm it is in, or 0. Outside of every generator: for which argument of a property it is.
    arm: u16,
    position: u16,
}

/// The number that stands for all that the body of a property draws, however often.
pub(crate) const IN_BODY: u16 = u16::MAX;

/// Depths from this one on are one.
const DEEPEST: u16 = 7;

impl Labels {
    const TOP: Frame = Frame { place: Place { site: 0, arm: 0, position: 0 }, has_positions: true, call: 0, depth: 0 };

    /// For this argument of a property; by itself a generator is the first.
    pub(super) fn new(argument: u16) -> Labels {
        let mut labels = Labels { frames: vec![Labels::TOP], depths: Vec::new() };
        labels.begin(argument);
        labels
    }

    /// Forgets the brackets of a run that ended early, and keeps the room.
    pub(super) fn begin(&mut self, argument: u16) {
        // What ended as it should has put the depths back.
        if self.frames.len() > 1 {
            self.frames.truncate(1);
            self.depths.fill(0);
        }
        *self.top() = Labels::TOP;
        self.top().place.arm = argument;
    }

    #[inline(always)]
    fn top(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Where the next choice stands.
    #[inline(always)]
    pub(super) fn place(&mut self) -> Place {
        self.top().next()
    }

    /// Where the next pick stands, and at which depth of its generator.
    #[inline(always)]
    pub(super) fn place_of_pick(&mut self, site: u32) -> (Place, u16) {
        let top = self.top();
        let depth = top.depth.min(DEEPEST);
        // A generator that begins by picking is that pick.
        if top.call != 0 && top.place.position == 0 && top.place.arm == 0 {
            return (Place { site, arm: 0, position: 0 }, depth);
        }
        (top.next(), depth)
    }

    /// What follows belongs to the arm.
    #[inline(always)]
    pub(super) fn picked(&mut self, site: u32, arm: usize) {
        let top = self.top();
        top.place = Place { site, arm: (arm as u16).saturating_add(1), position: 0 };
        top.has_positions = true;
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
        self.place();
        let id = site.id();
        if self.depths.len() <= id as usize {
            self.know_of(id);
        }
        let depth = self.depths[id as usize];
        self.depths[id as usize] = depth.saturating_add(1);
        let place = Place { site: id, arm: 0, position: 0 };
        self.frames.push(Frame { place, has_positions: true, call: id, depth });
    }

    #[cold]
    #[inline(never)]
    fn know_of(&mut self, id: u32) {
        self.depths.resize(id as usize + 1, 0);
    }

    /// Another attempt stands where the first one did.
    #[cold]
    #[inline(never)]
    fn open_again(&mut self) {
        let mut again = Frame { call: 0, ..*self.top() };
        again.place.position = again.place.position.saturating_sub(u16::from(again.has_positions));
        self.frames.push(again);
    }

    /// The items of a list stand where the list does, and so does all that a part chooses.
    #[inline(always)]
    pub(super) fn open_list(&mut self, place: Place) {
        let depth = self.top().depth;
        self.frames.push(Frame { place, has_positions: false, call: 0, depth });
    }

    #[inline(always)]
    pub(super) fn close(&mut self) {
        // Closed too often is nothing to panic about: this runs while a panic of the generator unwinds.
        if self.frames.len() > 1 {
            let call = self.top().call as usize;
            self.frames.pop();
            if call != 0 {
                self.depths[call] = self.depths[call].saturating_sub(1);
            }
        }
    }
}

impl Frame {
    /// Where the next choice stands.
    #[inline(always)]
    fn next(&mut self) -> Place {
        let place = self.place;
        self.place.position = place.position.saturating_add(u16::from(self.has_positions));
        place
    }
}

impl Place {
    /// A number by which the place is known while the program runs.
    #[inline(always)]
    pub(super) fn number(self) -> u64 {
        u64::from(self.site) << 32 | u64::from(self.arm) << 16 | u64::from(self.position)
    }

    /// The same place of a generator that is by itself: what was learned there is used where nothing was learned for the argument.
    pub(super) fn by_itself(self) -> Place {
        if self.site == 0 { Place { arm: 0, ..self } } else { self }
    }

    /// What it is called in a file.
    pub(super) fn text(self) -> String {
        let Some(site) = Site::by_id(self.site) else {
            return match self.arm {
                0 => format!("top.{}", self.position),
                IN_BODY => format!("draw.{}", self.position),
                argument => format!("argument {}.{}", argument + 1, self.position),
            };
        };
        let mut text = site.label_of_place();
        if self.arm > 0 {
            let _ = write!(text, "/{}", super::name_of(site, usize::from(self.arm) - 1));
        }
        let _ = write!(text, ".{}", self.position);
        text
    }

    /// What a pick there is called in a file: by its own site and, if it is not the beginning of a generator, where it stands in one.
    pub(super) fn text_of_pick(self, own: &'static Site) -> String {
        let label = own.label_of_place();
        match self.arm == 0 && self.position == 0 && (self.site == 0 || self.site == own.id()) {
            true => label,
            false => format!("{label} in {}", self.text()),
        }
    }
}

pub(super) fn at_depth(label: &str, depth: u16) -> String {
    format!("{label}{DEPTH}{depth}")
}
