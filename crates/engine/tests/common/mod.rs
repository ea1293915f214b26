//! Programs for tests: C compiled by clang, modules written as text.

use evergreen_engine::{Limits, Natives, Probed, Ran, Test, World};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The compiler: `wasm-clang` of the tools, else clang 16, else clang.
///
/// # Panics
/// If there is none: a test that needs it fails without it.
pub(crate) fn clang() -> PathBuf {
    let tools = std::env::var_os("EVERGREEN_TOOLS").map(PathBuf::from);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let tools = tools.into_iter().chain([own]).map(|tools| tools.join("bin/wasm-clang"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = ["clang-16", "clang"].into_iter().flat_map(|name| {
        std::env::split_paths(&path).map(move |folder| folder.join(name)).collect::<Vec<_>>()
    });
    let found = tools.chain(on_path).find(|file| file.is_file());
    found.expect("no clang for WebAssembly\nhelp: run scripts/setup.sh c")
}

/// Compiles C for WASI.
pub(crate) fn compile_with(source: &str, flags: &[&str]) -> Vec<u8> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("evergreen-engine-{}-{number}.wasm", std::process::id());
    let file = std::env::temp_dir().join(name);
    let mut command = Command::new(clang());
    command.args(["--target=wasm32-wasi", "-g", "-O0", "-x", "c", "-", "-o"]).arg(&file).args(flags);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("clang starts");
    child.stdin.take().expect("a pipe").write_all(source.as_bytes()).expect("clang reads");
    assert!(child.wait().expect("clang ends").success(), "clang failed on:\n{source}");
    let module = std::fs::read(&file).expect("clang wrote a module");
    std::fs::remove_file(&file).expect("the module can be removed");
    module
}

/// Compiles C for WASI; undefined functions are imports.
pub(crate) fn compile(source: &str) -> Vec<u8> {
    compile_with(source, &["-Wl,--allow-undefined"])
}

/// Runs a module in a world, with probes and without: only the decisions and the fuel may differ.
pub(crate) fn run_in(module: &[u8], world: World) -> Ran {
    let probed = Probed::plant(module, &Natives::default()).expect("the module can be planted");
    let test = Test { world, ..Test::default() };
    let ran = probed.run(&test, &Limits::default()).expect("the test runs");
    let plain = Probed::without_probes(module, &Natives::default()).expect("the module can be written");
    let other = plain.run(&test, &Limits::default()).expect("the test runs");
    assert_eq!(other.arms.count, 0);
    let (arms, fuel) = (ran.arms, ran.fuel);
    assert_eq!(ran, Ran { arms, fuel, ..other });
    ran
}

/// A world with arguments and standard input.
pub(crate) fn world(args: &[&str], stdin: &str) -> World {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    World { args, stdin: stdin.as_bytes().to_vec(), ..World::default() }
}

/// A module written as text.
pub(crate) fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the text is a module")
}

/// Output as text.
pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}
