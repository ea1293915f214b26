//! How long replay takes: five insertions into a binary tree (every case loads its classes),
//! and `mid` (all share them).
//!
//! `cargo run --release -p evergreen-smt-replay --example replay_speed -- CLASS_PATH [CASES [probes]]`; on
//! the class path are `crates/replay/java/sym`, `subjects/bintree/v0` and `subjects/mid`, compiled.

use evergreen_classfile::find_jdk;
use evergreen_replay::{
    Ending, JavaValue, Probed, Probes, Receiver, ReplayOptions, Target, TestCase, replay,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let class_path = PathBuf::from(arguments.next().ok_or("help: name the class path")?);
    let count: usize = arguments.next().map_or(Ok(541), |text| text.parse())?;
    let jdk = find_jdk()?;
    let probes = match arguments.next().as_deref() {
        Some("probes") => Some(Probes::plant(&jdk, std::slice::from_ref(&class_path), &Probed::All)?),
        _ => None,
    };
    for (name, make) in [("bintree", tree_case as fn(usize) -> TestCase), ("mid", mid_case)] {
        let cases: Vec<TestCase> = (0..count).map(make).collect();
        let start = Instant::now();
        let path = std::slice::from_ref(&class_path);
        let replayed = replay(&jdk, path, probes.as_ref(), &cases, &ReplayOptions::default())?;
        let took = start.elapsed();
        println!(
            "{name} on JDK {}: {count} cases, {} divergences, {took:.2?}, {:.0} cases/s",
            jdk.version,
            replayed.divergences(),
            count as f64 / took.as_secs_f64()
        );
    }
    Ok(())
}

/// Five keys below five, and how many different ones they are.
fn tree_case(number: usize) -> TestCase {
    let keys: Vec<usize> = (0..5).map(|place| number / 5usize.pow(place) % 5).collect();
    let distinct = keys.iter().collect::<std::collections::BTreeSet<_>>().len();
    let mut case = case("BinTreeDriver", "add5", "()I", distinct as i32);
    case.draws = keys.iter().map(|key| ("key".to_string(), JavaValue::Int(*key as i32))).collect();
    case
}

/// The middle one of three.
fn mid_case(number: usize) -> TestCase {
    let mut values = [number % 7, number / 7 % 7, number / 49 % 7].map(|value| value as i32);
    let arguments = values.iter().map(|value| JavaValue::Int(*value)).collect();
    values.sort();
    TestCase { arguments, ..case("Mid", "mid", "(III)I", values[1]) }
}

fn case(class: &str, method: &str, descriptor: &str, result: i32) -> TestCase {
    let target = Target {
        class: class.into(),
        method: method.into(),
        descriptor: descriptor.into(),
        receiver: Receiver::Static,
        hidden: false,
        parameters: vec![],
        exceptions: vec![],
    };
    TestCase {
        target: Arc::new(target),
        objects: vec![],
        build: None,
        receiver: None,
        arguments: vec![],
        draws: vec![],
        ending: Ending::Returned(Some(JavaValue::Int(result))),
        output: Some(String::new()),
        title: String::new(),
        arms: None,
    }
}
