//! Runs `main` of classes concretely and prints what they print, as `java -cp DIR CLASS` would; a
//! table of endings at the end.
//!
//! `run_main JDK DIR CLASS...`

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use evergreen_classfile::ClassPath;
use evergreen_jvm::{Argument, Body, Ending, Jvm, Kind, Options, Piece, Value};
use evergreen_symbolic::{Exprs, Ints};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, jdk, dir, classes @ ..] = args.as_slice() else {
        eprintln!("usage: run_main JDK DIR CLASS...");
        std::process::exit(2);
    };
    for class in classes {
        let begin = Instant::now();
        let mut path = ClassPath::new();
        path.add_dir(Path::new(dir)).expect("a folder");
        path.add_jdk(Path::new(jdk)).expect("a JDK");
        let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
        let mut jvm = Jvm::new(path, exprs, Options::default()).unwrap_or_else(|e| panic!("{e:?}"));
        let mut base = jvm.base_state().unwrap_or_else(|e| panic!("{e:?}"));
        let booted = begin.elapsed();
        let strings = jvm.load("[Ljava/lang/String;").unwrap_or_else(|e| panic!("{e:?}"));
        let none = base.heap.new_object(strings, Body::array(Kind::Reference, 0));
        let method = match jvm.find(class, "main", "([Ljava/lang/String;)V") {
            Ok(Some(method)) => method,
            other => {
                eprintln!("{class}: no main: {other:?}");
                continue;
            }
        };
        let mut state = jvm.start(&base, method, vec![Argument::Fixed(Value::Ref(none))]);
        let ending = jvm.run_concrete(&mut state, 2_000_000_000);
        let mut text = Vec::new();
        for piece in state.output.iter() {
            match piece {
                Piece::Text(evergreen_jvm::Stream::Out, units) => text.extend_from_slice(units),
                Piece::Text(..) => {}
                Piece::Symbolic(..) | Piece::Input(..) => text.push(u16::from(b'?')),
            }
        }
        if matches!(ending, None | Some(Ending::Unsupported { .. })) {
            for frame in state.frames.iter().rev().take(12) {
                eprintln!("    at {} ({})", frame.method.full_name(), frame.pc);
            }
        }
        print!("{}", String::from_utf16_lossy(&text));
        let ending = match ending {
            None => "a choice or too many steps".to_string(),
            Some(Ending::Returned(_)) => "returned".to_string(),
            Some(Ending::Threw { class, message, .. }) => {
                format!(
                    "threw {class}: {}",
                    message.map(|m| String::from_utf16_lossy(&m)).unwrap_or_default()
                )
            }
            Some(Ending::Unsupported { what, place, help }) => {
                format!(
                    "unsupported: {what} at {} ({help})",
                    place.map(|p| p.to_string()).unwrap_or_default()
                )
            }
            Some(other) => format!("{other:?}"),
        };
        eprintln!(
            "{class}: {ending} [{} steps, boot {:.1} ms, {:.1} ms]",
            state.steps,
            booted.as_secs_f64() * 1e3,
            begin.elapsed().as_secs_f64() * 1e3
        );
    }
}
