//! What shrinking reaches: one normal form for each problem, whatever it begins with, in few runs.

use experiments::shrinking::measure;
use experiments::shrinking::problems::challenges;

mod characters;
mod effort;
mod held_out;
mod oracle;
mod runs_alone;
mod table;
mod values;
mod variants;
