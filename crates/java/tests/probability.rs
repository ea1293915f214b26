//! Probabilities of paths and outcomes against brute force: generated methods run on the real JVM on every
//! input of their ranges. The probability of a path is the share of the inputs that take its arms, exactly;
//! all of them add up to exactly 1.

use crate::exploring::truth::{Observed, compile, kind, number, try_all};
use evergreen::counting::Ratio;
use evergreen::solver::Limits;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bits, Bounds, Class, Exploration, How, Inputs, JavaFrontend, Leak, Mass, Measure, Options, Order,
    Profile, Program, Publics,
};
use evergreen_testing::java::{self, Method, Parameter};
use evergreen_testing::tools::find;
use std::collections::BTreeMap;
use std::sync::Arc;

fn ratio(text: &str) -> Ratio {
    Ratio::read(text).unwrap()
}

fn share(n: usize, of: usize) -> Ratio {
    Ratio::new(n.into(), of.into()).unwrap()
}

/// Compiles methods and explores them with this store; the folder lives as long as it is needed.
fn explorer(methods: &[Method], store: &Arc<dyn Store>) -> (tempfile::TempDir, Exploration) {
    let _ = find("z3");
    let jdk = find_jdk().unwrap_or_else(|e| panic!("{e}"));
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(&jdk, folder.path(), methods);
    let program = Program::open(&[classes], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let (store, limits) = (store.clone(), Limits { time_ms: Some(60_000), ..Limits::default() });
    let make = move || {
        let builder = Evergreen::builder().with_store(store.clone()).limits(limits.clone());
        builder.solver("z3").reuse(Reuse::Full).build()
    };
    let made = JavaFrontend::explore(program, Ints::Wrapped, JvmOptions::default(), Box::new(make));
    (folder, made.unwrap())
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 28))
}

fn inputs(made: &Method) -> Inputs {
    let ranges = made.parameters.iter().map(|p| (p.name.clone(), (p.low, p.high))).collect();
    Inputs { ranges, ..Inputs::default() }
}

/// The probabilities of a method's paths and outcomes against those that the JVM shows; how many paths there
/// are.
fn compare(
    exploration: &mut Exploration,
    made: &Method,
    all: &BTreeMap<Vec<i64>, Observed>,
) -> Result<usize, String> {
    let wanted = format!("{}.run{}", made.class, made.descriptor());
    let target = exploration.front.program().methods(Some(&wanted)).map_err(|e| e.to_string())?.remove(0);
    let mut run = exploration.entry(&target, &inputs(made), Options::default()).map_err(|e| e.to_string())?;
    let mut by_arms: BTreeMap<(&str, &str), Ratio> = BTreeMap::new();
    let mut paths = 0;
    while let Some(path) = run.next_path() {
        let input: Vec<i64> = path.inputs.iter().map(|(_, value)| number(value)).collect();
        let mass = path.likelihood.ok_or("no probability")?.mass;
        let Some(exact) = mass.as_exact() else { return Err(format!("{input:?}: only {mass}")) };
        if matches!(path.how, How::Undecided { .. } | How::Unsupported { .. }) {
            return Err(format!("{:?}", path.how));
        }
        let (ending, arms) = all.get(&input).ok_or("not an input")?;
        let sum = by_arms.entry((kind(ending), arms)).or_insert_with(Ratio::zero);
        *sum = sum.plus(exact);
        paths += 1;
    }
    let mut really: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
    for (ending, arms) in all.values() {
        *really.entry((kind(ending), arms)).or_insert(0) += 1;
        *endings.entry(ending).or_insert(0) += 1;
    }
    let really: BTreeMap<_, _> = really.into_iter().map(|(path, n)| (path, share(n, all.len()))).collect();
    if by_arms != really {
        return Err(format!("{by_arms:?} of paths, really {really:?}"));
    }
    let distribution = run.distribution().ok_or("no distribution")?;
    if distribution.sum() != Mass::one()
        || distribution.covered() != Mass::one()
        || !distribution.lost().is_empty()
    {
        return Err(format!("{distribution:?} does not add up to 1"));
    }
    let varies = distribution.outcomes().iter().any(|(class, ..)| *class == Class::Varying);
    for (class, _, mass) in distribution.outcomes() {
        let of = |ending: String| share(endings.get(&*ending).copied().unwrap_or(0), all.len());
        match &class {
            Class::Returned(value) => {
                let really = of(format!("={value}"));
                if mass.least > really || mass.least != really && !varies {
                    return Err(format!("{class} with {mass}, really {really}"));
                }
            }
            Class::Threw(name) if mass.least != of(format!("!{name}")) => {
                return Err(format!("{class} with {mass}"));
            }
            _ => {}
        }
    }
    Ok(paths)
}

#[test]
fn shares_of_inputs_are_those_of_the_jvm() {
    let count = std::env::var("EVERGREEN_BRUTE_FORCE").ok().and_then(|n| n.parse().ok()).unwrap_or(80);
    let methods: Vec<Method> = (0..count).map(|index| java::method(20_261_115, index)).collect();
    let store = memory();
    let (folder, mut exploration) = explorer(&methods, &store);
    exploration.measure(Measure::default()).unwrap();
    let all = try_all(&find_jdk().unwrap(), folder.path(), &methods);
    let (mut wrong, mut paths) = (Vec::new(), 0);
    for made in &methods {
        match compare(&mut exploration, made, &all[&made.class]) {
            Ok(found) => paths += found,
            Err(why) => wrong.push(format!("{}: {why}\n{}", made.class, made.source)),
        }
    }
    let did = exploration.oracle().masses().unwrap().did();
    println!("{count} methods, {paths} paths, {did:?}");
    assert!(wrong.is_empty(), "{} methods:\n{}", wrong.len(), wrong.join("\n"));
    assert!(did.by_complement > 0 && did.tried > 0 && did.counted > 0 && did.bounded == 0, "{did:?}");
}

fn method(name: &str, parameters: &str, body: &str) -> Method {
    let source = format!("final class {name} {{ static int run({parameters}) {{ {body} }} }}");
    let of = |text: &str| Parameter {
        name: text.rsplit(' ').next().unwrap_or_default().into(),
        of: ["int", "long", "boolean"].into_iter().find(|of| text.starts_with(of)).unwrap(),
        low: 0,
        high: 0,
    };
    Method { class: name.into(), parameters: parameters.split(", ").map(of).collect(), source }
}

fn ranges(all: &[(&str, i64, i64)]) -> Inputs {
    let ranges = all.iter().map(|(name, low, high)| (name.to_string(), (*low, *high))).collect();
    Inputs { ranges, ..Inputs::default() }
}

/// What becomes of one method.
struct Reported {
    outcomes: Vec<(String, String)>,
    lost: Vec<(String, String)>,
    leak: Option<Leak>,
    /// How likely each path is, in the order in which they are found.
    paths: Vec<Mass>,
    covered: Mass,
}

fn report(made: &Method, inputs: &Inputs, measure: Measure, options: Options) -> Result<Reported, String> {
    let (_folder, mut exploration) = explorer(std::slice::from_ref(made), &memory());
    exploration.measure(measure).map_err(|e| e.to_string())?;
    let target = exploration.front.program().methods(Some("run")).map_err(|e| e.to_string())?.remove(0);
    let mut run = exploration.entry(&target, inputs, options).map_err(|e| e.to_string())?;
    let mut paths = Vec::new();
    while let Some(path) = run.next_path() {
        paths.push(path.likelihood.unwrap().mass);
    }
    let distribution = run.distribution().unwrap().clone();
    if distribution.is_exact() {
        assert_eq!(distribution.sum(), Mass::one());
    }
    Ok(Reported {
        outcomes: distribution
            .outcomes()
            .iter()
            .map(|(c, _, mass)| (c.to_string(), mass.to_string()))
            .collect(),
        lost: distribution.lost().iter().map(|(why, mass)| (why.clone(), mass.to_string())).collect(),
        leak: run.leak(),
        paths,
        covered: distribution.covered(),
    })
}

fn profile(text: &str) -> Measure {
    Measure { profile: Some(Profile::read("p", text).unwrap()), ..Measure::default() }
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

#[test]
fn regions_have_their_weights() {
    let made = method(
        "Regions",
        "int h",
        "if (h < 5) return 1; if (h == 50) throw new IllegalStateException(); return 2;",
    );
    let with = |text: &str| report(&made, &ranges(&[("h", 0, 99)]), profile(text), Options::default());
    let reported = with("usageProfile{ h == h : 100/100; };").unwrap();
    let throws = "throws java.lang.IllegalStateException";
    assert_eq!(reported.outcomes, pairs(&[("returns 2", "47/50"), ("returns 1", "1/20"), (throws, "1/100")]));
    // 0..9 has 70 %: half of it is below 5. Of 40..59, which has the rest, one in twenty is 50.
    let reported = with("usageProfile{ h < 10 : 70/100; 40 <= h && h < 60 : 0.3; };").unwrap();
    assert_eq!(
        reported.outcomes,
        pairs(&[("returns 2", "127/200"), ("returns 1", "7/20"), (throws, "3/200")])
    );
    let wrong = |text: &str| with(text).err().unwrap();
    assert_eq!(
        wrong("usageProfile{ h < 10 : 0.5;\n h >= 9 : 0.5; };"),
        "p:2:2: the regions \"h < 10\" and \"h >= 9\" overlap"
    );
    assert_eq!(
        wrong("usageProfile{ h < 10 : 0.5; h > 200 : 0.5; };"),
        "p:1:29: no input is in the region \"h > 200\""
    );
    assert_eq!(wrong("usageProfile{ h < 1 : 0; h > k : 1; };"), "p:1:30: no input is called \"k\"");
}

#[test]
fn what_is_assumed_is_given() {
    let made = method("Assumed", "int x, int y", "if (x < y) return 1; return 0;");
    let mut inputs = ranges(&[("x", 0, 9), ("y", 0, 9)]);
    inputs.assumptions.push("x != y".into());
    let reported = report(&made, &inputs, Measure::default(), Options::default()).unwrap();
    assert_eq!(reported.outcomes, pairs(&[("returns 0", "1/2"), ("returns 1", "1/2")]));
}

#[test]
fn what_is_cut_is_shown() {
    let made = method("Cut", "int n", "int i = 0; while (i < n) i++; return 0;");
    let bounds = Bounds { depth: Some(3), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let reported = report(&made, &ranges(&[("n", 1, 10)]), Measure::default(), options).unwrap();
    // n = 1, 2 and 3 are found; at i = 0 there is no branch.
    assert_eq!(reported.outcomes, pairs(&[("returns 0", "3/10")]));
    assert_eq!(reported.lost, pairs(&[("cut by --depth", "7/10")]));
    assert_eq!(reported.covered, Mass::exact(ratio("3/10")));
    let bounds = Bounds { paths: Some(4), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let reported = report(&made, &ranges(&[("n", 1, 10)]), Measure::default(), options).unwrap();
    assert_eq!(
        (reported.lost, reported.covered),
        (pairs(&[("not explored", "3/5")]), Mass::exact(ratio("2/5")))
    );
}

#[test]
fn the_most_likely_comes_first() {
    // Depth first finds the rare arms first.
    let body = "if (x == 0) return 0; if (x < 3) return 1; if (x < 10) return 2; return 3;";
    let made = method("Likely", "int x", body);
    let covered = |order: Order| {
        let options =
            Options { order, bounds: Bounds { paths: Some(2), ..Bounds::default() }, ..Options::default() };
        report(&made, &ranges(&[("x", 0, 99)]), Measure::default(), options).unwrap().covered
    };
    assert_eq!(covered(Order::DepthFirst), Mass::exact(ratio("3/100")));
    assert_eq!(covered(Order::Likely), Mass::exact(ratio("97/100")));
    let all = report(
        &made,
        &ranges(&[("x", 0, 99)]),
        Measure::default(),
        Options { order: Order::Likely, ..Options::default() },
    );
    let all: Vec<String> = all.unwrap().paths.iter().map(Mass::to_string).collect();
    assert_eq!(all, ["9/10", "7/100", "1/50", "1/100"]);
}

#[test]
fn what_cannot_be_counted_is_bounded() {
    // A product of two large inputs.
    let made =
        method("Product", "int x, int y", "if (y > 0) { if (x * y == 77) return 1; return 2; } return 3;");
    let reported = report(&made, &Inputs::default(), Measure::default(), Options::default()).unwrap();
    let by_name: BTreeMap<_, _> = reported.outcomes.iter().cloned().collect();
    assert_eq!(by_name["returns 3"], "2147483649/4294967296");
    assert_eq!(by_name["returns 1"], "0..2147483647/4294967296", "reported as bounds");
    // A small one is tried, and the rest of its part is counted.
    let reported =
        report(&made, &ranges(&[("x", 0, 9), ("y", 1, 100)]), Measure::default(), Options::default())
            .unwrap();
    assert_eq!(reported.outcomes, pairs(&[("returns 2", "499/500"), ("returns 1", "1/500")]));
    let made = method(
        "Mixed",
        "int x, int y, int z",
        "if (x + z < 0) return 0; if (x * y == 12) return 1; return 2;",
    );
    let wide = [("x", 0, 9), ("y", 0, 9), ("z", -1_000_000, 1_000_000)];
    let reported = report(&made, &ranges(&wide), Measure::default(), Options::default()).unwrap();
    // (2,6) (3,4) (4,3) (6,2), for each of which z >= -x.
    let of = |x: u64| 1_000_000 + x + 1;
    let n = of(2) + of(3) + of(4) + of(6);
    let one = Ratio::new(n.into(), (100u64 * 2_000_001).into()).unwrap().to_string();
    assert_eq!(reported.outcomes.iter().find(|(class, _)| class == "returns 1").unwrap().1, one);
}

#[test]
fn overflow_has_its_probability() {
    let made =
        method("Overflow", "int x, long y", "if (x + 1 < x) return 1; if (y + y == 0) return 2; return 3;");
    let reported = report(&made, &Inputs::default(), Measure::default(), Options::default()).unwrap();
    let by_name: BTreeMap<_, _> = reported.outcomes.iter().cloned().collect();
    assert_eq!(by_name["returns 1"], "1/4294967296");
    // 0 and the smallest long, of 2^64.
    assert_eq!(
        by_name["returns 2"],
        ratio("2/18446744073709551616").times(&ratio("4294967295/4294967296")).to_string()
    );
}

fn secret(names: &[&str]) -> Measure {
    Measure { secrets: names.iter().map(|n| n.to_string()).collect(), ..Measure::default() }
}

fn leaks(made: &Method, inputs: &Inputs, secrets: &[&str]) -> Leak {
    report(made, inputs, secret(secrets), Options::default()).unwrap().leak.unwrap()
}

fn near(bits: Bits, expected: f64) {
    assert!(bits.is_exact() && (bits.least - expected).abs() < 1e-9, "{bits:?}, expected {expected}");
}

#[test]
fn a_password_checker_leaks_what_is_known() {
    let made = method("Check", "int pin, int guess", "if (pin == guess) return 1; return 0;");
    let mut inputs = ranges(&[("pin", 0, 9999)]);
    inputs.concrete.push(("guess".into(), "1234".into()));
    let p: f64 = 1e-4;
    let entropy = -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
    let leak = leaks(&made, &inputs, &["pin"]);
    near(leak.shannon, entropy);
    near(leak.capacity, 1.0);
    assert!((leak.secret_bits - 10_000f64.log2()).abs() < 1e-9);
    assert_eq!(
        leak.partition,
        [("returns 0".to_string(), ratio("0.9999")), ("returns 1".into(), ratio("1/10000"))]
    );
    assert_eq!(leak.publics, Publics::None);
    // With a guess that is an input each guess leaks the same.
    let leak = leaks(&made, &ranges(&[("pin", 0, 15), ("guess", 0, 7)]), &["pin"]);
    let p: f64 = 1.0 / 16.0;
    near(leak.shannon, -p * p.log2() - (1.0 - p) * (1.0 - p).log2());
    near(leak.worst, leak.shannon.least);
    assert!(matches!(leak.publics, Publics::Each { values: 8, .. }), "{:?}", leak.publics);
    // Too many of them: the leak has bounds, and reports them as such.
    let leak = leaks(&made, &Inputs::default(), &["pin"]);
    assert!(matches!(leak.publics, Publics::Free { .. }) && leak.why.is_some() && leak.shannon.least == 0.0);
}

#[test]
fn the_worst_public_input_is_found() {
    let made = method("Compare", "int secret, int open", "if (secret < open) return 1; return 0;");
    let leak = leaks(&made, &ranges(&[("secret", 0, 7), ("open", 0, 8)]), &["secret"]);
    near(leak.worst, 1.0);
    assert_eq!(leak.publics, Publics::Each { names: vec!["open".into()], values: 9, worst: vec![4] });
}

#[test]
fn values_that_are_returned_leak() {
    // The low three bits.
    let made = method("Low", "int h", "return h & 7;");
    near(leaks(&made, &ranges(&[("h", 0, 1023)]), &["h"]).shannon, 3.0);
    // Everything, as many values as there are ints.
    let made = method("All", "int h", "return h + 1;");
    let leak = leaks(&made, &Inputs::default(), &["h"]);
    near(leak.shannon, 32.0);
    near(leak.capacity, 32.0);
    // Half of the inputs fully, the others not at all.
    let made = method("Half", "int h", "if (h < 0) return h; return 5;");
    let leak = leaks(&made, &Inputs::default(), &["h"]);
    assert!(leak.shannon.least <= 16.5 && 16.5 <= leak.shannon.most, "{leak:?}");
    // Nothing at all.
    let made = method("None", "int h", "if (h * 0 == 1) return 1; return 7;");
    near(leaks(&made, &Inputs::default(), &["h"]).shannon, 0.0);
    // The exception is seen.
    let made = method("Thrown", "int h", "return 6 / (h & 1);");
    near(leaks(&made, &ranges(&[("h", 0, 9)]), &["h"]).shannon, 1.0);
}

#[test]
fn an_unknown_object_may_leak_everything() {
    let fits = |leak: &Leak, bits: f64, of: f64| {
        assert_eq!(leak.secret_bits, of, "{leak:?}");
        let within = |all: Bits| all.least <= bits && bits <= all.most;
        assert!(within(leak.shannon) && within(leak.worst) && leak.why.is_some(), "{leak:?}");
    };
    // On no condition and in no value, but printed: all bits.
    let made = method("Printed", "int h", "System.out.println(h); return 0;");
    fits(&leaks(&made, &ranges(&[("h", 0, 65_535)]), &["h"]), 16.0, 16.0);
    // In an object: all of them.
    let source = "final class Boxed { static Object run(int h) { return new int[] {h}; } }".to_string();
    let made = Method { class: "Boxed".into(), source, parameters: made.parameters };
    fits(&leaks(&made, &ranges(&[("h", 0, 15)]), &["h"]), 4.0, 4.0);
    // On a path that was cut: a quarter of the inputs leaks 10 bits.
    let made = method("Cut", "int a, int b", "if (a < 2) return -1; if (a == 2) return -2; return b;");
    let bounds = Bounds { depth: Some(1), ..Bounds::default() };
    let options = Options { bounds, ..Options::default() };
    let given = ranges(&[("a", 0, 3), ("b", 0, 1023)]);
    let leak = report(&made, &given, secret(&["a", "b"]), options).unwrap().leak.unwrap();
    fits(&leak, 4.0, 12.0);
    // Printed before something is thrown: what another path prints and throws may be the same.
    let body = "System.out.print(h < 32768 ? h : 3); throw new RuntimeException();";
    let leak = leaks(&method("Both", "int h", body), &ranges(&[("h", 0, 65_535)]), &["h"]);
    let p: f64 = 32_769.0 / 65_536.0;
    fits(&leak, (1.0 - p) * 16.0 - p * p.log2(), 16.0);
}

#[test]
fn the_same_outcome_of_several_paths_is_one() {
    // Printed: 2 of 4 bits.
    let made = method("Quarter", "int h", "System.out.println(h / 4); return 0;");
    near(leaks(&made, &ranges(&[("h", 0, 15)]), &["h"]).shannon, 2.0);
    // Printed and returned, and the same printed and returned as a constant.
    let body = "if (h > 11) { System.out.print(\"x1!\"); return 1; } System.out.print(\"x\");
        System.out.print(h & 1);
        System.out.print('!'); return h & 1;";
    let leak = leaks(&method("Twice", "int h", body), &ranges(&[("h", 0, 15)]), &["h"]);
    let p: f64 = 6.0 / 16.0;
    let entropy = -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
    near(leak.shannon, entropy);
    let (zero, one) = (r#"returns 0, prints "x0!""#.to_string(), r#"returns 1, prints "x1!""#.to_string());
    assert_eq!(leak.partition, [(one, ratio("10/16")), (zero, ratio("6/16"))]);
    // Types whose values are not written as numbers.
    let of = [("boolean", "true", 0, 1), ("char", "'b'", 97, 98)];
    for (name, constant, low, high) in of {
        let class = format!("Same_{name}");
        let source = format!(
            "final class {class} {{ static {name} run(int h, {name} q) {{ \
             if (h > 11) return {constant}; return q; }} }}"
        );
        let made = Method { class, source, parameters: Vec::new() };
        let leak = leaks(&made, &ranges(&[("h", 0, 15), ("q", low, high)]), &["h", "q"]);
        near(leak.shannon, entropy);
        assert_eq!(leak.partition.len(), 2, "{name}: {:?}", leak.partition);
    }
}

#[test]
fn regions_that_tie_inputs_together_are_not_overlooked() {
    // Each value of x comes from both regions, so there are 2^16 values in all, not 2^17.
    let made = method("Tied", "int x, int y", "return x + 7;");
    let text = "domain{ x : 0,65535; y : 0,9; }; usageProfile{ y < 5 : 0.5; y >= 5 : 0.5; };";
    let measure = Measure { secrets: vec!["x".into()], ..profile(text) };
    let given = ranges(&[("x", 0, 65_535), ("y", 0, 9)]);
    let leak = report(&made, &given, measure, Options::default()).unwrap().leak.unwrap();
    near(leak.shannon, 16.0);
    near(leak.capacity, 16.0);
    let measure = Measure { secrets: vec!["x".into(), "y".into()], ..profile(text) };
    let leak = report(&made, &given, measure, Options::default()).unwrap().leak.unwrap();
    assert!(leak.shannon.least <= 16.0 && 16.0 <= leak.shannon.most && leak.why.is_some(), "{leak:?}");
}

#[test]
fn counts_are_found_in_the_store() {
    let made =
        method("Stored", "int x, int y", "if (x < y) { if (x + y > 100) return 1; return 2; } return 3;");
    let store = memory();
    let mut counts = Vec::new();
    for _ in 0..2 {
        let (_folder, mut exploration) = explorer(std::slice::from_ref(&made), &store);
        exploration.measure(Measure::default()).unwrap();
        let target = exploration.front.program().methods(Some("run")).unwrap().remove(0);
        let mut run = exploration.entry(&target, &Inputs::default(), Options::default()).unwrap();
        while run.next_path().is_some() {}
        assert_eq!(run.distribution().unwrap().sum(), Mass::one());
        let masses = exploration.oracle().masses().unwrap();
        counts.push((masses.did().counted, masses.did().by_complement, *masses.stats()));
    }
    // Two branches, one count each, and the other arm by subtraction.
    assert_eq!((counts[0].0, counts[0].1, counts[0].2.reused), (2, 2, 0));
    assert_eq!((counts[1].2.components, counts[1].2.reused), (2, 2));
}
