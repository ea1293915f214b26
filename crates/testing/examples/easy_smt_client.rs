//! `easy-smt` as a client: `easy_smt_client SOLVER [ARGUMENT...]` (arguments: `-smt2 -in` if none are given).
//!
//! Prints one line per answer; values only where they are forced, so that two right solvers print the same.

use std::io;

use easy_smt::{Context, ContextBuilder, Response, SExpr};

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        return Err(io::Error::other("usage: easy_smt_client SOLVER [ARGUMENT...]"));
    }
    let solver = arguments.remove(0);
    if arguments.is_empty() {
        arguments = vec!["-smt2".to_string(), "-in".to_string()];
    }
    let open = |option: Option<&str>| -> io::Result<Context> {
        let mut context = ContextBuilder::new().solver(&solver).solver_args(&arguments).build()?;
        if let Some(option) = option {
            context.set_option(option, context.true_())?;
        }
        Ok(context)
    };
    magic_row(open(Some(":produce-models"))?)?;
    branches(open(None)?)?;
    culprits(open(Some(":produce-unsat-cores"))?)?;
    switches(open(Some(":produce-unsat-assumptions"))?)?;
    shapes(open(Some(":produce-models"))?)
}

fn report(problem: &str, response: Response) {
    println!("{problem}: {response:?}");
}

/// A system with one solution: its values are read back.
fn magic_row(mut context: Context) -> io::Result<()> {
    context.set_logic("QF_LIA")?;
    let int = context.int_sort();
    let names = ["a", "b", "c"];
    let mut cells: Vec<SExpr> = Vec::new();
    for name in names {
        let cell = context.declare_const(name, int)?;
        context.assert(
            context.and(context.lte(context.numeral(1), cell), context.lte(cell, context.numeral(9))),
        )?;
        cells.push(cell);
    }
    let sum = context.plus_many(cells.iter().copied());
    context.assert(context.eq(sum, context.numeral(24)))?;
    context.assert(context.distinct_many(cells.iter().copied()))?;
    context.assert(context.lt(cells[0], cells[1]))?;
    context.assert(context.lt(cells[1], cells[2]))?;
    report("magic row", context.check()?);
    for (term, value) in context.get_value(cells)? {
        println!("  {} = {}", context.display(term), context.display(value));
    }
    Ok(())
}

/// Bit-vector branches in scopes.
fn branches(mut context: Context) -> io::Result<()> {
    context.set_logic("QF_BV")?;
    let byte = context.bit_vec_sort(context.numeral(8));
    let c = context.declare_const("c", byte)?;
    let limit = |n: u8| context.binary(8, n);
    let arms = [
        ("digit", context.and(context.bvuge(c, limit(0x30)), context.bvule(c, limit(0x39)))),
        ("letter", context.and(context.bvuge(c, limit(0x61)), context.bvule(c, limit(0x7a)))),
        ("high", context.bvuge(c, limit(0x80))),
    ];
    for (name, arm) in &arms {
        context.push()?;
        context.assert(*arm)?;
        report(name, context.check()?);
        for (other, arm) in &arms {
            context.push()?;
            context.assert(*arm)?;
            report(&format!("{name} and {other}"), context.check()?);
            context.pop()?;
        }
        context.pop()?;
    }
    Ok(())
}

/// An unsat core of named assertions.
fn culprits(mut context: Context) -> io::Result<()> {
    context.set_logic("QF_LIA")?;
    let x = context.declare_const("x", context.int_sort())?;
    let named = [
        ("low", context.lt(x, context.numeral(3))),
        ("high", context.gt(x, context.numeral(7))),
        ("odd", context.not(context.eq(x, context.numeral(4)))),
    ];
    for (name, formula) in named {
        context.assert(context.named(name, formula))?;
    }
    report("culprits", context.check()?);
    let core = context.get_unsat_core()?;
    let mut names: Vec<String> = context
        .get_list(core)
        .unwrap_or_default()
        .iter()
        .map(|name| context.display(*name).to_string())
        .collect();
    names.sort();
    println!("  core: {}", names.join(" "));
    Ok(())
}

/// Assumptions.
fn switches(mut context: Context) -> io::Result<()> {
    context.set_logic("QF_UFLIA")?;
    let (int, boolean) = (context.int_sort(), context.bool_sort());
    let f = context.declare_fun("f", vec![int], int)?;
    let on = context.declare_const("on", boolean)?;
    let off = context.declare_const("off", boolean)?;
    let one = context.numeral(1);
    let applied = context.list(vec![f, one]);
    context.assert(context.imp(on, context.gt(applied, one)))?;
    context.assert(context.imp(off, context.lt(applied, one)))?;
    report("on", context.check_assuming([on])?);
    report("off", context.check_assuming([off])?);
    report("on and off", context.check_assuming([on, off])?);
    report("neither", context.check()?);
    Ok(())
}

/// A datatype, and a value that only one constructor can have.
fn shapes(mut context: Context) -> io::Result<()> {
    context.set_logic("ALL")?;
    let int = context.int_sort();
    context.declare_datatype(
        "Shape",
        context.list(vec![
            context.list(vec![context.atom("point")]),
            context.list(vec![context.atom("circle"), context.list(vec![context.atom("radius"), int])]),
        ]),
    )?;
    let s = context.declare_const("s", context.atom("Shape"))?;
    context.assert(context.not(context.eq(s, context.atom("point"))))?;
    let radius = context.list(vec![context.atom("radius"), s]);
    context.assert(context.eq(radius, context.numeral(5)))?;
    report("shapes", context.check()?);
    for (term, value) in context.get_value(vec![s, radius])? {
        println!("  {} = {}", context.display(term), context.display(value));
    }
    Ok(())
}
