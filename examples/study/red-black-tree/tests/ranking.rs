#[test]
fn the_page_has_the_figures_of_the_task() {
    study_support::ranking::check(&study_red_black_tree::TASK, env!("CARGO_BIN_EXE_study-red-black-tree"));
}
