//! The subjects in `subjects/heap` and `subjects/jdk-heap`, and calls of their methods: on structures that
//! are given, or on lazy ones.
#![allow(dead_code)]

use std::path::Path;
use std::process::Command;

use evergreen_classfile::find_jdk;
use evergreen_heap::{Heap, Invariant, Object, Value as Held};
use evergreen_jvm::{Argument, Body, ClassId, Ending, Jvm, Kind, MethodId, Ref, State, Value};

use super::machine;

/// A method of a subject, as a static one that takes the object first; or one of the driver
/// `JdkHeap`, which does so itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// The class of the structure: `TreeSet` of the subjects, or `java.util.TreeSet`.
    pub class: &'static str,
    pub method: &'static str,
    /// Its parameters besides the structure, and its result; ints and booleans only.
    pub descriptor: &'static str,
}

impl Call {
    pub(crate) fn parameters(&self) -> usize {
        self.descriptor.matches('I').count() - usize::from(self.descriptor.ends_with('I'))
    }

    fn is_of_jdk(&self) -> bool {
        self.class.starts_with("java.")
    }

    /// The descriptor of the static method.
    fn with_structure(&self) -> String {
        let class = match self.is_of_jdk() {
            true => self.class.replace('.', "/"),
            false => format!("heap/{}", self.class),
        };
        self.descriptor.replacen('(', &format!("(L{class};"), 1)
    }

    /// `static boolean contains(TreeSet it, int p0) { return it.contains(p0); }`
    fn source(&self) -> String {
        let Call { class, method, .. } = self;
        let (result, returns) = match self.descriptor.chars().last() {
            Some('V') => ("void", ""),
            Some('Z') => ("boolean", "return"),
            _ => ("int", "return"),
        };
        let names: Vec<String> = (0..self.parameters()).map(|p| format!("p{p}")).collect();
        let declared: String = names.iter().map(|name| format!(", int {name}")).collect();
        format!(
            "static {result} {method}({class} it{declared}) {{ {returns} it.{method}({}); }}\n",
            names.join(", ")
        )
    }
}

/// The subjects, compiled, in a machine.
pub(crate) struct Subjects {
    pub jvm: Jvm,
    pub base: State,
    _folder: tempfile::TempDir,
}

impl Subjects {
    pub(crate) fn compile(calls: &[Call]) -> Subjects {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects");
        let calls: String = calls.iter().filter(|call| !call.is_of_jdk()).map(Call::source).collect();
        let file = folder.path().join("Calls.java");
        std::fs::write(&file, format!("package heap; class Calls {{ {calls} }}"))
            .expect("the temporary folder can be written");
        let jdk = find_jdk().expect("these tests need a JDK");
        let sources = std::env::join_paths([&subjects, &subjects.join("../crates/replay/java/sym")])
            .expect("plain paths");
        let done = Command::new(jdk.program("javac").expect("these tests need javac"))
            .args(super::QUICK)
            .args(["-g", "-Xlint:none", "-encoding", "UTF-8", "-sourcepath"])
            .arg(sources)
            .arg("-d")
            .arg(folder.path())
            .args([&file, &subjects.join("jdk-heap/JdkHeap.java")])
            .output()
            .expect("javac starts");
        assert!(done.status.success(), "javac: {}", String::from_utf8_lossy(&done.stderr));
        let mut jvm = machine(folder.path());
        let mut base = jvm.base_state().expect("the JDK boots");
        // Structures may hold what its static fields do.
        let set = jvm.load("java/util/TreeSet").expect("a class of the JDK");
        base = jvm.start_init(&base, set);
        jvm.run_concrete(&mut base, 1_000_000).expect("it is initialized");
        Subjects { jvm, base, _folder: folder }
    }

    /// The method on structures that are given.
    pub(crate) fn static_call(&mut self, call: &Call) -> MethodId {
        let class = if call.is_of_jdk() { "JdkHeap" } else { "heap/Calls" };
        let found = self.jvm.find(class, call.method, &call.with_structure()).expect("the class loads");
        found.unwrap_or_else(|| panic!("no call of {call:?}"))
    }

    /// The method that is explored: it is called on the structure, or gets it as its first parameter.
    pub(crate) fn method(&mut self, call: &Call) -> MethodId {
        if call.is_of_jdk() {
            return self.static_call(call);
        }
        let class = format!("heap/{}", call.class);
        let found = self.jvm.find(&class, call.method, call.descriptor).expect("the class loads");
        found.unwrap_or_else(|| panic!("there is no {call:?}"))
    }
}

/// Where the classes and fields of an invariant are in the machine.
pub(crate) struct Bound {
    classes: Vec<ClassId>,
    /// For each class and field of the shape the slot.
    slots: Vec<Vec<usize>>,
    boxes: ClassId,
    /// For each class the slots that hold what static fields do, and the slots of those.
    statics: Vec<Vec<(usize, u32)>>,
}

impl Bound {
    pub(crate) fn new(jvm: &mut Jvm, class: &str, invariant: &Invariant) -> Bound {
        let shape = &invariant.shape;
        let (mut classes, mut slots, mut statics) = (Vec::new(), Vec::new(), Vec::new());
        for (at, declared) in shape.classes.iter().enumerate() {
            let name = match &declared.program_name {
                Some(name) => name.replace('.', "/"),
                None if at == 0 => format!("heap/{class}"),
                None => format!("heap/{class}${}", declared.name),
            };
            let id = jvm.load(&name).unwrap_or_else(|_| panic!("there is no {name}"));
            let fields = &jvm.class(id).instance_fields;
            let slot = |name: &str| fields.iter().position(|field| &*field.name == name);
            let own = shape.fields_of(evergreen_heap::ClassId(at as u8));
            let slot_of = |(id, field): (usize, &evergreen_heap::invariant::Field)| {
                if own.iter().all(|f| usize::from(f.0) != id) {
                    return usize::MAX;
                }
                slot(&field.name).unwrap_or_else(|| panic!("{name} has no {}", field.name))
            };
            let mut held = Vec::new();
            for of in &declared.statics {
                let own = slot(&of.name).unwrap_or_else(|| panic!("{name} has no {}", of.name));
                held.push((own, of.class.replace('.', "/"), of.constant.clone()));
            }
            slots.push(shape.fields.iter().enumerate().map(slot_of).collect());
            classes.push(id);
            let mut find = |(own, class, constant): (usize, String, String)| {
                let class = jvm.load(&class).expect("the class of a static field");
                (own, jvm.class(class).static_field(&constant).expect("a static field").slot)
            };
            statics.push(held.into_iter().map(&mut find).collect());
        }
        let boxes = jvm.load("java/lang/Integer").expect("a class of the JDK");
        Bound { classes, slots, boxes, statics }
    }

    pub(crate) fn slot(&self, class: evergreen_heap::ClassId, field: evergreen_heap::FieldId) -> usize {
        self.slots[usize::from(class.0)][usize::from(field.0)]
    }

    /// Makes the objects of a complete heap; undeclared fields are 0 or null,
    /// integers in references are boxed.
    pub(crate) fn build(&self, jvm: &Jvm, state: &mut State, invariant: &Invariant, heap: &Heap) -> Vec<Ref> {
        let class = |o: Object| self.classes[usize::from(heap.class(o).0)];
        let new =
            |o: Object| state.heap.new_object(class(o), Body::Fields(jvm.class(class(o)).blank.clone()));
        let refs: Vec<Ref> = heap.objects().map(new).collect();
        for object in heap.objects() {
            for (slot, held) in &self.statics[usize::from(heap.class(object).0)] {
                let value = state.get_static(*held);
                assert!(value.as_ref().is_some(), "a static field that is null");
                state.heap.store(refs[usize::from(object.0)], *slot, value);
            }
            for field in invariant.shape.fields_of(heap.class(object)) {
                let slot = self.slot(heap.class(object), *field);
                let of = jvm.class(class(object)).instance_fields[slot].kind;
                let value = match heap.get(object, *field) {
                    Held::Null => Value::Null,
                    Held::Object(to) => Value::Ref(refs[usize::from(to.0)]),
                    Held::Int(n) if of == Kind::Reference => {
                        Value::Ref(state.heap.new_object(self.boxes, Body::Fields([Value::Int(n)].into())))
                    }
                    Held::Int(n) => Value::Int(n),
                    Held::Unknown => panic!("a complete heap: {}", heap.display(&invariant.shape)),
                };
                state.heap.store(refs[usize::from(object.0)], slot, value);
            }
        }
        refs
    }
}

/// Runs a static call on a complete heap and ints.
pub(crate) fn run_on(
    subjects: &mut Subjects,
    bound: &Bound,
    invariant: &Invariant,
    call: MethodId,
    heap: &Heap,
    ints: &[i32],
) -> Ending {
    let mut state = subjects.base.clone();
    let refs = bound.build(&subjects.jvm, &mut state, invariant, heap);
    let given = [Value::Ref(refs[0])].into_iter().chain(ints.iter().map(|n| Value::Int(*n)));
    let mut state = subjects.jvm.start(&state, call, given.map(Argument::Fixed).collect());
    let ending = subjects.jvm.run_concrete(&mut state, 1_000_000);
    ending.unwrap_or_else(|| panic!("no end within a million steps on\n{}", heap.display(&invariant.shape)))
}

/// The text of a subject's invariant.
pub(crate) fn invariant_text(class: &str) -> &'static str {
    match class {
        "java.util.TreeMap" => include_str!("../../../java/invariants/java.util.TreeMap.inv"),
        "java.util.TreeSet" => include_str!("../../../java/invariants/java.util.TreeSet.inv"),
        "java.util.LinkedList" => include_str!("../../../java/invariants/java.util.LinkedList.inv"),
        _ => evergreen_testing::heap_subjects::text(class),
    }
}

/// The invariant of a subject.
pub(crate) fn invariant(class: &str) -> Invariant {
    evergreen_heap::parse(invariant_text(class)).unwrap_or_else(|e| panic!("{class}: {e}"))
}
