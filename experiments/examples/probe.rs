use retrospect::prelude::*;
fn main() {
    let dir = std::path::PathBuf::from("/tmp/h5/probe");
    let _ = std::fs::remove_dir_all(&dir);
    for _ in 0..2 {
        let report = std::thread::Builder::new()
            .name("probe".into())
            .spawn(|| {
                Check::new()
                    .with(retrospect::runner::Settings::new().regressions("/tmp/h5/probe").seed(1))
                    .named("a::b")
                    .failure_of_case(|case| {
                        let x = case.draw(exact(1u8).map(|x| x + 1));
                        assert!(x < 2);
                    })
            })
            .unwrap()
            .join()
            .unwrap();
        println!("{}", report.unwrap_or_default());
    }
    for e in std::fs::read_dir(dir).unwrap() {
        println!("{}", std::fs::read_to_string(e.unwrap().path()).unwrap());
    }
}
