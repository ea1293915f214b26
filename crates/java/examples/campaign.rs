//! Explores a class, keeps a suite of its tests and replays them on the JVM:
//! `cargo run -p evergreen-smt-java --example campaign -- File.java FOLDER`.

use evergreen::Evergreen;
use evergreen_java::replay::Junit;
use evergreen_java::suite::JunitSources;
use evergreen_java::{
    Campaign, InputLimits, JavaFrontend, JvmReplayer, Keeping, Old, Program, SuiteOptions, SuiteSize, Suites,
    Team, Within,
};
use evergreen_java::{classfile::find_jdk, jvm, symbolic::Ints};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, folder] = &words[..] else { return Err("campaign FILE FOLDER".into()) };
    let program = Program::open(&[file.into()], None, find_jdk()?)?;
    let (opened, machine) = (program.opened(), jvm::Options { record: 10_000, ..jvm::Options::default() });
    let make = || {
        let program = opened.open().map_err(|e| e.to_string())?;
        let solver = Box::new(|| Evergreen::builder().build());
        JavaFrontend::explore(program, Ints::Wrapped, machine.clone(), solver).map_err(|e| e.to_string())
    };
    let sources = JunitSources { version: Junit::Five, misread: Vec::new() };
    let (folder, old) = (folder.into(), Old::TrustNothing);
    let (size, keeping) = (SuiteSize::Branches, Keeping::Updated);
    let suite = SuiteOptions { folder, old, is_whole: true, between: None, size, sources, keeping };
    let (suites, methods) = Suites::open(suite, &program, &program.methods(None)?)?;
    let mut replayer = JvmReplayer::new(&program);
    let within = |tally: &_| Within::new(InputLimits::of(&machine), tally);
    let mut campaign = Campaign::new(&make, &within, Some(suites), Some(&mut replayer));
    let mut team = Team::Alone(Box::new(make()?));
    methods.iter().try_for_each(|method| campaign.entry(&mut team, method, &mut []))?;
    campaign.replay();
    let update = campaign.finish(&team)?.unwrap_or_default();
    let totals = &campaign.totals;
    println!("{} paths, {} findings, {}", totals.paths, totals.findings, totals.whole());
    println!("{} tests replayed, {} divergences", totals.replayed, totals.divergences);
    println!("suite: {} kept, {} new, {} retired", update.kept.len(), update.new.len(), update.retired.len());
    Ok(())
}
