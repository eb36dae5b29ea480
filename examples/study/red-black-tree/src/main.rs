use std::process::ExitCode;

fn main() -> ExitCode {
    study_support::main(&study_red_black_tree::TASK)
}
