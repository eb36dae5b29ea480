use std::process::ExitCode;

fn main() -> ExitCode {
    study_support::main(&study_topological_sort::TASK)
}
