//! An invariant as a formula about plain fields agrees with evaluation on every complete heap, and is never
//! stronger on a part of a heap.

use evergreen_heap::enumerate::structures;
use evergreen_heap::eval::{Truth, holds};
use evergreen_heap::ground::{Ground, Number, ground, ranges};
use evergreen_heap::invariant::Kind;
use evergreen_heap::{ClassId, FieldId, Heap, Invariant, Object, Scope, Value, parse};
use evergreen_structures::Random;
use evergreen_testing::heap_subjects::{INVARIANTS, invariant};

/// All that the language has and the classes of the paper do not need.
const RICH: &str = "
root class Bag { first: Item  total: int 0..20  odd: bool }
class Item { next: Item  weight: int 0..3  marked: bool }
class Heavy extends Item { extra: int 1..4 }
fun weight(n: Item): 0..4 = if no n then 0 else n.weight + weight(n.next)
fun deep(n: Item): 0..scope = if no n then 0 else if n.marked then 1 + deep(n.next) else deep(n.next)
invariant ends: all n in Item: n !in n.^next
invariant total: this.total = (sum h in Heavy: h.extra * 2) + weight(this.first)
invariant parity: this.odd <=> this.total % 2 = 1
invariant some_marked: some this.first => (some n in this.first.*next: n.marked && n.weight > 0)
invariant few: max(deep(this.first), min(this.total, 1)) != 3
invariant heavy: no h in Heavy: h.weight >= h.extra || h.next.weight > 2
";

fn all() -> Vec<(String, Invariant)> {
    let shipped = INVARIANTS.iter().map(|(name, _)| {
        let parsed = invariant(name).expect("a known class").unwrap_or_else(|e| panic!("{name}: {e}"));
        ((*name).to_string(), parsed)
    });
    let rich = parse(RICH).unwrap_or_else(|e| panic!("{e}"));
    shipped.chain([("Bag".to_string(), rich)]).collect()
}

fn random_value(invariant: &Invariant, heap: &Heap, field: FieldId, random: &mut Random) -> Value {
    let shape = &invariant.shape;
    match shape.kind(field) {
        Kind::Reference { target, .. } => {
            let fits: Vec<Object> = heap.objects().filter(|o| shape.is(heap.class(*o), *target)).collect();
            match random.below(fits.len() + 2) {
                at if at < fits.len() => Value::Object(fits[at]),
                _ => Value::Null,
            }
        }
        Kind::Key => Value::Int(random.below(5) as i32),
        _ => {
            let (low, high) = shape.range(field, 5).expect("a plain field");
            Value::Int((low + random.below((high - low + 1) as usize) as i64) as i32)
        }
    }
}

/// A heap of random objects and fields, or a valid one in which a few fields were changed.
fn random_heap(invariant: &Invariant, valid: &[Heap], random: &mut Random) -> Heap {
    let shape = &invariant.shape;
    if random.below(4) > 0 {
        let mut heap = valid[random.below(valid.len())].clone();
        for _ in 0..random.below(4) {
            let object = Object(random.below(heap.len()) as u8);
            let fields = shape.fields_of(heap.class(object));
            let field = fields[random.below(fields.len())];
            let value = random_value(invariant, &heap, field, random);
            heap.set(object, field, value);
        }
        return heap;
    }
    let mut heap = Heap::new(shape);
    for _ in 0..random.below(5) {
        heap.add(ClassId(1 + random.below(shape.classes.len() - 1) as u8));
    }
    for object in heap.objects() {
        for field in shape.fields_of(heap.class(object)).to_vec() {
            let value = random_value(invariant, &heap, field, random);
            heap.set(object, field, value);
        }
    }
    heap
}

fn plain(heap: &Heap) -> impl Fn(Object, FieldId) -> i64 + '_ {
    |object, field| match heap.get(object, field) {
        Value::Int(n) => n.into(),
        other => panic!("a plain field is {other:?}"),
    }
}

/// The heap without its plain values, and without some of its references.
fn forget(invariant: &Invariant, heap: &Heap, mut drop: impl FnMut() -> bool) -> Heap {
    let mut part = heap.clone();
    for object in heap.objects() {
        for field in invariant.shape.fields_of(heap.class(object)) {
            if invariant.shape.target(*field).is_none() || drop() {
                part.set(object, *field, Value::Unknown);
            }
        }
    }
    part
}

#[test]
fn ground_formulas_say_what_evaluation_says() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for (name, invariant) in all() {
        let (valid, _) =
            structures(&invariant, &Scope::each(&invariant, 4), 200).unwrap_or_else(|e| panic!("{e}"));
        let mut seen = [0u32; 2];
        for _ in 0..4_000 {
            let heap = random_heap(&invariant, &valid, &mut random);
            let expected = holds(&invariant, &heap);
            let shown = || heap.display(&invariant.shape).to_string();
            assert_ne!(expected, Truth::Unknown, "{name}:\n{}", shown());
            let whole = ground(&invariant, &forget(&invariant, &heap, || false));
            assert_eq!(whole.holds(&plain(&heap)), expected == Truth::True, "{name}: {whole:?}\n{}", shown());
            seen[usize::from(expected == Truth::True)] += 1;
            if expected == Truth::True {
                let part = forget(&invariant, &heap, || random.below(3) == 0);
                let least = ground(&invariant, &part);
                let shown_part = || part.display(&invariant.shape).to_string();
                assert!(least.holds(&plain(&heap)), "{name}: {least:?}\n{}{}", shown(), shown_part());
            }
        }
        assert!(seen.iter().all(|n| *n > 300), "{name}: {seen:?}");
    }
}

#[test]
fn what_is_known_of_a_part_is_not_given_up() {
    let invariant = invariant("SearchTree").expect("a known class").expect("parses");
    let shape = &invariant.shape;
    let field = |name| shape.field(name).expect("a field");
    let mut heap = Heap::new(shape);
    let (top, left) = (heap.add(ClassId(1)), heap.add(ClassId(1)));
    heap.set(Object(0), field("root"), Value::Object(top));
    heap.set(top, field("left"), Value::Object(left));
    // Whatever else there is, the left key is smaller; how many nodes there are is not known yet.
    let key = |o| Number::Field(o, field("key"));
    assert_eq!(ground(&invariant, &heap), Ground::Compare(evergreen_heap::Order::Less, key(left), key(top)));
    let Ground::And(limits) = ranges(&invariant, &heap, 3) else { panic!("two ends") };
    assert_eq!(limits.len(), 2);
}
