//! Reads every class of a JDK and prints the time: `cargo run -p evergreen-smt-classfile --release
//! --example read_all [HOME]`.

use evergreen_classfile::{Jdk, Listed, find_jdk, read};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let jdk = match std::env::args().nth(1) {
        Some(home) => Jdk::open(Path::new(&home))?,
        None => find_jdk()?,
    };
    let opened = start.elapsed();
    let (mut classes, mut bytes, mut instructions, mut wrong) = (0, 0, 0, 0);
    let start = Instant::now();
    let names = jdk.classes()?;
    println!("listed in {:?}", start.elapsed());
    let start = Instant::now();
    for Listed { module, name } in &names {
        let Some(found) = jdk.find(name)? else {
            // `module-info` is in every module and in no package.
            if &**name != "module-info" {
                println!("{module}/{name}: listed but not found");
                wrong += 1;
            }
            continue;
        };
        bytes += found.bytes.len();
        match read(&found.bytes) {
            Ok(class) => {
                classes += 1;
                let code = class.methods.iter().filter_map(|m| m.code.as_ref());
                instructions += code.map(|c| c.instructions.len()).sum::<usize>();
            }
            Err(e) => {
                println!("{module}/{name}: {e}");
                wrong += 1;
            }
        }
    }
    println!(
        "JDK {}: opened in {opened:?}; {classes} classes, {bytes} bytes, {instructions} instructions in \
         {:?}; {wrong} wrong",
        jdk.version,
        start.elapsed()
    );
    Ok(())
}
