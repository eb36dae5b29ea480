use super::DEPTH;
use crate::choice::Site;
use crate::source::Bracket;
use std::fmt::Write;

/// Follows the brackets of a generator, to know at which place it chooses. Learning and drawing go by the same brackets, so they agree on it.
#[derive(Debug)]
pub(super) struct Labels {
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) site: Option<&'static Site>,
    /// One more than the arm it is in, or 0. Outside of every generator: for which argument of a property it is.
    arm: u16,
    position: u16,
}

/// The number that stands for all that the body of a property draws, however often.
pub(crate) const IN_BODY: u16 = u16::MAX;

/// Depths from this one on are one.
const DEEPEST: u16 = 7;

impl Labels {
    const TOP: Frame =
        Frame { place: Place { site: None, arm: 0, position: 0 }, has_positions: true, call: 0, depth: 0 };

    /// For this argument of a property; by itself a generator is the first.
    pub(super) fn new(argument: u16) -> Labels {
        let mut labels = Labels { frames: vec![Labels::TOP], depths: Vec::new() };
        labels.begin(argument);
        labels
    }

    /// Forgets the brackets of a run that ended early, and keeps the room.
    pub(super) fn begin(&mut self, argument: u16) {
        self.frames.truncate(1);
        self.frames[0] = Labels::TOP;
        self.frames[0].place.arm = argument;
        self.depths.iter_mut().for_each(|depth| *depth = 0);
    }

    #[inline]
    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("brackets are closed as often as they are opened")
    }

    /// Where the next choice stands.
    #[inline]
    pub(super) fn place(&mut self) -> Place {
        let top = self.top();
        let place = top.place;
        top.place.position += u16::from(top.has_positions);
        place
    }

    /// Where the next pick stands, and at which depth of its generator.
    pub(super) fn place_of_pick(&mut self, site: &'static Site) -> (Place, u16) {
        let top = self.top();
        let depth = top.depth.min(DEEPEST);
        // A generator that begins by picking is that pick.
        if top.call != 0 && top.place.position == 0 && top.place.arm == 0 {
            return (Place { site: Some(site), arm: 0, position: 0 }, depth);
        }
        (self.place(), depth)
    }

    /// What follows belongs to the arm.
    pub(super) fn picked(&mut self, site: &'static Site, arm: usize) {
        let top = self.top();
        top.place = Place { site: Some(site), arm: (arm as u16).saturating_add(1), position: 0 };
        top.has_positions = true;
    }

    pub(super) fn open(&mut self, bracket: Bracket) {
        if let Bracket::Again = bracket {
            // Another attempt stands where the first one did.
            let mut again = Frame { call: 0, ..*self.top() };
            again.place.position = again.place.position.saturating_sub(u16::from(again.has_positions));
            self.frames.push(again);
            return;
        }
        let place = self.place();
        let depth = self.top().depth;
        self.frames.push(match bracket {
            Bracket::Part | Bracket::Again => Frame { place, has_positions: false, call: 0, depth },
            Bracket::Call(site) => {
                let id = site.id() as usize;
                if self.depths.len() <= id {
                    self.depths.resize(id + 1, 0);
                }
                let depth = self.depths[id];
                self.depths[id] = depth.saturating_add(1);
                let place = Place { site: Some(site), arm: 0, position: 0 };
                Frame { place, has_positions: true, call: id as u32, depth }
            }
        });
    }

    /// The items of a list stand where the list does.
    pub(super) fn open_list(&mut self, place: Place) {
        let depth = self.top().depth;
        self.frames.push(Frame { place, has_positions: false, call: 0, depth });
    }

    pub(super) fn close(&mut self) {
        if let Some(frame) = self.frames.pop()
            && frame.call != 0
        {
            self.depths[frame.call as usize] -= 1;
        }
    }
}

impl Place {
    /// A number by which the place is known while the program runs. `kind` tells apart what is asked for there.
    pub(super) fn key(self, kind: u64, asked: u32, depth: u16) -> u128 {
        let site = self.site.map_or(0, Site::id);
        let place = u128::from(site) << 32 | u128::from(self.arm) << 16 | u128::from(self.position);
        place << 64 | u128::from(kind) << 48 | u128::from(depth) << 32 | u128::from(asked)
    }

    /// The same place of a generator that is by itself: what was learned there is used where nothing was learned for the argument.
    pub(super) fn by_itself(self) -> Place {
        if self.site.is_none() { Place { arm: 0, ..self } } else { self }
    }

    /// What it is called in a file.
    pub(super) fn text(self) -> String {
        let Some(site) = self.site else {
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
        match self.site {
            Some(site) if self.arm == 0 && self.position == 0 && std::ptr::eq(site, own) => label,
            None if self.position == 0 && self.arm == 0 => label,
            _ => format!("{label} in {}", self.text()),
        }
    }
}

pub(super) fn at_depth(label: &str, depth: u16) -> String {
    format!("{label}{DEPTH}{depth}")
}
