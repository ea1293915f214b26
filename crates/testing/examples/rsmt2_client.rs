//! `rsmt2` as a client: `rsmt2_client SOLVER` (it adds `-in -smt2` itself).
//!
//! Prints one line per answer; values only where they are forced, so that two right solvers print the same.

use rsmt2::parse::{IdentParser, ModelParser, SymParser, ValueParser};
use rsmt2::{SmtConf, SmtRes, Solver};

/// Names, types and values stay text.
#[derive(Clone, Copy)]
struct Text;

impl IdentParser<String, String, &str> for Text {
    fn parse_ident(self, input: &str) -> SmtRes<String> {
        Ok(input.to_string())
    }
    fn parse_type(self, input: &str) -> SmtRes<String> {
        Ok(input.to_string())
    }
}

impl ModelParser<String, String, String, &str> for Text {
    fn parse_value(
        self,
        input: &str,
        _name: &String,
        _parameters: &[(String, String)],
        _sort: &String,
    ) -> SmtRes<String> {
        Ok(input.to_string())
    }
}

impl ValueParser<String, &str> for Text {
    fn parse_value(self, input: &str) -> SmtRes<String> {
        Ok(input.to_string())
    }
}

impl rsmt2::parse::ExprParser<String, (), &str> for Text {
    fn parse_expr(self, input: &str, _info: ()) -> SmtRes<String> {
        Ok(input.to_string())
    }
}

impl SymParser<String, &str> for Text {
    fn parse_sym(self, input: &str) -> SmtRes<String> {
        Ok(input.to_string())
    }
}

fn main() -> SmtRes<()> {
    let Some(solver) = std::env::args().nth(1) else {
        return Err("usage: rsmt2_client SOLVER".into());
    };
    let open = |conf: fn(&mut SmtConf)| -> SmtRes<Solver<Text>> {
        let mut options = SmtConf::z3(solver.clone());
        conf(&mut options);
        options.spawn(Text)
    };
    equations(open(SmtConf::models)?)?;
    scopes(open(|_| ())?)?;
    switches(open(|_| ())?)?;
    culprits(open(SmtConf::unsat_cores)?)
}

fn report(problem: &str, answer: Option<bool>) {
    let verdict = match answer {
        Some(true) => "sat",
        Some(false) => "unsat",
        None => "unknown",
    };
    println!("{problem}: {verdict}");
}

/// A system with one solution: model and values.
fn equations(mut solver: Solver<Text>) -> SmtRes<()> {
    solver.declare_const("x", "Int")?;
    solver.declare_const("y", "Int")?;
    solver.define_fun("twice", &[("n", "Int")], "Int", "(* 2 n)")?;
    solver.assert("(= (+ (twice x) y) 11)")?;
    solver.assert("(= (- x y) (- 2))")?;
    report("equations", solver.check_sat_or_unk()?);
    let mut model = solver.get_model_const()?;
    model.sort();
    for (name, sort, value) in model {
        println!("  {name}: {sort} = {value}");
    }
    for (term, value) in solver.get_values(["(twice x)", "y"])? {
        println!("  {term} = {value}");
    }
    Ok(())
}

/// Scopes, then a reset and another theory.
fn scopes(mut solver: Solver<Text>) -> SmtRes<()> {
    solver.declare_const("n", "Int")?;
    solver.assert("(> n 0)")?;
    for bound in 0..4 {
        solver.push(1)?;
        solver.assert(format!("(< (* 2 n) {bound})"))?;
        report(&format!("below {bound}"), solver.check_sat_or_unk()?);
        solver.pop(1)?;
    }
    solver.reset()?;
    solver.declare_const("v", "(_ BitVec 8)")?;
    solver.assert("(= (bvmul v #x03) #x09)")?;
    report("bit-vector", solver.check_sat_or_unk()?);
    solver.assert("(not (= v #x03))")?;
    report("bit-vector, other", solver.check_sat_or_unk()?);
    Ok(())
}

/// Activation literals: `check-sat-assuming` over fresh Boolean constants.
fn switches(mut solver: Solver<Text>) -> SmtRes<()> {
    solver.declare_const("x", "Real")?;
    let low = solver.get_actlit()?;
    let high = solver.get_actlit()?;
    solver.assert_act(&low, "(< x 1.5)")?;
    solver.assert_act(&high, "(> x 1.5)")?;
    report("low", solver.check_sat_act_or_unk(Some(&low))?);
    report("high", solver.check_sat_act_or_unk(Some(&high))?);
    report("both", solver.check_sat_act_or_unk([&low, &high])?);
    solver.de_actlit(high)?;
    report("low again", solver.check_sat_act_or_unk(Some(&low))?);
    Ok(())
}

/// An unsat core of named assertions.
fn culprits(mut solver: Solver<Text>) -> SmtRes<()> {
    solver.declare_const("p", "Bool")?;
    solver.declare_const("q", "Bool")?;
    solver.named_assert("either", "(or p q)")?;
    solver.named_assert("not-p", "(not p)")?;
    solver.named_assert("not-q", "(not q)")?;
    report("culprits", solver.check_sat_or_unk()?);
    let mut core: Vec<String> = solver.get_unsat_core()?;
    core.sort();
    println!("  core: {}", core.join(" "));
    Ok(())
}
