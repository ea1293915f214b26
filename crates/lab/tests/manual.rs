//! The studies and benchmarks that the documents show exist: each command of `evergreen-lab` has its
//! subcommand and flags.

use evergreen_testing::manual::{Helps, commands, pages, read};
use std::path::{Path, PathBuf};

#[test]
fn commands_shown_exist() {
    let mut helps = Helps::new(Path::new(env!("CARGO_BIN_EXE_evergreen-lab")));
    let (mut wrong, mut seen) = (Vec::new(), 0);
    let outside = ["README.md", "CHANGELOG.md", "subjects/README.md", "streams/README.md"].map(PathBuf::from);
    for page in outside.into_iter().chain(pages()) {
        for shown in commands(&read(&page), "evergreen-lab") {
            seen += 1;
            if let Err(why) = helps.accept(&shown.words) {
                wrong.push(format!("{}:{}: {why}", page.display(), shown.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 30, "only {seen} commands are found");
}
