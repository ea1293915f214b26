//! Threads that run one after the other.
//!
//! A thread runs as soon as it is started, on top of the frames of the one that starts it, until it ends or
//! has to wait: for a monitor, for a notification, or parked. Then its frames are put aside, and the thread
//! below goes on. When the main thread has to wait, threads that were put aside and can go on run on top of
//! it. That is one of the schedules that a JVM may take, so a path with threads notes that bound: there may
//! be others. The rest of `java.lang.Thread`, pools, futures and locks are the JDK's own code, of JDKs before
//! 19; later ones have other threads, and there a thread ends the path.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Row;
use super::objects::nothing;
use crate::frame::{Frame, Role};
use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::native::{Call, Done, Resume, ThenFn, Trap};
use crate::state::State;
use crate::value::{Ref, Value};

const THREAD: &str = "java/lang/Thread";
const UNSAFE: &str = "jdk/internal/misc/Unsafe";
const OBJECT: &str = "java/lang/Object";

/// What a switch of threads counts as, in instructions: threads that wait in turn for ever reach a bound.
const SWITCH: u64 = 1000;

pub(crate) const TABLE: &[Row] = &[
    (THREAD, "start0", "()V", start),
    (THREAD, "interrupt", "()V", make),
    (THREAD, "interrupt0", "()V", interrupt),
    (THREAD, "clearInterruptEvent", "()V", nothing),
    (THREAD, "interrupted", "()Z", interrupted),
    (THREAD, "isInterrupted", "()Z", interrupted),
    (THREAD, "setPriority0", "*", nothing),
    (THREAD, "setNativeName", "*", nothing),
    (THREAD, "yield", "*", give_way),
    (THREAD, "sleep", "(J)V", give_way),
    (THREAD, "onSpinWait", "*", give_way),
    (THREAD, "<init>", "*", make),
    (THREAD, "start", "()V", make),
    (THREAD, "getThreadGroup", "*", make),
    (THREAD, "getContextClassLoader", "*", make),
    (UNSAFE, "park", "*", park),
    (UNSAFE, "unpark", "*", unpark),
    (OBJECT, "wait", "(J)V", wait),
    (OBJECT, "wait0", "*", wait),
    (OBJECT, "notify", "()V", |c| notify(c, 1)),
    (OBJECT, "notifyAll", "()V", |c| notify(c, usize::MAX)),
];

type Monitors = Rc<BTreeMap<Ref, u32>>;

/// The threads of a path beside the one that runs.
#[derive(Clone, Default)]
pub(crate) struct Threads {
    /// Threads that run on top of others, the running one last.
    stack: Vec<Running>,
    /// Threads that were put aside.
    aside: Vec<Rc<Aside>>,
    /// Threads that may pass their next park.
    permits: BTreeSet<Ref>,
    /// The object on which the main thread waits, how often it held its monitor, whether it was notified.
    main_waits: Option<(Ref, u32, bool)>,
}

#[derive(Clone)]
struct Running {
    thread: Ref,
    /// How many frames there are below its own.
    base: usize,
    /// The thread below, and the monitors that it holds.
    below: Value,
    held: Monitors,
}

/// A thread that was put aside.
#[derive(Clone)]
struct Aside {
    thread: Ref,
    frames: Vec<Rc<Frame>>,
    held: Monitors,
    waits: Waits,
    /// The monitor that it needs to go on, and how often it then holds it.
    needs: Option<(Ref, u32)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Waits {
    /// It can go on.
    Nothing,
    /// For a permit.
    Parked,
    /// For a notification.
    Notified(Ref),
}

impl Threads {
    /// Whether there was only one thread so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.stack.is_empty() && self.aside.is_empty()
    }

    /// What the threads hold on to, for the collector.
    pub(crate) fn refs(&self) -> impl Iterator<Item = Ref> {
        let stack = self.stack.iter().flat_map(|one| {
            let below = one.below.as_ref().into_iter();
            below.chain([one.thread]).chain(one.held.keys().copied())
        });
        let aside = self.aside.iter().flat_map(|one| {
            let needed = one.needs.map(|(object, _)| object).into_iter();
            needed.chain([one.thread]).chain(one.held.keys().copied())
        });
        let waited = self.main_waits.map(|(object, ..)| object).into_iter();
        stack.chain(aside).chain(self.permits.iter().copied()).chain(waited)
    }

    /// The frames of threads that were put aside.
    pub(crate) fn frames(&self) -> impl Iterator<Item = &Rc<Frame>> {
        self.aside.iter().flat_map(|one| one.frames.iter())
    }

    /// The same, to be written.
    pub(crate) fn frames_mut(&mut self) -> impl Iterator<Item = &mut Rc<Frame>> {
        self.aside.iter_mut().flat_map(|one| Rc::make_mut(one).frames.iter_mut())
    }

    /// Whether the running thread has no frames left.
    fn is_over(&self, frames: usize) -> bool {
        self.stack.last().is_some_and(|one| one.base == frames)
    }

    fn is_held_aside(&self, object: Ref) -> bool {
        self.aside.iter().any(|one| one.held.contains_key(&object))
    }
}

impl Jvm {
    /// Before the running thread enters a monitor: one that another thread holds must be waited for.
    pub(crate) fn await_monitor(&mut self, state: &mut State, object: Ref) -> Result<(), Box<Trap>> {
        let threads = &state.threads;
        let is_held =
            threads.stack.iter().any(|one| one.held.contains_key(&object)) || threads.is_held_aside(object);
        if threads.is_empty() || !is_held {
            return Ok(());
        }
        if threads.stack.is_empty() {
            return Err(stuck().into());
        }
        put_aside(state, Waits::Nothing, Some((object, 0)));
        Err(Trap::Again.into())
    }

    /// The running thread ends by an exception that nobody caught, if there are threads below it: its handler
    /// is called.
    pub(crate) fn thread_died(&mut self, state: &mut State, object: Ref) -> bool {
        if !state.threads.is_over(state.frames.len()) {
            return false;
        }
        let Some(thread) = state.threads.stack.last().map(|one| one.thread) else { return false };
        let class = state.heap.class_of(thread);
        let handler = self.find_method(class, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
        let args = [Value::Ref(thread), Value::Ref(object)];
        handler.is_some_and(|handler| self.push_call(state, handler, &args).is_ok())
    }
}

fn stuck() -> Trap {
    Trap::unsupported(
        "a thread that waits for ever in this order of threads",
        "explore code that one thread runs",
    )
}

fn is_supported(call: &Call) -> bool {
    call.jvm.jdk().is_some_and(|jdk| jdk.feature < 19)
}

/// The JDK's own code makes a thread, once the main thread has what a new one takes over.
fn make(call: &mut Call) -> Result<Done, Trap> {
    if !is_supported(call) {
        return Err(Trap::unsupported("threads", "explore code that one thread runs"));
    }
    super::objects::main_thread(call)?;
    call.interpret()
}

fn start(call: &mut Call) -> Result<Done, Trap> {
    let thread = call.object(0)?;
    call.jvm.note_bound(call.state, InputBound::Schedule);
    // The order is a choice of the JVM, as hash codes are.
    call.jvm.note_choice(call.state);
    let method = call.selected(thread, THREAD, "run", "()V")?;
    call.set_field(thread, "eetop", Value::Long(1));
    call.set_field(thread, "threadStatus", Value::Int(5));
    let is_on_stack = call
        .state
        .top()
        .is_some_and(|frame| matches!(frame.role, Role::Native(_)) && frame.method.id == call.method.id);
    let base = call.state.frames.len() + usize::from(!is_on_stack);
    enter(call.state, thread, base, Rc::default());
    Ok(Done::Call { method, args: vec![Value::Ref(thread)], then: ended, saved: vec![Value::Ref(thread)] })
}

fn enter(state: &mut State, thread: Ref, base: usize, held: Monitors) {
    state.leave_joins();
    let below = state.slot("thread").unwrap_or(Value::Null);
    let held = std::mem::replace(&mut state.monitors, held);
    Rc::make_mut(&mut state.threads).stack.push(Running { thread, base, below, held });
    state.set_slot("thread", Value::Ref(thread));
    state.steps += SWITCH;
}

/// The thread below the running one goes on.
fn leave(state: &mut State) -> Option<Running> {
    let one = Rc::make_mut(&mut state.threads).stack.pop()?;
    state.monitors = one.held.clone();
    state.set_slot("thread", one.below);
    state.steps += SWITCH;
    Some(one)
}

/// The frames of the running thread are put aside.
fn put_aside(state: &mut State, waits: Waits, needs: Option<(Ref, u32)>) {
    state.leave_joins();
    let held = state.monitors.clone();
    let Some(one) = leave(state) else { return };
    let frames = state.frames.split_off(one.base);
    let aside = Aside { thread: one.thread, frames, held, waits, needs };
    Rc::make_mut(&mut state.threads).aside.push(Rc::new(aside));
}

/// A thread has ended or was put aside; then the one below is the running one already.
fn ended(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    reap(call);
    Ok(Done::Void)
}

/// Ends the running thread if it has no frames left.
fn reap(call: &mut Call) {
    if call.state.threads.is_over(call.state.frames.len())
        && let Some(one) = leave(call.state)
    {
        call.set_field(one.thread, "eetop", Value::Long(0));
        call.set_field(one.thread, "threadStatus", Value::Int(2));
        wake(call.state, one.thread, usize::MAX);
    }
}

/// Threads that wait for a notification of an object can go on.
fn wake(state: &mut State, object: Ref, most: usize) {
    let threads = Rc::make_mut(&mut state.threads);
    let mut left = most;
    if let Some((waited, _, notified)) = &mut threads.main_waits
        && *waited == object
        && !*notified
    {
        *notified = true;
        left -= 1;
    }
    for one in &mut threads.aside {
        if left > 0 && one.waits == Waits::Notified(object) {
            left -= 1;
            Rc::make_mut(one).waits = Waits::Nothing;
        }
    }
}

/// The caller's instruction is done.
fn finish_call(call: &mut Call) -> Result<(), Trap> {
    let slots = u32::from(call.method.argument_slots);
    match call.state.top_mut() {
        Some(frame) if !matches!(frame.role, Role::Native(_)) => {
            frame.sp -= slots;
            frame.pc += 1;
            Ok(())
        }
        _ => Err(Trap::unsupported("a thread that waits in a native", "")),
    }
}

/// Runs a thread that was put aside and can go on, on top of the main thread; `then` is called when it ends
/// or is put aside again. `None` if there is no such thread.
fn run_other(call: &mut Call, then: ThenFn) -> Option<Trap> {
    let State { threads, monitors, .. } = &*call.state;
    let is_free = |one: &Aside| {
        let others = |object: Ref| {
            let held = |other: &Rc<Aside>| other.thread != one.thread && other.held.contains_key(&object);
            monitors.contains_key(&object) || threads.aside.iter().any(held)
        };
        !one.needs.is_some_and(|(object, _)| others(object))
    };
    let at = threads.aside.iter().position(|one| one.waits == Waits::Nothing && is_free(one))?;
    let one = Rc::make_mut(&mut call.state.threads).aside.remove(at);
    let mut held = one.held.clone();
    if let Some((object, count @ 1..)) = one.needs {
        Rc::make_mut(&mut held).insert(object, count);
    }
    let is_on_stack = call
        .state
        .top()
        .is_some_and(|frame| matches!(frame.role, Role::Native(_)) && frame.method.id == call.method.id);
    if !is_on_stack {
        let slots = u32::from(call.method.argument_slots);
        let resume = Resume { then, saved: call.args.into() };
        let mut frame = call.jvm.new_frame(call.method.clone(), Role::Native(resume));
        frame.sp = 0;
        if let Some(caller) = call.state.top_mut() {
            caller.sp -= slots;
        }
        call.state.frames.push(Rc::new(frame));
    }
    let base = call.state.frames.len();
    enter(call.state, one.thread, base, held);
    call.state.frames.extend(one.frames.iter().cloned());
    Some(Trap::Again)
}

fn is_main(call: &Call) -> bool {
    call.state.threads.stack.is_empty()
}

fn current(call: &Call) -> Option<Ref> {
    call.state.slot("thread").and_then(Value::as_ref)
}

/// Others may run now.
fn give_way(call: &mut Call) -> Result<Done, Trap> {
    if !is_main(call) {
        finish_call(call)?;
        put_aside(call.state, Waits::Nothing, None);
        return Err(Trap::Again);
    }
    match run_other(call, gave_way) {
        Some(trap) => Err(trap),
        None => Ok(Done::Void),
    }
}

fn gave_way(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    reap(call);
    Ok(Done::Void)
}

/// `park(boolean isAbsolute, long time)`.
fn park(call: &mut Call) -> Result<Done, Trap> {
    let thread = current(call);
    if thread.is_some_and(|thread| call.field(thread, "interrupted") == Value::Int(1)) {
        return Ok(Done::Void);
    }
    if thread.is_some_and(|thread| Rc::make_mut(&mut call.state.threads).permits.remove(&thread)) {
        return Ok(Done::Void);
    }
    if !is_main(call) {
        let is_timed = matches!(call.args[1], Value::Int(1)) || !matches!(call.args[2], Value::Long(0));
        finish_call(call)?;
        put_aside(call.state, if is_timed { Waits::Nothing } else { Waits::Parked }, None);
        return Err(Trap::Again);
    }
    parked(call, None)
}

/// The main thread waits until it has a permit.
fn parked(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    reap(call);
    let thread = current(call);
    if thread.is_some_and(|thread| Rc::make_mut(&mut call.state.threads).permits.remove(&thread)) {
        return Ok(Done::Void);
    }
    let is_timed = matches!(call.args[1], Value::Int(1)) || !matches!(call.args[2], Value::Long(0));
    match run_other(call, parked) {
        Some(trap) => Err(trap),
        None if is_timed => Ok(Done::Void),
        None => Err(stuck()),
    }
}

/// Of the only thread of a JDK whose threads are not followed it is known.
fn interrupted(call: &mut Call) -> Result<Done, Trap> {
    if is_supported(call) { call.interpret() } else { Ok(Done::Value(Value::Int(0))) }
}

/// A thread that is parked goes on.
fn interrupt(call: &mut Call) -> Result<Done, Trap> {
    let thread = call.object(0)?;
    let threads = Rc::make_mut(&mut call.state.threads);
    for one in threads.aside.iter_mut().filter(|one| one.thread == thread) {
        match one.waits {
            Waits::Parked => Rc::make_mut(one).waits = Waits::Nothing,
            Waits::Notified(_) => {
                return Err(Trap::unsupported("interrupting a thread that waits", "notify it"));
            }
            Waits::Nothing => {}
        }
    }
    Ok(Done::Void)
}

fn unpark(call: &mut Call) -> Result<Done, Trap> {
    let Value::Ref(thread) = call.args[1] else { return Ok(Done::Void) };
    let threads = Rc::make_mut(&mut call.state.threads);
    for one in &mut threads.aside {
        if one.thread == thread && one.waits == Waits::Parked {
            Rc::make_mut(one).waits = Waits::Nothing;
            return Ok(Done::Void);
        }
    }
    threads.permits.insert(thread);
    Ok(Done::Void)
}

fn require_held(call: &Call, object: Ref) -> Result<u32, Trap> {
    call.state
        .monitors
        .get(&object)
        .copied()
        .ok_or_else(|| Trap::throw("java/lang/IllegalMonitorStateException", "current thread is not owner"))
}

fn wait(call: &mut Call) -> Result<Done, Trap> {
    let object = call.object(0)?;
    let count = require_held(call, object)?;
    if call.state.threads.is_empty() {
        return Err(Trap::unsupported(
            "Object.wait: no other thread could wake the only thread",
            "explore code that one thread runs",
        ));
    }
    Rc::make_mut(&mut call.state.monitors).remove(&object);
    if !is_main(call) {
        let is_timed = call.args.get(1) != Some(&Value::Long(0));
        finish_call(call)?;
        let waits = if is_timed { Waits::Nothing } else { Waits::Notified(object) };
        put_aside(call.state, waits, Some((object, count)));
        return Err(Trap::Again);
    }
    Rc::make_mut(&mut call.state.threads).main_waits = Some((object, count, false));
    waited(call, None)
}

/// The main thread waits until it is notified, and the monitor is free.
fn waited(call: &mut Call, _: Option<Value>) -> Result<Done, Trap> {
    reap(call);
    let Some((object, count, notified)) = call.state.threads.main_waits else { return Ok(Done::Void) };
    let is_timed = call.args.get(1) != Some(&Value::Long(0));
    if !notified || call.state.threads.is_held_aside(object) {
        match run_other(call, waited) {
            Some(trap) => return Err(trap),
            None if is_timed && !call.state.threads.is_held_aside(object) => {}
            None => return Err(stuck()),
        }
    }
    Rc::make_mut(&mut call.state.threads).main_waits = None;
    Rc::make_mut(&mut call.state.monitors).insert(object, count);
    Ok(Done::Void)
}

fn notify(call: &mut Call, most: usize) -> Result<Done, Trap> {
    let object = call.object(0)?;
    require_held(call, object)?;
    wake(call.state, object, most);
    Ok(Done::Void)
}
