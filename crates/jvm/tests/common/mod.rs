//! Java sources compiled by the installed javac, and machines that run them.

pub(crate) mod structures;

use std::cell::RefCell;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use evergreen_classfile::{ClassPath, find_jdk};
use evergreen_explore::{Arm, Machine, Pause};
use evergreen_jvm::{Argument, Ending, Jvm, Options, Outcome, State, Value};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Ints};

/// For a compiler that lives too short for its own best code to pay: a third less of the processor's time.
pub(crate) const QUICK: [&str; 2] = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"];

/// Compiles one source file, `Name.java` after its public class or `Main`, into a folder.
pub(crate) fn compile(folder: &Path, name: &str, source: &str) {
    let jdk = find_jdk().expect("these tests need a JDK");
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, source).expect("the temporary folder can be written");
    let javac = jdk.program("javac").expect("these tests need javac");
    let done = Command::new(javac)
        .args(QUICK)
        .args(["-g", "-Xlint:none", "-encoding", "UTF-8", "-sourcepath"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/java/sym"))
        .arg("-d")
        .arg(folder)
        .arg(&file)
        .output()
        .expect("javac starts");
    assert!(done.status.success(), "javac: {}", String::from_utf8_lossy(&done.stderr));
}

/// A machine whose user classes are in `folder`.
pub(crate) fn machine(folder: &Path) -> Jvm {
    machine_of(&find_jdk().expect("these tests need a JDK").home, folder)
}

/// A machine of the JDK in `home`.
pub(crate) fn machine_of(home: &Path, folder: &Path) -> Jvm {
    let mut path = ClassPath::new();
    path.add_jdk(home).expect("the JDK can be read");
    path.add_dir(folder).expect("the folder is there");
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    Jvm::new(path, exprs, Options::default()).expect("the JDK's classes are there")
}

/// A compiled class and its machine.
pub(crate) struct Program {
    folder: tempfile::TempDir,
    pub jvm: Jvm,
    pub base: State,
    class: String,
}

impl Program {
    pub(crate) fn new(class: &str, source: &str) -> Program {
        let folder = tempfile::tempdir().expect("a temporary folder");
        compile(folder.path(), class, source);
        let mut jvm = machine(folder.path());
        let base = jvm.base_state().expect("the JDK boots");
        Program { folder, jvm, base, class: class.to_owned() }
    }

    /// Methods are those of another class of the source from now on.
    pub(crate) fn of_class(&mut self, class: &str) {
        self.class = class.to_owned();
    }

    /// Where its class files are.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a static method on concrete arguments.
    pub(crate) fn concrete(&mut self, method: &str, descriptor: &str, args: &[Value]) -> Outcome {
        let method = self.method(method, descriptor);
        let args = args.iter().map(|value| Argument::Fixed(*value)).collect();
        let mut state = self.jvm.start(&self.base, method, args);
        let mut arms = Vec::new();
        match self.jvm.run(&mut state, 10_000_000, &mut arms) {
            Pause::Ended(outcome) => outcome,
            Pause::Branch | Pause::Choice => panic!("a concrete run has no choice, but found {arms:?}"),
            Pause::OutOfSteps | Pause::Met => panic!("out of steps"),
        }
    }

    /// Runs a method on symbolic arguments along the one path that `inputs` take; every branch must have
    /// exactly one arm that holds.
    pub(crate) fn along(
        &mut self,
        method: &str,
        descriptor: &str,
        inputs: &[(&str, i64)],
    ) -> (Outcome, Assignment) {
        let method = self.method(method, descriptor);
        let mut state = self.jvm.start(&self.base, method, Vec::new());
        let mut arms = Vec::new();
        loop {
            match self.jvm.run(&mut state, 10_000_000, &mut arms) {
                Pause::Ended(outcome) => return (outcome, self.assignment(inputs)),
                Pause::OutOfSteps | Pause::Met => panic!("out of steps"),
                Pause::Choice => panic!("no object is lazy, but there are choices: {arms:?}"),
                Pause::Branch => {
                    let assignment = self.assignment(inputs);
                    let arm = self.the_arm(&arms, &assignment);
                    self.jvm.take(&mut state, arm);
                }
            }
        }
    }

    pub(crate) fn assignment(&self, inputs: &[(&str, i64)]) -> Assignment {
        let exprs = self.jvm.exprs.borrow();
        let mut assignment = Assignment::new();
        for (input, info) in exprs.inputs() {
            if let Some((_, value)) = inputs.iter().find(|(name, _)| *name == info.name) {
                let constant = match info.kind.kind() {
                    evergreen_symbolic::Kind::I64 => Const::I64(*value),
                    _ => Const::I32(*value as i32),
                };
                assignment.set(&exprs, input, constant);
            }
        }
        assignment
    }

    fn the_arm(&self, arms: &[Arm<Cond>], assignment: &Assignment) -> usize {
        let exprs = self.jvm.exprs.borrow();
        let holding: Vec<usize> =
            (0..arms.len()).filter(|arm| exprs.holds(arms[*arm].constraint, assignment)).collect();
        assert_eq!(holding.len(), 1, "of {} arms {holding:?} hold", arms.len());
        assert!(arms.len() > 1, "a branch has several arms");
        holding[0]
    }

    pub(crate) fn method(&mut self, name: &str, descriptor: &str) -> evergreen_jvm::MethodId {
        let class = self.class.clone();
        let found = self.jvm.find(&class, name, descriptor).expect("the class loads");
        found.unwrap_or_else(|| panic!("{class} has no {name}{descriptor}"))
    }
}

/// The result of a run, as text, symbolic values evaluated; or the class of its exception.
pub(crate) fn show(program: &Program, outcome: &Outcome, inputs: &Assignment) -> String {
    match &outcome.ending {
        Ending::Returned(None) => "void".to_owned(),
        Ending::Returned(Some(Value::Sym(expr))) => match program.jvm.exprs.borrow().eval(*expr, inputs) {
            Const::I32(value) => value.to_string(),
            Const::I64(value) => format!("{value}L"),
            Const::F32(bits) => format!("{:?}f", f32::from_bits(bits)),
            Const::F64(bits) => format!("{:?}", f64::from_bits(bits)),
        },
        Ending::Returned(Some(Value::Int(value))) => value.to_string(),
        Ending::Returned(Some(Value::Long(value))) => format!("{value}L"),
        Ending::Returned(Some(Value::Float(value))) => format!("{value:?}f"),
        Ending::Returned(Some(Value::Double(value))) => format!("{value:?}"),
        Ending::Returned(Some(Value::Ref(object))) => {
            match program.jvm.string_under(&outcome.state, *object, inputs) {
                Some(units) => format!("{:?}", String::from_utf16_lossy(&units)),
                None => "an object".to_owned(),
            }
        }
        Ending::Returned(Some(other)) => format!("{other:?}"),
        Ending::Threw { class, object, .. } => {
            let text = program.jvm.message_under(&outcome.state, *object, inputs);
            format!("{class}: {:?}", text.map(|units| String::from_utf16_lossy(&units)))
        }
        other => format!("{other:?}"),
    }
}
