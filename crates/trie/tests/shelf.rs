//! Sets outlive the process: reloading changes no answer, loads only the buckets asked for,
//! and rejects damaged entries.

use crate::common::{World, key, naive_sat, naive_unsat, payload};
use evergreen_testing::random::Random;
use evergreen_trie::{
    Address, Atom, Budget, Definitions, Index, Kind, LTrie, MOST_BUCKETS, MOST_ENTRIES, PrefixKey, Shelf,
    Shelved, Term, UbTree, bucket, decode, encode, refer,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// A shelf in memory that several "processes" share.
#[derive(Default)]
struct Cupboard {
    buckets: Mutex<BTreeMap<u128, BTreeSet<Vec<u8>>>>,
    definitions: Option<Definitions>,
    /// Whether entries have addresses, which references lead to.
    addresses: bool,
    /// The number of puts by other processes, if the shelf knows it.
    news: Mutex<Option<u64>>,
}

impl Cupboard {
    /// All entries and references: how many there are, and their bytes.
    fn volume(&self) -> (usize, usize) {
        let buckets = self.buckets.lock().expect("no panic elsewhere");
        let values = || buckets.values().flatten();
        (values().count(), values().map(Vec::len).sum())
    }

    fn find(&self, address: &Address) -> Option<Arc<[u8]>> {
        let (bucket, digest) = (&address[..16], &address[16..]);
        let entries = self.list(u128::from_le_bytes(bucket.try_into().expect("16 bytes")));
        entries.into_iter().find(|entry| weak_digest(entry) == *digest)
    }
}

/// Enough for tests.
fn weak_digest(entry: &[u8]) -> [u8; 16] {
    let fold = |sum: u128, byte: &u8| (sum ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    entry.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, fold).to_le_bytes()
}

impl Shelf for Cupboard {
    fn list(&self, bucket: u128) -> Vec<Arc<[u8]>> {
        let buckets = self.buckets.lock().expect("no panic elsewhere");
        buckets.get(&bucket).into_iter().flatten().map(|entry| entry.as_slice().into()).collect()
    }

    fn put(&self, bucket: u128, entry: &[u8]) {
        self.buckets.lock().expect("no panic elsewhere").entry(bucket).or_default().insert(entry.to_vec());
    }

    fn address(&self, bucket: u128, entry: &[u8]) -> Option<Address> {
        let address = [bucket.to_le_bytes(), weak_digest(entry)].concat();
        if self.addresses { address.try_into().ok() } else { None }
    }

    fn holds(&self, address: &Address) -> bool {
        self.find(address).is_some()
    }

    fn fetch(&self, addresses: &[Address]) -> Vec<Option<Arc<[u8]>>> {
        addresses.iter().map(|address| self.find(address)).collect()
    }

    fn news(&self) -> Option<u64> {
        *self.news.lock().expect("no panic elsewhere")
    }

    fn vouch(&self, prefix: PrefixKey, terms: &[Term]) -> bool {
        self.definitions.as_ref().is_some_and(|known| {
            let mut right = known.terms(prefix).unwrap_or_default().to_vec();
            right.sort_unstable();
            right == terms
        })
    }
}

fn is_hit(index: &mut dyn Index, kind: Kind, query: &[Atom]) -> bool {
    match kind {
        Kind::Sat => index.find_sat(query, Budget::UNLIMITED).hit.is_some(),
        Kind::Unsat => index.find_unsat(query, Budget::UNLIMITED).hit.is_some(),
    }
}

#[test]
fn reloading_changes_no_answer() {
    let world = World::new();
    let mut hits = 0;
    for seed in 0..60 {
        let mut random = Random::for_index(9, seed);
        let shelf = Arc::new(Cupboard { addresses: seed % 2 == 1, ..Cupboard::default() });
        let mut writer = Shelved::new(LTrie::new(), shelf.clone());
        let sets: Vec<Vec<Atom>> = (0..50).map(|_| world.set(&mut random, 5, 3)).collect();
        for (number, set) in sets.iter().enumerate() {
            writer.insert_sat(set, payload(number));
            writer.insert_unsat(set, payload(number));
        }
        let mut reader = Shelved::new(LTrie::new(), shelf.clone());
        let mut tree = Shelved::new(UbTree::new(), shelf);
        for _ in 0..40 {
            let query = world.set(&mut random, 4, 3);
            assert_eq!(is_hit(&mut reader, Kind::Sat, &query), naive_sat(&sets, &query, None));
            assert_eq!(is_hit(&mut reader, Kind::Unsat, &query), naive_unsat(&sets, &query, None));
            // The storing rules of the writer keep, of equal beginnings, the more informative
            // set: never less is found.
            let subset = sets.iter().any(|set| query.iter().all(|atom| set.contains(atom)));
            assert_eq!(is_hit(&mut tree, Kind::Sat, &query), subset);
            hits += usize::from(is_hit(&mut reader, Kind::Sat, &query));
        }
    }
    assert!((200..2_200).contains(&hits), "{hits}");
}

#[test]
fn sums_are_found_in_what_is_loaded() {
    let world = World::new();
    let (mut direct, mut through_sums) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::for_index(10, seed);
        let shelf = Arc::new(Cupboard { definitions: Some(world.definitions()), ..Cupboard::default() });
        let mut writer = Shelved::new(LTrie::new(), shelf.clone());
        world.define_all(&mut writer);
        // Bounds of variables alone imply no core: something opaque is always with them.
        let with_opaque = |mut set: Vec<Atom>| {
            set.push(Atom::holds(world.key(world.prefixes.len())));
            set.sort_unstable();
            set.dedup();
            set
        };
        let sets: Vec<Vec<Atom>> = (0..8).map(|_| with_opaque(world.set(&mut random, 3, 4))).collect();
        for (number, set) in sets.iter().enumerate() {
            writer.insert_unsat(set, payload(number));
        }
        // The reader knows the terms only from the shelf.
        let mut reader = Shelved::new(LTrie::new(), shelf);
        for _ in 0..60 {
            let query = with_opaque(world.set(&mut random, 7, 2));
            let hit = is_hit(&mut reader, Kind::Unsat, &query);
            let pairwise = naive_unsat(&sets, &query, None);
            assert!(hit || !pairwise, "a direct hit is lost");
            assert!(!hit || naive_unsat(&sets, &query, Some(&world)), "a hit from nowhere");
            direct += usize::from(pairwise);
            through_sums += usize::from(hit && !pairwise);
        }
    }
    assert!(direct > 200 && through_sums > 10, "{direct} {through_sums}");
}

#[test]
fn only_what_is_needed_is_loaded() {
    let shelf = Arc::new(Cupboard::default());
    let mut writer = Shelved::new(LTrie::new(), shelf.clone());
    for number in 0..500 {
        writer.insert_sat(&[Atom::holds(key(number)), Atom::holds(key(number + 1))], payload(number));
        writer.insert_unsat(&[Atom::holds(key(number)), Atom::ge(key(number + 7), 3)], payload(number));
    }
    assert_eq!(writer.traffic().put, 500 * 3);
    let mut reader = Shelved::new(LTrie::new(), shelf);
    assert_eq!((reader.traffic().listed, reader.sizes().sat), (0, 0), "starting costs nothing");
    let mut query = [Atom::holds(key(70)), Atom::holds(key(71))];
    query.sort();
    assert!(is_hit(&mut reader, Kind::Sat, &query));
    assert_eq!((reader.traffic().listed, reader.traffic().loaded), (1, 2));
    assert!(!is_hit(&mut reader, Kind::Unsat, &query));
    assert_eq!(reader.traffic().listed, 3);
    assert!(is_hit(&mut reader, Kind::Sat, &query) && !is_hit(&mut reader, Kind::Unsat, &query));
    assert_eq!(reader.traffic().listed, 3, "a bucket is listed once");
}

#[test]
fn refreshing_shows_what_others_put() {
    let shelf = Arc::new(Cupboard::default());
    let (mut one, mut two) = (Shelved::new(LTrie::new(), shelf.clone()), Shelved::new(LTrie::new(), shelf));
    let set = [Atom::ge(key(1), 4)];
    assert!(!is_hit(&mut two, Kind::Sat, &set));
    one.insert_sat(&set, payload(1));
    assert!(!is_hit(&mut two, Kind::Sat, &set), "the bucket was listed before");
    two.refresh();
    assert!(is_hit(&mut two, Kind::Sat, &[Atom::ge(key(1), 3)]));
    assert_eq!(two.sizes().sat, 1);
    let mut alone = Shelved::in_memory(LTrie::new());
    alone.insert_sat(&set, payload(1));
    assert!(is_hit(&mut alone, Kind::Sat, &set));
    assert_eq!(alone.traffic(), Default::default());
}

#[test]
fn an_entry_lies_once_where_there_are_addresses() {
    let sets: Vec<Vec<Atom>> =
        (0..40).map(|number| (0..9).map(|place| Atom::ge(key(9 * number + place), 4)).collect()).collect();
    let fill = |addresses: bool| {
        let shelf = Arc::new(Cupboard { addresses, ..Cupboard::default() });
        let mut writer = Shelved::new(LTrie::new(), shelf.clone());
        for (number, set) in sets.iter().enumerate() {
            writer.insert_sat(set, payload(number));
        }
        assert_eq!(writer.traffic().put, 40 * 9);
        (shelf, writer)
    };
    let ((copies, _), (shelf, mut writer)) = (fill(false), fill(true));
    assert_eq!([copies.volume().0, shelf.volume().0], [40 * 9; 2]);
    assert!(copies.volume().1 > 3 * shelf.volume().1, "{:?} {:?}", copies.volume(), shelf.volume());
    // Its own entries are not read again, whichever bucket is listed.
    assert!(is_hit(&mut writer, Kind::Sat, &sets[3][4..5]));
    assert_eq!((writer.traffic().loaded, writer.sizes().sat), (1, 40));
    // A reader finds a set from each of its prefixes, and loads it once.
    let mut reader = Shelved::new(LTrie::new(), shelf.clone());
    for atom in &sets[7] {
        assert!(is_hit(&mut reader, Kind::Sat, &[*atom]));
    }
    assert_eq!((reader.sizes().sat, reader.traffic().refused), (1, 0));
    // A process that finds the same set again puts nothing: the set is there.
    let mut again = Shelved::new(LTrie::new(), shelf.clone());
    again.insert_sat(&sets[0], payload(0));
    assert_eq!(again.traffic().put, 0);
}

#[test]
fn references_lead_to_satisfiable_sets_of_their_prefix_only() {
    let shelf = Arc::new(Cupboard { addresses: true, ..Cupboard::default() });
    let (x, y) = (key(1), key(2));
    let definitions = Definitions::default();
    let unsat = encode(Kind::Unsat, &[Atom::ge(x, 4)], b"", &definitions).expect("a small set");
    let sat = encode(Kind::Sat, &[Atom::ge(x, 4)], b"", &definitions).expect("a small set");
    let put = |bucket: u128, entry: &[u8]| {
        shelf.put(bucket, entry);
        refer(&shelf.address(bucket, entry).expect("a shelf with addresses"))
    };
    let (to_unsat, to_sat) = (put(7, &unsat), put(8, &sat));
    shelf.put(bucket(Kind::Unsat, x), &to_unsat); // not trusted through a reference
    shelf.put(bucket(Kind::Sat, x), &to_unsat); // not satisfiable
    shelf.put(bucket(Kind::Sat, y), &to_sat); // another prefix
    shelf.put(bucket(Kind::Sat, y), &to_sat[..20]); // cut
    shelf.put(bucket(Kind::Sat, y), &refer(&[9; 32])); // to nothing: not yet, or no more
    let mut index = Shelved::new(LTrie::new(), shelf.clone());
    assert!(!is_hit(&mut index, Kind::Unsat, &[Atom::ge(x, 5)]));
    assert!(
        !is_hit(&mut index, Kind::Sat, &[Atom::ge(x, 1)])
            && !is_hit(&mut index, Kind::Sat, &[Atom::ge(y, 1)])
    );
    assert_eq!((index.traffic().loaded, index.traffic().refused), (0, 4));
    shelf.put(bucket(Kind::Sat, x), &to_sat);
    index.refresh();
    assert!(is_hit(&mut index, Kind::Sat, &[Atom::ge(x, 1)]));
}

#[test]
fn without_news_nothing_is_listed_again() {
    let shelf = Arc::new(Cupboard { news: Mutex::new(Some(5)), ..Cupboard::default() });
    let (mut one, mut two) =
        (Shelved::new(LTrie::new(), shelf.clone()), Shelved::new(LTrie::new(), shelf.clone()));
    let set = [Atom::ge(key(1), 4)];
    two.refresh();
    assert!(!is_hit(&mut two, Kind::Sat, &set));
    two.refresh();
    assert!(!is_hit(&mut two, Kind::Sat, &set));
    assert_eq!(two.traffic().listed, 1);
    one.insert_sat(&set, payload(1));
    *shelf.news.lock().expect("no panic elsewhere") = Some(6);
    two.refresh();
    assert!(is_hit(&mut two, Kind::Sat, &set));
    assert_eq!(two.traffic().listed, 2);
}

#[test]
fn limits_hold() {
    struct Flood(Arc<[u8]>);
    impl Shelf for Flood {
        fn list(&self, _: u128) -> Vec<Arc<[u8]>> {
            vec![self.0.clone(); MOST_ENTRIES + 5]
        }
        fn put(&self, _: u128, _: &[u8]) {}
    }
    let set = [Atom::ge(key(1), 4)];
    let entry = encode(Kind::Unsat, &set, b"", &Definitions::default()).expect("a small set");
    let mut index = Shelved::new(LTrie::new(), Arc::new(Flood(entry.into())));
    assert!(is_hit(&mut index, Kind::Unsat, &set));
    assert_eq!(index.traffic().loaded, MOST_ENTRIES);

    let shelf = Arc::new(Cupboard::default());
    let mut writer = Shelved::new(LTrie::new(), shelf.clone());
    let wide: Vec<Atom> = (0..60).map(|number| Atom::holds(key(number))).collect();
    writer.insert_sat(&wide, payload(0));
    assert_eq!(writer.traffic().put, MOST_BUCKETS);
    let wider: Vec<Atom> = (100..165).map(|number| Atom::holds(key(number))).collect();
    writer.insert_sat(&wider, payload(0));
    assert_eq!(writer.traffic().put, MOST_BUCKETS, "more than 64 atoms are not shelved");
}

#[test]
fn what_is_damaged_or_misplaced_is_refused() {
    let shelf = Arc::new(Cupboard::default());
    let (x, y) = (key(1), key(2));
    let definitions = Definitions::default();
    let good = encode(Kind::Unsat, &[Atom::ge(x, 4)], b"", &definitions).expect("a small set");
    shelf.put(bucket(Kind::Unsat, x), &good[..good.len() - 1]);
    shelf.put(bucket(Kind::Unsat, x), b"");
    shelf.put(bucket(Kind::Unsat, y), &good); // another prefix's bucket
    shelf.put(bucket(Kind::Sat, x), &good); // the other kind's
    let mut index = Shelved::new(LTrie::new(), shelf);
    let mut query = [Atom::ge(x, 5), Atom::ge(y, 5)];
    query.sort();
    assert!(!is_hit(&mut index, Kind::Unsat, &query) && !is_hit(&mut index, Kind::Sat, &[Atom::ge(x, 1)]));
    assert_eq!((index.traffic().loaded, index.traffic().refused), (0, 4));
}

#[test]
fn definitions_are_believed_only_when_vouched_for() {
    // An entry claims that p is x + y, with a core over p and q. Bounds of x and y reach the core only if the
    // shelf vouches for the definition.
    let (x, y, p, q) = (key(1), key(2), key(3), key(4));
    let mut claimed = Definitions::default();
    claimed.define(p, &[(x, 1), (y, 1)]);
    for vouched in [false, true] {
        let shelf =
            Arc::new(Cupboard { definitions: vouched.then(|| claimed.clone()), ..Cupboard::default() });
        let entry =
            encode(Kind::Unsat, &[Atom::ge(p, 4), Atom::holds(q)], b"", &claimed).expect("a small set");
        shelf.put(bucket(Kind::Unsat, q), &entry);
        let mut index = Shelved::new(LTrie::new(), shelf);
        let mut query = [Atom::ge(p, 4), Atom::holds(q)];
        query.sort();
        assert!(is_hit(&mut index, Kind::Unsat, &query));
        let mut query = [Atom::ge(x, 3), Atom::ge(y, 3), Atom::holds(q)];
        query.sort();
        assert_eq!(is_hit(&mut index, Kind::Unsat, &query), vouched);
    }
}

#[test]
fn entries_read_as_they_were_written_and_have_one_form() {
    let world = World::new();
    let definitions = world.definitions();
    let mut random = Random::new(77);
    let (mut refused, mut other) = (0, 0);
    for round in 0..400_usize {
        let set = world.set(&mut random, 8, i64::MAX / 2);
        let kind = [Kind::Sat, Kind::Unsat][round % 2];
        let known = if round % 3 == 0 { Definitions::default() } else { definitions.clone() };
        let content: Vec<u8> = (0..random.below(20)).map(|_| random.next() as u8).collect();
        let bytes = encode(kind, &set, &content, &known).expect("a small set");
        let entry = decode(&bytes).expect("what was written is read");
        assert_eq!((entry.kind, &entry.set, &entry.payload), (kind, &set, &content));
        for cut in 0..bytes.len() {
            assert_eq!(decode(&bytes[..cut]), None);
        }
        for _ in 0..60 {
            let mut bad = bytes.clone();
            let place = random.below(bad.len());
            bad[place] ^= 1 << random.below(8);
            match decode(&bad) {
                None => refused += 1,
                Some(entry) => {
                    // Another set, perhaps, but then it is written exactly so.
                    let mut known = Definitions::default();
                    for (prefix, terms) in &entry.definitions {
                        assert!(known.define(*prefix, terms));
                    }
                    assert_eq!(encode(entry.kind, &entry.set, &entry.payload, &known), Some(bad));
                    other += 1;
                }
            }
        }
    }
    assert!(refused > 1_000 && other > 1_000, "{refused} {other}");
}

#[test]
fn the_ends_of_64_bits_and_bad_numbers() {
    let set = [Atom::le(key(1), i64::MIN), Atom::ge(key(1), i64::MAX), Atom::ne(key(1), -1)];
    let bytes = encode(Kind::Sat, &set, b"m", &Definitions::default()).expect("a small set");
    assert_eq!(decode(&bytes).map(|entry| entry.set), Some(set.to_vec()));
    assert_eq!(encode(Kind::Sat, &[], b"m", &Definitions::default()), None);
    // A number written longer than needed, a number beyond 64 bits, counts beyond the end.
    for wrong in [
        &[1, 0, 0x81, 0x00][..],
        &[1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        &[1, 0, 9],
        &[2, 0],
    ] {
        assert_eq!(decode(wrong), None);
    }
}

/// The bytes themselves: changing them makes every shelf out there unreadable, and
/// needs a new version number.
#[test]
fn the_format_is_fixed() {
    let (x, p) = (PrefixKey(1), PrefixKey(2));
    let mut definitions = Definitions::default();
    definitions.define(p, &[(PrefixKey(3), -2), (x, 1)]);
    let bytes =
        encode(Kind::Unsat, &[Atom::ge(p, -3), Atom::holds(x)], b"ok", &definitions).expect("a small set");
    let mut expected = vec![1, 1, 3];
    for key in 1_u128..=3 {
        expected.extend(key.to_le_bytes());
    }
    expected.extend([1, 1, 2, 0, 2, 2, 3]); // p = 1*x - 2*third
    expected.extend([2, 0, 4, 1, 1, 5]); // x holds; p >= -3
    expected.extend([2, b'o', b'k']);
    assert_eq!(bytes, expected);
}

/// A core without its most specific atom is found through its copies, in another process; copies are refused
/// where they do not belong.
#[test]
fn cores_that_lack_an_atom_are_loaded_for_refutations() {
    for addresses in [false, true] {
        let shelf = Arc::new(Cupboard { addresses, ..Cupboard::default() });
        let mut writer = Shelved::new(LTrie::new(), shelf.clone());
        let (often, rare, branch) = (Atom::ge(key(1), 0), Atom::eq(key(2), 5), key(3));
        // A sum is more specific: the home of both cores, and nothing that the query below has.
        writer.define(branch, &[(key(20), 1), (key(21), 1)]);
        // Earlier queries show which prefixes are rare.
        for _ in 0..3 {
            writer.refute(&[often], Budget::UNLIMITED);
        }
        for arm in [Atom::le(branch, 0), Atom::ge(branch, 1)] {
            let mut core = vec![often, rare, arm];
            core.sort_unstable();
            writer.refute(&core, Budget::UNLIMITED);
            writer.insert_unsat(&core, payload(1));
        }
        assert_eq!(writer.traffic().put, 2 * 2, "at home, which is rare, and where it is rare too");
        assert_eq!(shelf.list(bucket(Kind::Unsat, branch)).len(), 2);
        let mut query = vec![often, rare];
        query.sort_unstable();
        let mut reader = Shelved::new(LTrie::new(), shelf.clone());
        assert_eq!(reader.refute(&query, Budget::UNLIMITED).used, Some(vec![0, 1]));
        assert_eq!((reader.sizes().unsat, reader.traffic().refused), (2, 0));
        // Nothing lies where every query would list it.
        assert!(shelf.list(bucket(Kind::Unsat, key(1))).is_empty());
        // The fact that the first core gives leads to buckets that the query has no prefix of.
        let mut reader = Shelved::new(LTrie::new(), shelf.clone());
        let first = [Atom::le(branch, 0), Atom::eq(key(4), 1)];
        let second = [Atom::ge(branch, 1), Atom::eq(key(5), 1)];
        for set in [first, second] {
            let mut set = set.to_vec();
            set.sort_unstable();
            writer.insert_unsat(&set, payload(2));
        }
        let mut query = vec![Atom::eq(key(4), 1), Atom::eq(key(5), 1)];
        query.sort_unstable();
        assert_eq!(reader.refute(&query, Budget::UNLIMITED).used, Some(vec![0, 1]));
        shelf.put(
            bucket(Kind::Unsat, key(8)),
            &encode(Kind::Unsat, &query, &[], &Definitions::default()).expect("short"),
        );
        reader.refute(&[Atom::eq(key(8), 1)], Budget::UNLIMITED);
        assert_eq!(reader.traffic().refused, 1);
    }
}
