//! A poisoned Redis never leads to a wrong answer. Everything in it is attacked behind right checksums, so
//! that only what an entry proves can tell: verdicts are flipped, models changed, certificates mutated and
//! swapped, members of buckets replaced. Fresh processes then give the bare solver's verdicts, count what
//! they did not believe, and leave nothing wrong in their local store. That the attack is a real one is shown
//! by a run that believes everything. The same entries then come as a pack, and as another store that is
//! merged.

use crate::common::{Folder, evergreen, find, run, stderr, stdout};
use evergreen::store::{Bucket, Key, OpenOptions, Store, open};
use evergreen::{Record, RecordedVerdict, StoredCore};
use evergreen_testing::random::Random;
use evergreen_testing::redis::RedisServer;
use evergreen_trie::{Definitions, Kind, bucket, decode, encode};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Duration;

const LINEAR: usize = 90;
const BITS: usize = 40;
const GOALS: usize = 12;

fn number(n: i64) -> String {
    if n < 0 { format!("(- {})", -n) } else { n.to_string() }
}

/// Linear integer constraints over three bounded variables that are all connected.
fn linear(random: &mut Random) -> String {
    let names = ["x", "y", "z"];
    let mut text: String = names.map(|name| format!("(declare-const {name} Int)")).concat();
    for name in names {
        text += &format!("(assert (<= {} {name} {}))", number(random.between(-9, 0)), random.between(1, 9));
    }
    text += "(assert (<= (+ x y z) 20))";
    for _ in 0..2 + random.below(4) {
        let sum: String = names.map(|name| format!(" (* {} {name})", number(random.between(-4, 4)))).concat();
        let op = *random.choose(&["<=", ">=", "=", "distinct"]);
        text += &format!("(assert ({op} (+{sum}) {}))", number(random.between(-30, 30)));
    }
    text
}

/// Bit-vector constraints: one in four is about vectors that are too wide for a certificate.
fn bits(random: &mut Random, number: usize) -> String {
    let (digits, product) = if number % 4 == 3 { (20, "bvxor") } else { (4, "bvmul") };
    let word = |random: &mut Random| {
        let digit = |_| char::from_digit(random.below(16) as u32, 16).expect("a digit");
        format!("#x{}", (0..digits).map(digit).collect::<String>())
    };
    let (mask, value) = (word(random), word(random));
    let cut = if random.one_in(2) { format!("(bvand {value} {mask})") } else { value };
    let sort = format!("(_ BitVec {})", 4 * digits);
    format!(
        "(declare-const a {sort})(declare-const b {sort})(assert (= (bvand a {mask}) {cut}))\
         (assert (bvult ({product} a b) {}))(assert (bvugt (bvadd a b) {}))",
        word(random),
        word(random)
    )
}

/// One goal in two contexts, satisfiable only in the second: to say that the goal alone is unsatisfiable is a
/// lie.
fn goal(number: usize) -> String {
    let goal = format!("(assert (= (bvmul c d) #x{:04x}))", 0x200 + number);
    let small = "(declare-const c (_ BitVec 16))(declare-const d (_ BitVec 16))(assert (bvult c #x0100))";
    format!("{small}(assert (bvult d #x0002)){goal}(check-sat)(pop 1)\n(push 1){small}{goal}")
}

fn script() -> String {
    let mut random = Random::new(2026);
    let linear = (0..LINEAR).map(|_| linear(&mut random)).collect::<Vec<_>>();
    let bits = (0..BITS).map(|number| bits(&mut random, number)).collect::<Vec<_>>();
    let goals = (0..GOALS).map(goal).collect::<Vec<_>>();
    linear
        .iter()
        .chain(&bits)
        .chain(&goals)
        .map(|query| format!("(push 1){query}(check-sat)(pop 1)\n"))
        .collect()
}

fn verdicts(output: &str) -> Vec<String> {
    output.lines().filter(|line| matches!(*line, "sat" | "unsat" | "unknown")).map(String::from).collect()
}

/// What one process said and counted.
struct Run {
    verdicts: Vec<String>,
    counts: serde_json::Value,
}

impl Run {
    fn count(&self, name: &str) -> u64 {
        self.counts[name].as_u64().unwrap_or_else(|| panic!("no count {name} in {}", self.counts))
    }

    fn exact(&self) -> u64 {
        self.counts["reused"]["exact"].as_u64().expect("a count")
    }
}

/// One fresh process on the whole script.
fn process(folder: &Folder, arguments: &[impl AsRef<str> + std::fmt::Debug]) -> Run {
    let stats = folder.path("stats");
    let _ = std::fs::remove_file(&stats);
    let mut command: Command = evergreen(folder);
    command.env("EVERGREEN_STORE_TIMEOUT_MS", "20000");
    let output = run(
        command.args(["solve", "--stats"]).arg(&stats).args(arguments.iter().map(AsRef::as_ref)),
        script(),
    );
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    let counts = serde_json::from_str(&std::fs::read_to_string(&stats).expect("counts")).expect("JSON");
    Run { verdicts: verdicts(&stdout(&output)), counts }
}

fn entries(store: &dyn Store) -> BTreeMap<Key, Vec<u8>> {
    let mut entries = BTreeMap::new();
    let each = &mut |key: &Key, value: &[u8]| {
        entries.insert(*key, value.to_vec());
        ControlFlow::Continue(())
    };
    store.visit(each).expect("the store can be read");
    entries
}

fn records(entries: &BTreeMap<Key, Vec<u8>>) -> Vec<(Key, Record)> {
    let decoded = |(key, value): (&Key, &Vec<u8>)| Some((*key, Record::decode(value)?));
    entries.iter().filter(|(key, value)| Bucket::of(key, value).is_none()).filter_map(decoded).collect()
}

fn patient(url: &str) -> std::sync::Arc<dyn Store> {
    let patience = Duration::from_secs(20);
    open(url, &OpenOptions { timeout: patience, flush_timeout: patience, ..OpenOptions::default() })
        .expect("an address")
}

/// What was done to records.
#[derive(Debug, Default)]
struct Attacked {
    /// The verdict is another one now.
    flipped: u64,
    /// Nothing in them proves anything.
    unproved: u64,
    /// The evidence was changed.
    changed: u64,
    untouched: u64,
    members: u64,
}

/// The pieces of other records that a forger can use.
struct Loot {
    models: Vec<Vec<Vec<u8>>>,
    proofs: Vec<(Option<Vec<u32>>, Vec<u8>)>,
}

impl Loot {
    fn of(records: &[(Key, Record)]) -> Loot {
        let mut loot = Loot { models: Vec::new(), proofs: Vec::new() };
        for (_, record) in records {
            match record.verdict.clone() {
                RecordedVerdict::Sat(values) => loot.models.extend(values),
                RecordedVerdict::Unsat { core, certificate } => {
                    loot.proofs.extend(certificate.map(|certificate| (core, certificate)));
                }
                RecordedVerdict::Count(_) => panic!("nothing is counted here"),
            }
        }
        loot
    }

    fn false_proof(&self, random: &mut Random) -> RecordedVerdict {
        let (core, certificate) = random.choose(&self.proofs).clone();
        RecordedVerdict::Unsat { core, certificate: Some(certificate) }
    }

    fn false_model(&self, random: &mut Random) -> RecordedVerdict {
        RecordedVerdict::Sat(Some(random.choose(&self.models).clone()))
    }
}

fn mutate(bytes: &mut [u8], random: &mut Random) {
    if !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
}

/// Forges one verdict.
fn forge(verdict: &mut RecordedVerdict, loot: &Loot, random: &mut Random, attacked: &mut Attacked) {
    let kind = random.below(8);
    match (&mut *verdict, kind) {
        (_, 0) => attacked.untouched += 1,
        (RecordedVerdict::Count(_), _) => panic!("nothing is counted here"),
        (RecordedVerdict::Sat(_), 1 | 2) => {
            *verdict = RecordedVerdict::Unsat { core: None, certificate: None };
            (attacked.flipped, attacked.unproved) = (attacked.flipped + 1, attacked.unproved + 1);
        }
        (RecordedVerdict::Sat(_), 3) => {
            *verdict = loot.false_proof(random);
            attacked.flipped += 1;
        }
        (RecordedVerdict::Unsat { .. }, 1 | 2) => {
            *verdict = RecordedVerdict::Sat(None);
            (attacked.flipped, attacked.unproved) = (attacked.flipped + 1, attacked.unproved + 1);
        }
        (RecordedVerdict::Unsat { .. }, 3) => {
            *verdict = loot.false_model(random);
            attacked.flipped += 1;
        }
        (RecordedVerdict::Sat(_), 4) => {
            *verdict = loot.false_model(random);
            attacked.changed += 1;
        }
        (RecordedVerdict::Unsat { .. }, 4) => {
            *verdict = loot.false_proof(random);
            attacked.changed += 1;
        }
        (RecordedVerdict::Sat(Some(values)), _) => {
            values.iter_mut().for_each(|value| mutate(value, random));
            attacked.changed += 1;
        }
        (RecordedVerdict::Unsat { core: Some(core), certificate: Some(_) }, 5) => {
            core.pop();
            attacked.changed += 1;
        }
        (RecordedVerdict::Unsat { certificate: Some(certificate), .. }, _) => {
            mutate(certificate, random);
            attacked.changed += 1;
        }
        (RecordedVerdict::Sat(None) | RecordedVerdict::Unsat { certificate: None, .. }, _) => {
            attacked.unproved += 1;
        }
    }
}

/// Says of a satisfiable set that it is not, in every bucket where someone would look for that.
fn call_unsatisfiable(store: &dyn Store, member: &[u8]) -> u64 {
    let Some(entry) = decode(member).filter(|entry| entry.kind == Kind::Sat) else { return 0 };
    let lie = encode(Kind::Unsat, &entry.set, &[], &Definitions::default()).expect("a set");
    let space = evergreen::digest(b"");
    let space = u128::from_le_bytes(space[..16].try_into().expect("16 bytes"));
    for atom in &entry.set {
        let bucket = Bucket((bucket(Kind::Unsat, atom.prefix) ^ space).to_le_bytes());
        store.put_in(&bucket, &lie).expect("the lie is stored");
    }
    1
}

/// Says of each member of a core that it alone is one.
fn shrink_core(store: &dyn Store, bucket: &Bucket, member: &[u8]) -> u64 {
    let Some(core) = StoredCore::decode(member) else { return 0 };
    for &member in &core.members {
        let lie = StoredCore { members: vec![member], ..core.clone() };
        store.put_in(bucket, &lie.encode()).expect("the lie is stored");
    }
    1
}

/// Attacks everything in a store, always in the same way.
fn poison(store: &dyn Store) -> Attacked {
    let mut random = Random::new(7);
    let mut attacked = Attacked::default();
    let entries = entries(store);
    let records = records(&entries);
    let loot = Loot::of(&records);
    for (key, mut record) in records {
        forge(&mut record.verdict, &loot, &mut random, &mut attacked);
        store.put(&key, &record.encode()).expect("the forgery is stored");
    }
    for (key, value) in &entries {
        let Some(bucket) = Bucket::of(key, value) else { continue };
        let mut forged = value.clone();
        mutate(&mut forged, &mut random);
        store.put_in(&bucket, &forged).expect("the forgery is stored");
        attacked.members += 1 + call_unsatisfiable(store, value) + shrink_core(store, &bucket, value);
        if random.one_in(2) {
            store.remove(&[*key]).expect("the member is removed");
        }
    }
    store.flush().expect("the forgeries are sent");
    attacked
}

/// The keys of a local store that others know too, none of whose records has another verdict than the honest
/// one.
fn keys_without_a_lie(folder: &Folder, honest: &BTreeMap<Key, bool>) -> Vec<Key> {
    let local = open(&folder.text("store"), &OpenOptions::default()).expect("the local store");
    let mut records = records(&entries(&*local));
    // Where a part was decided in another order, one was solved here that nobody had to before.
    records.retain(|(key, _)| honest.contains_key(key));
    for (key, record) in &records {
        assert_eq!(honest[key], record.is_sat(), "a lie under {key}");
    }
    records.into_iter().map(|(key, _)| key).collect()
}

/// A local store in front of Redis.
fn layers(near: &Folder, url: &str, more: &[&str]) -> Vec<String> {
    let layers = ["--store", &near.text("store"), "--store", url];
    layers.iter().chain(more).map(|argument| argument.to_string()).collect()
}

/// Puts a store into an earlier state.
fn reset(store: &dyn Store, state: &BTreeMap<Key, Vec<u8>>) {
    let keys: Vec<Key> = entries(store).into_keys().collect();
    store.remove(&keys).expect("entries are removed");
    for (key, value) in state {
        store.put(key, value).expect("an entry is put back");
    }
    store.flush().expect("all is sent");
}

/// A Redis that an honest process has filled, and what is true.
struct Scene {
    redis: RedisServer,
    store: std::sync::Arc<dyn Store>,
    expected: Vec<String>,
    entries: BTreeMap<Key, Vec<u8>>,
    honest: BTreeMap<Key, bool>,
}

fn scene() -> Scene {
    let bare = run(Command::new(find("z3")).args(["-in", "-smt2"]), script());
    let expected = verdicts(&stdout(&bare));
    let redis = RedisServer::start();
    // Once for cores, which are learned from what is solved, once for records of linear queries and the
    // sets of the trie.
    for level in [&["--reuse", "full", "--cores", "always"][..], &["--reuse", "logical"]] {
        let fill =
            process(&Folder::new(), &[level, &["--store", "memory:", "--store", &redis.url()]].concat());
        assert_eq!(fill.verdicts, expected);
    }
    let store = patient(&redis.url());
    let entries = entries(&*store);
    let cores = entries.values().filter(|value| StoredCore::decode(value).is_some()).count();
    assert!(cores >= GOALS, "only {cores} cores");
    let honest = records(&entries).iter().map(|(key, record)| (*key, record.is_sat())).collect();
    Scene { redis, store, expected, entries, honest }
}

#[test]
fn an_honest_redis_is_used_for_what_it_proves() {
    let scene = scene();
    let unsat =
        |range: std::ops::Range<usize>| scene.expected[range].iter().filter(|v| *v == "unsat").count();
    let (linear, bits) = (unsat(0..LINEAR), unsat(LINEAR..scene.expected.len()));
    assert!(linear > 15 && bits > 8, "too few unsatisfiable queries: {linear}, {bits}");
    assert!(
        linear < LINEAR - 15 && bits < BITS + 2 * GOALS - 8,
        "too few satisfiable queries: {linear}, {bits}"
    );
    let near = Folder::new();
    let first = process(&near, &layers(&near, &scene.redis.url(), &["--reuse", "exact"]));
    assert_eq!(first.verdicts, scene.expected);
    // Models are evaluated, certificates checked; only queries over wide vectors have none.
    let is_unproved = |record: &Record| !record.is_sat() && proves_nothing(&record.encode());
    let unproved = records(&scene.entries).iter().filter(|(_, record)| is_unproved(record)).count() as u64;
    assert!((1..bits as u64 / 2).contains(&unproved), "{unproved} of {bits}");
    assert_eq!((first.count("distrusted"), first.count("rejected")), (unproved, 0));
    assert_eq!(first.count("solved"), unproved);
    assert!(first.exact() > 80, "{}", first.counts);
    // What was checked is local knowledge from now on.
    let again =
        process(&near, &layers(&near, &scene.redis.url(), &["--reuse", "exact", "--mode", "require-hit"]));
    assert_eq!((again.verdicts, again.counts["distrusted"].as_u64()), (scene.expected, Some(0)));
    // Who does not trust his own disk either has to solve the same ones again.
    let wary = process(&near, &["--store", &near.text("store"), "--reuse", "exact", "--trust", "none"]);
    assert_eq!((wary.count("distrusted"), wary.count("rejected")), (unproved, 0));
}

#[test]
fn a_poisoned_redis_changes_no_answer() {
    let scene = scene();
    let url = scene.redis.url();
    let attacked = poison(&*scene.store);
    let poisoned = entries(&*scene.store);
    let all: Vec<Key> = records(&poisoned).into_iter().map(|(key, _)| key).collect();
    assert!(attacked.flipped > 30 && attacked.changed > 30 && attacked.members > 50, "{attacked:?}");
    let levels = [
        &["--reuse", "exact"][..],
        &["--reuse", "logical"],
        &["--reuse", "full"],
        &["--reuse", "exact", "--no-check"],
    ];
    for level in levels {
        // A run heals what it finds, so each gets its own poison.
        reset(&*scene.store, &poisoned);
        let near = Folder::new();
        let read = process(&near, &layers(&near, &url, level));
        assert_eq!(read.verdicts, scene.expected, "{level:?}");
        let kept = keys_without_a_lie(&near, &scene.honest);
        let unproved = |keys: &[Key]| keys.iter().filter(|key| proves_nothing(&poisoned[key])).count() as u64;
        let (distrusted, rejected) = (read.count("distrusted"), read.count("rejected"));
        let known = kept.len() as u64;
        assert!(rejected > 10 && unproved(&kept) > 10, "{level:?} {}", read.counts);
        // Every record that was met was used, rejected, or did not even try to prove anything. Not kept is
        // only what the verdict of another part made superfluous; members of buckets come on top.
        assert!(distrusted + read.exact() >= known, "{level:?} {known} {}", read.counts);
        if level.contains(&"exact") {
            let range = unproved(&kept)..=unproved(&all);
            assert!(range.contains(&(distrusted - rejected)), "{level:?} {range:?} {}", read.counts);
            assert!(distrusted + read.exact() <= all.len() as u64, "{level:?} {}", read.counts);
        }
        // The local store has the truth, and all of it.
        let alone = ["--store", &near.text("store"), "--mode", "require-hit"];
        assert_eq!(process(&near, &[&alone, level].concat()).verdicts, scene.expected, "{level:?}");
    }
}

fn proves_nothing(record: &[u8]) -> bool {
    use RecordedVerdict::{Sat, Unsat};
    let verdict = Record::decode(record).map(|record| record.verdict);
    matches!(verdict, Some(Sat(None) | Unsat { certificate: None, .. }))
}

#[test]
fn the_poison_works_on_those_who_believe_it() {
    let scene = scene();
    poison(&*scene.store);
    let near = Folder::new();
    let gullible = process(
        &near,
        &layers(&near, &scene.redis.url(), &["--reuse", "exact", "--trust", "all", "--no-check"]),
    );
    let wrong = gullible.verdicts.iter().zip(&scene.expected).filter(|(found, true_)| found != true_).count();
    assert!(wrong > 20, "the attack did nothing: {wrong} wrong answers");
    assert_eq!(gullible.count("distrusted"), 0);

    // The same lies on the own disk, for who trusts nobody.
    let near = Folder::new();
    reset(&*open(&near.text("store"), &OpenOptions::default()).expect("a store"), &scene.entries);
    poison(&*open(&near.text("store"), &OpenOptions::default()).expect("a store"));
    let mut command = evergreen(&near);
    let output = run(command.env("EVERGREEN_TRUST", "none").args(["solve", "--reuse", "logical"]), script());
    assert_eq!(verdicts(&stdout(&output)), scene.expected);
}

/// How poisoned entries get into a local store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Import,
    Merge,
    /// Imported, exported again, and imported elsewhere.
    Twice,
}

/// One command on the local store of a folder; its JSON.
fn on_store(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    let output = run(evergreen(folder).args(["store", "--json"]).args(arguments), "");
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

/// Brings what lies in a store of others into the local one; what the last command said.
fn bring(near: &Folder, theirs: &Folder, way: Way, more: &[&str]) -> serde_json::Value {
    let pack = theirs.text("pack");
    match way {
        Way::Import => on_store(near, &[&["import", &pack], more].concat()),
        Way::Merge => on_store(near, &[&["merge", &theirs.text("store")], more].concat()),
        Way::Twice => {
            let (between, again) = (Folder::new(), theirs.text("again"));
            on_store(&between, &["import", &pack]);
            on_store(&between, &["export", &again]);
            // Trust in who exported it is no trust in whom that one did not trust.
            on_store(near, &["import", "--trust", "all", &again])
        }
    }
}

#[test]
fn poisoned_packs_and_stores_change_no_answer() {
    let scene = scene();
    poison(&*scene.store);
    let poisoned = entries(&*scene.store);
    let theirs = Folder::new();
    reset(&*open(&theirs.text("store"), &OpenOptions::default()).expect("a store"), &poisoned);
    on_store(&theirs, &["export", &theirs.text("pack")]);
    let unproved =
        poisoned.iter().filter(|(key, value)| !evergreen_java::has_evidence(key, value)).count() as u64;
    assert!(unproved > 50 && unproved < poisoned.len() as u64 - 50, "{unproved} of {}", poisoned.len());
    let runs = [
        (Way::Import, &["--reuse", "full"][..]),
        (Way::Import, &["--reuse", "logical", "--no-check"]),
        (Way::Merge, &["--reuse", "exact"]),
        (Way::Twice, &["--reuse", "full", "--no-check"]),
    ];
    for (way, level) in runs {
        let near = Folder::new();
        let said = bring(&near, &theirs, way, &[]);
        assert_eq!(said["added"].as_u64(), Some(poisoned.len() as u64), "{way:?} {said}");
        assert_eq!(said["without_evidence"].as_u64(), Some(unproved), "{way:?} {said}");
        assert_eq!(said["with_evidence"].as_u64(), Some(poisoned.len() as u64 - unproved), "{way:?} {said}");
        let local = ["--store", &near.text("store")];
        let read = process(&near, &[&local, level].concat());
        assert_eq!(read.verdicts, scene.expected, "{way:?} {level:?}");
        assert!(read.count("distrusted") > 10 && read.exact() > 10, "{way:?} {level:?} {}", read.counts);
        // What was checked or solved is local knowledge now: all of it, and nothing else is used.
        let hit = &["--mode", "require-hit"];
        let again = process(&near, &[&local, level, hit].concat());
        assert_eq!(again.verdicts, scene.expected, "{way:?} {level:?}");
    }
    // A run that believes everything leaves nothing behind that a later one believes.
    let near = Folder::new();
    bring(&near, &theirs, Way::Import, &[]);
    let local = ["--store", &near.text("store"), "--reuse", "full"];
    let gullible = process(&near, &[&local[..], &["--trust", "all", "--no-check"]].concat());
    assert_ne!(gullible.verdicts, scene.expected);
    assert_eq!(process(&near, &local).verdicts, scene.expected);
    for way in [Way::Import, Way::Merge] {
        let near = Folder::new();
        let said = bring(&near, &theirs, way, &["--trust", "all"]);
        assert_eq!(said["without_evidence"].as_u64(), Some(0), "{said}");
        let gullible = process(&near, &["--store", &near.text("store"), "--reuse", "exact", "--no-check"]);
        let wrong =
            gullible.verdicts.iter().zip(&scene.expected).filter(|(found, known)| found != known).count();
        assert!(wrong > 20, "the attack did nothing: {wrong} wrong answers");
    }
}
