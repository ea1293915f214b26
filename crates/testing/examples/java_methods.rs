//! Writes generated Java methods into a directory, to look at: `java_methods DIR SEED COUNT`.

use evergreen_testing::java::method;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().expect("a directory");
    let seed = arguments.next().and_then(|s| s.parse().ok()).expect("a seed");
    let count = arguments.next().and_then(|s| s.parse().ok()).expect("how many");
    std::fs::create_dir_all(&directory).expect("the directory can be made");
    for index in 0..count {
        let made = method(seed, index);
        let path = format!("{directory}/{}.java", made.class);
        std::fs::write(&path, &made.source).expect("the file can be written");
    }
}
