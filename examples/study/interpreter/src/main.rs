use std::process::ExitCode;

fn main() -> ExitCode {
    study_support::main(&study_interpreter::TASK)
}
