//! Coverage per case, on stable: the tests are built with `-C instrument-coverage`, and for each
//! binary it is written down which counters stand for which lines. The library reads the counters
//! after every case.
//!
//! | file | what |
//! | --- | --- |
//! | `elf` | the sections of a program |
//! | `mapping` | what LLVM wrote into them: regions of source, and how often each was run |
//! | `lines` | lines, by the regions on them |
//! | `md5` | how one part refers to another |

mod elf;
mod lines;
mod mapping;
mod md5;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Says that this program stands in for the compiler.
const WRAPS: &str = "CARGO_RETROSPECT_WRAPS";

/// What makes cargo build the crates of the workspace with counters; the others stay as they are.
pub fn variables() -> Result<Vec<(&'static str, OsString)>, String> {
    can_count(std::env::consts::OS, std::env::consts::ARCH)?;
    let program = std::env::current_exe().map_err(|error| format!("this program does not find itself: {error}"))?;
    Ok(vec![
        ("RUSTC_WORKSPACE_WRAPPER", program.into()),
        (WRAPS, "1".into()),
        // What the counters' own runtime would write at the end of every process.
        ("LLVM_PROFILE_FILE", "/dev/null".into()),
    ])
}

/// The library finds the counters of a program by symbols that the linker of this system makes,
/// with instructions of these processors.
fn can_count(system: &str, processor: &str) -> Result<(), String> {
    match (system, processor) {
        ("linux", "x86_64" | "aarch64") => Ok(()),
        _ => Err(format!(
            "--coverage works on Linux on x86-64 and ARM64 only, and this is {system} on {processor}: the counters of a running test are not found here\n\
             leave --coverage out: everything else is counted as ever; or run it in a container with Linux"
        )),
    }
}

/// If cargo calls this program in place of the compiler: calls the compiler, with counters.
pub fn as_compiler(arguments: &[OsString]) -> Option<ExitCode> {
    std::env::var_os(WRAPS)?;
    let (compiler, arguments) = arguments.get(1..)?.split_first()?;
    let follows = |name: &str, value: &str| arguments.windows(2).any(|pair| pair[0] == name && pair[1] == value);
    // These run while building, and not in a test.
    let is_for_building = follows("--crate-name", "build_script_build") || follows("--crate-type", "proc-macro");
    let mut command = Command::new(compiler);
    command.args(arguments);
    if !is_for_building {
        command.args(["-C", "instrument-coverage"]);
    }
    Some(match command.status() {
        Ok(status) => ExitCode::from(status.code().map_or(1, |code| code as u8)),
        Err(error) => {
            eprintln!("error: {} cannot be started: {error}", compiler.to_string_lossy());
            ExitCode::FAILURE
        }
    })
}

/// Writes down for a program which counters stand for which lines. `root` is that of the workspace;
/// what is outside of it is left out.
pub fn write_map(program: &Path, root: &Path, folder: &Path) -> Result<(), String> {
    let at_program = |problem: String| format!("{}: {problem}", program.display());
    let bytes = std::fs::read(program).map_err(|error| at_program(error.to_string()))?;
    let functions = mapping::functions(&bytes).map_err(|problem| {
        at_program(format!("its counters cannot be read ({problem}); another version of the compiler may help"))
    })?;
    let file = folder.join(program.file_name().unwrap_or_default()).with_extension("map");
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, lines::text(&functions, root)))
        .map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::can_count;

    #[test]
    fn where_counters_are_not_found_it_is_said_what_to_do() {
        assert_eq!(can_count("linux", "aarch64"), Ok(()));
        assert_eq!(
            can_count("macos", "aarch64").unwrap_err(),
            "--coverage works on Linux on x86-64 and ARM64 only, and this is macos on aarch64: the counters of a running test are not found here\n\
             leave --coverage out: everything else is counted as ever; or run it in a container with Linux"
        );
        assert!(can_count("linux", "riscv64").is_err() && can_count("windows", "x86_64").is_err());
    }
}
