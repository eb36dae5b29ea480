#[test]
fn the_page_has_the_figures_of_the_task() {
    study_support::ranking::check(&study_interpreter::TASK, env!("CARGO_BIN_EXE_study-interpreter"));
}
