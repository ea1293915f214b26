//! Probes on the real JVM: the arms that a case takes, and what a suite covers.

use crate::common::{case, compile, jdks, oldest_jdk, options, returns, throws};
use evergreen_classfile::Arm;
use evergreen_replay::{
    Coverage, Ending, Hits, JavaValue, Message, Observed, Probed, Probes, Share, TestCase, replay,
};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The class path with `shop.Forks` and `shop.Sight`.
fn forks() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/shop");
    let files = ["Forks.java", "Sight.java"].map(|name| folder.join(name));
    COMPILED.get_or_init(|| compile("forks", &files)).clone()
}

fn fork_case(method: &str, arguments: &[i32], result: i32) -> TestCase {
    let arguments = arguments.iter().map(|value| JavaValue::Int(*value)).collect();
    let mut case = case(method, arguments, returns(JavaValue::Int(result)));
    Arc::make_mut(&mut case.target).class = "shop.Forks".into();
    case
}

/// Lines and arms, without offsets: `5 taken`.
fn told(probes: &Probes, arms: &[u32]) -> Vec<String> {
    let tell = |number: &u32| {
        let probe = probes.place(*number).unwrap().probe;
        format!("{} {}", probe.line.unwrap(), probe.arm)
    };
    arms.iter().map(tell).collect()
}

#[test]
fn arms_are_told_in_order() {
    let cases = [
        fork_case("sign(I)I", &[5], 1),
        fork_case("sign(I)I", &[0], 0),
        fork_case("count(I)I", &[2], 2),
        fork_case("pick(I)I", &[10], 1),
        fork_case("pick(I)I", &[11], 2),
        fork_case("pick(I)I", &[12], 3),
    ];
    for jdk in jdks() {
        let probes = Probes::plant(&jdk, &[forks()], &Probed::All).unwrap();
        let replayed = replay(&jdk, &[forks()], Some(&probes), &cases, &options()).unwrap();
        assert_eq!(replayed.divergences(), 0, "{:?}", replayed.cases);
        let arms: Vec<Vec<String>> = replayed.cases.iter().map(|case| told(&probes, &case.arms)).collect();
        assert_eq!(arms[0], ["6 not taken"]);
        assert_eq!(arms[1], ["6 taken", "7 not taken"]);
        // A loop of javac ends with the jump that leaves it.
        assert_eq!(arms[2], ["13 not taken", "13 not taken", "13 taken"]);
        assert_eq!(arms[3..], [["20 case 0"], ["20 case 1"], ["20 default"]]);
    }
}

#[test]
fn probes_change_nothing_that_a_program_can_see() {
    let sight = |method: &str, arguments: &[i32], ending| {
        let mut case = TestCase { ending, ..fork_case(method, arguments, 0) };
        Arc::make_mut(&mut case.target).class = "shop.Sight".into();
        case
    };
    let npe = |x: i32, message: &str| {
        sight("helpful(I)I", &[x], throws("java.lang.NullPointerException", Message::text(message)))
    };
    let defaults =
        sight("defaults()Ljava/lang/String;", &[], returns(JavaValue::string("en_US UTF-8 UTC 0.5")));
    let cases = [
        npe(0, "Cannot read field \"content\" because \"boxes[...]\" is null"),
        npe(6, "Cannot load from int array because \"boxes[...].content\" is null"),
        defaults,
    ];
    for jdk in jdks() {
        let probes = Probes::plant(&jdk, &[forks()], &Probed::All).unwrap();
        for probes in [None, Some(&probes)] {
            let replayed = replay(&jdk, &[forks()], probes, &cases, &options()).unwrap();
            let divergences: Vec<_> =
                replayed.cases.iter().filter_map(|case| case.divergence.as_ref()).collect();
            assert!(divergences.is_empty(), "JDK {}: {divergences:?}", jdk.version);
        }
    }
}

#[test]
fn coverage_counts_lines_and_arms() {
    let jdk = oldest_jdk();
    let which = Probed::These(vec!["shop.Forks".into(), "java.lang.String".into(), "shop.Nowhere".into()]);
    let probes = Probes::plant(&jdk, &[forks()], &which).unwrap();
    let run = |cases: &[TestCase]| replay(&jdk, &[forks()], Some(&probes), cases, &options()).unwrap().hits;
    let nothing = Coverage::of(&probes, &Hits::default());
    assert_eq!(nothing.lines(), Share { covered: 0, total: 12 });
    assert_eq!(nothing.branches(), Share { covered: 0, total: 9 });

    let mut hits = run(&[fork_case("sign(I)I", &[5], 1), fork_case("count(I)I", &[2], 2)]);
    let some = Coverage::of(&probes, &hits);
    assert_eq!(some.branches(), Share { covered: 3, total: 9 });
    assert_eq!(some.classes[0].missed_lines, [4, 7, 8, 20, 22, 24, 26]);
    assert_eq!(
        some.to_string(),
        "class                lines        branches  missed lines\n\
         shop.Forks       5/12  41%        3/9  33%  4, 7-8, 20, 22, 24, 26\n"
    );
    let sign = [("shop.Forks", "sign(I)I"), ("shop.Nowhere", "count(I)I")];
    let sign = sign.map(|(class, method)| (class.to_string(), method.to_string())).into();
    assert_eq!(some.clone().of_methods(&probes, &hits, &sign).methods, Share { covered: 1, total: 4 });
    let missed = told(&probes, &some.classes[0].missed_arms);
    assert_eq!(missed, ["6 taken", "7 not taken", "7 taken", "20 default", "20 case 0", "20 case 1"]);

    hits.merge(&run(&[
        fork_case("sign(I)I", &[0], 0),
        fork_case("sign(I)I", &[-1], -1),
        fork_case("pick(I)I", &[10], 1),
        fork_case("pick(I)I", &[11], 2),
        fork_case("pick(I)I", &[7], 3),
        TestCase { ending: Ending::Returned(None), ..fork_case("<init>()V", &[], 0) },
    ]));
    let all = Coverage::of(&probes, &hits);
    assert_eq!((all.lines().covered, all.branches().covered), (12, 9), "{all}");
    assert!(all.classes[0].missed_lines.is_empty() && all.classes[0].missed_arms.is_empty());
}

#[test]
fn another_way_to_the_same_end_is_a_divergence() {
    let jdk = oldest_jdk();
    let probes = Probes::plant(&jdk, &[forks()], &Probed::All).unwrap();
    let first = |method: &str| {
        // The first branch of a method, found as a machine would: by its offset.
        (0..40).map(|offset| probes.arms("shop.Forks", method, offset)).find(|arms| !arms.is_empty()).unwrap()
    };
    let number = |arms: &[(Arm, u32)], arm| arms.iter().find(|(found, _)| *found == arm).unwrap().1;
    let (taken, not_taken) =
        (number(first("sign(I)I"), Arm::Taken), number(first("sign(I)I"), Arm::Fallthrough));
    let sign = |arms: &[u32]| TestCase { arms: Some(arms.to_vec()), ..fork_case("sign(I)I", &[5], 1) };
    let cases = [sign(&[not_taken]), sign(&[taken]), sign(&[not_taken, taken]), sign(&[])];
    let replayed = replay(&jdk, &[forks()], Some(&probes), &cases, &options()).unwrap();
    let divergences: Vec<_> = replayed.cases.iter().map(|case| case.divergence.as_deref()).collect();
    let place = |arm| format!("shop.Forks.sign(I)I, line 6, offset 1: {arm}");
    assert_eq!(divergences[0], None);
    assert_eq!(
        divergences[1].unwrap(),
        format!("expected at branch 1: {}; the JVM: {}", place("taken"), place("not taken"))
    );
    assert_eq!(
        divergences[2].unwrap(),
        format!("expected at branch 2: {}; the JVM: no more branches", place("taken"))
    );
    assert_eq!(
        divergences[3].unwrap(),
        format!("expected at branch 1: no more branches; the JVM: {}", place("not taken"))
    );
}

#[test]
fn a_path_that_is_too_long_is_cut_and_covers_all_the_same() {
    let jdk = oldest_jdk();
    let probes = Probes::plant(&jdk, &[forks()], &Probed::All).unwrap();
    let long = fork_case("count(I)I", &[3_000_000], 3_000_000);
    let cases = [TestCase { arms: Some(vec![]), ..long.clone() }, fork_case("count(I)I", &[0], 0), long];
    let replayed = replay(&jdk, &[forks()], Some(&probes), &cases, &options()).unwrap();
    assert!(replayed.cases[0].cut && !replayed.cases[1].cut && replayed.cases[2].cut);
    assert!(replayed.cases[0].divergence.is_some() && replayed.cases[2].divergence.is_none());
    // Two of three hits are lines.
    assert_eq!(replayed.cases[2].arms.len(), (1 << 22) / 3);
    let last = replayed.cases[1].arms[0];
    assert!(!replayed.cases[2].arms.contains(&last) && replayed.hits.contains(last));
}

#[test]
fn a_damaged_class_is_left_to_the_jvm() {
    let jdk = oldest_jdk();
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read(forks().join("shop/Forks.class")).unwrap();
    std::fs::create_dir(folder.path().join("shop")).unwrap();
    std::fs::write(folder.path().join("shop/Forks.class"), &good[..good.len() / 2]).unwrap();
    let path = [folder.path().to_path_buf()];
    let probes = Probes::plant(&jdk, &path, &Probed::All).unwrap();
    assert_eq!(probes.count(), 0);
    let replayed = replay(&jdk, &path, Some(&probes), &[fork_case("sign(I)I", &[5], 1)], &options()).unwrap();
    let Observed::Ended(Ending::Threw { class, message: Message::Text(_) }) = &replayed.cases[0].observed
    else {
        panic!("{:?}", replayed.cases[0].observed)
    };
    assert_eq!(class, "java.lang.ClassFormatError");
}
