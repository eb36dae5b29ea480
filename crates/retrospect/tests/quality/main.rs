//! What shrinking reaches: one normal form for each problem, whatever it begins with, in few runs.

mod challenges;
mod extras;
mod measure;
mod oracle;
mod runs_alone;
mod smartcheck;
