//! The cases of a property from small to large: its arguments in the order of
//! [`enumerate`](crate::generator::Explore::enumerate).

use super::case::{Case, Interruption, Notebook};
use super::panics::{self, Thrown};
use super::trial::Body;
use crate::source::{BySize, Drawn, Source, Trouble, Why};
use std::cell::RefCell;

/// How far the cases were gone through.
pub(super) struct InOrder {
    walk: BySize,
    /// The number of the case that comes next.
    next: u64,
}

/// How many questions may be asked for each case before the one that is looked for, and how many
/// more.
const QUESTIONS_FOR_EACH: u64 = 4;
const MORE_QUESTIONS: u64 = 1_000;

/// A case that is nearer is walked to: each step may ask as many questions as a jump.
const WORTH_A_JUMP: u64 = 256;

impl Default for InOrder {
    fn default() -> InOrder {
        InOrder { walk: BySize::new(), next: 0 }
    }
}

impl InOrder {
    /// To find out whether there is a case with so many before it, which must not take long: a
    /// property that is drawn at random all the same waits for it.
    pub(super) fn asking_little(place: u64) -> InOrder {
        let mut in_order = InOrder::default();
        in_order.walk.ask_at_most(place.saturating_mul(QUESTIONS_FOR_EACH).saturating_add(MORE_QUESTIONS));
        in_order
    }

    /// Whether this case is still to come.
    pub(super) fn is_before(&self, place: u64) -> bool {
        self.next <= place
    }

    /// What to answer the arguments of the case that has so many before it; nothing if there are
    /// not that many. The body is not run for it: only its arguments are drawn.
    pub(super) fn answers(
        &mut self,
        place: u64,
        body: &mut Body<'_>,
        has_free_arguments: bool,
    ) -> Result<Option<Vec<u64>>, Trouble> {
        let body = RefCell::new(body);
        let draw = |source: &mut Source<'_>| draw_arguments(&mut **body.borrow_mut(), has_free_arguments, source);
        panics::quietly(false, || {
            while self.next < place && place - self.next < WORTH_A_JUMP {
                self.next += 1;
                if self.walk.next(&draw)?.is_none() {
                    return Ok(None);
                }
            }
            let left = place.saturating_sub(self.next);
            self.next = place.saturating_add(1);
            Ok(self.walk.nth(&draw, left.into())?.map(<[u64]>::to_vec))
        })
    }
}

/// Draws the arguments of a property as a generator would.
fn draw_arguments(body: &mut Body<'_>, has_free_arguments: bool, source: &mut Source<'_>) -> Drawn<()> {
    let mut notebook = Notebook::default();
    notebook.ends_when_ready = true;
    notebook.has_free_arguments = has_free_arguments;
    let mut case = Case::new(std::mem::replace(source, Source::random(0)), Some(Box::new(notebook)));
    let ended = panics::catch(|| body(&mut case));
    *source = case.into_source();
    let interruption = match ended {
        Ok(_) => return Ok(()),
        Err(Thrown::Interruption(payload)) => payload.downcast::<Interruption>().ok(),
        Err(Thrown::Panic(_)) => None,
    };
    match interruption.as_deref() {
        // Why is known to the source.
        Some(Interruption::Stopped(_)) => Err(crate::source::Stop),
        _ => Err(source.stop(Why::Other("a generator panicked".to_owned()))),
    }
}
