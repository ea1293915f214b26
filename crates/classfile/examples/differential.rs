//! Our reader against two others over every class of a JDK: `differential [HOME]`. Prints what differs; exit code 1 if
//! anything does.

#[path = "../tests/differential/cafebabe.rs"]
mod cafebabe;
#[path = "../tests/differential/ristretto.rs"]
mod ristretto;

use evergreen_classfile::{Jdk, find_jdk, read};
use std::path::Path;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let jdk = match std::env::args().nth(1) {
        Some(home) => Jdk::open(Path::new(&home))?,
        None => find_jdk()?,
    };
    let (mut classes, mut instructions, mut different) = (0, 0, 0);
    for listed in jdk.classes()? {
        let Some(found) = jdk.find(&listed.name)? else { continue };
        let class = read(&found.bytes)?;
        classes += 1;
        for answer in [cafebabe::compare(&found.bytes, &class), ristretto::compare(&found.bytes, &class)] {
            match answer {
                Ok(n) => instructions += n,
                Err(what) => {
                    println!("{}/{}: {what}", listed.module, listed.name);
                    different += 1;
                }
            }
        }
    }
    println!(
        "JDK {}: {classes} classes, {} instructions each; {different} differences",
        jdk.version,
        instructions / 2
    );
    Ok(ExitCode::from(u8::from(different > 0)))
}
