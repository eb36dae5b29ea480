#[test]
fn the_figures_rank_the_generators_as_the_faults_they_find_do() {
    study_support::ranking::check(&study_topological_sort::TASK, env!("CARGO_BIN_EXE_study-topological-sort"));
}
