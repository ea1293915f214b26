//! Constants of enums as inputs: the objects that a class has made for itself, and no others.

use std::rc::Rc;

use evergreen_symbolic::{Cond, Rel};

use crate::classes::{ClassId, Method, access};
use crate::machine::{Drawn, Jvm};
use crate::native::Trap;
use crate::outcome::Ending;
use crate::state::State;
use crate::value::{Kind, Value};

impl Jvm {
    /// The constant of an enum that the caller of the exploration has named: `RED` or `Color.RED`.
    pub(crate) fn named_constant(
        &mut self,
        state: &State,
        class: ClassId,
        constants: &[Value],
        said: &str,
    ) -> Result<Value, Box<Trap>> {
        let said = said.rsplit('.').next().unwrap_or(said);
        if said == "null" {
            return Ok(Value::Null);
        }
        let fields = self.class(class).static_fields.iter();
        let field =
            fields.filter(|field| field.access & access::ENUM != 0).find(|field| *field.name == *said);
        let value = field.map(|field| state.get_static(field.slot)).filter(|value| constants.contains(value));
        value.ok_or_else(|| Trap::End(Box::new(Ending::Assumed)).into())
    }

    /// The constants of an enum: what is in the array that javac keeps them in.
    pub(crate) fn enum_constants(&self, state: &State, class: ClassId) -> Vec<Value> {
        let class = self.class(class);
        let descriptor = format!("[L{};", class.name);
        let mut fields = class.static_fields.iter();
        let field =
            fields.find(|field| field.access & access::SYNTHETIC != 0 && *field.descriptor == *descriptor);
        match field.map(|field| state.get_static(field.slot)) {
            Some(Value::Ref(array)) => state.heap.get(array).body.values(),
            _ => Vec::new(),
        }
    }

    /// What a method of an enum is called on: each constant on which a call runs this method. Constants with
    /// a body have classes of their own. The input `this.ordinal` says which one it is.
    pub(crate) fn constant_receiver(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
    ) -> Result<(), Box<Trap>> {
        let own = self.class(method.class);
        let above = own.superclass.filter(|above| self.class(*above).access & access::ENUM != 0);
        let class = above.unwrap_or(method.class);
        self.require_init(state, class)?;
        let constants = self.enum_constants(state, class);
        let is_called_on = |jvm: &mut Jvm, constant: &Value| match constant {
            Value::Ref(object) => {
                let class = state.heap.class_of(*object);
                jvm.find_method(class, &method.name, &method.descriptor) == Some(method.id)
            }
            _ => false,
        };
        let fits: Vec<bool> = constants.iter().map(|constant| is_called_on(self, constant)).collect();
        if !fits.contains(&true) {
            return Err(self.no_receiver(method));
        }
        let receiver = match self.options.drawn.get("this").cloned() {
            Some(Drawn::Name(said)) => {
                let named = self.named_constant(state, class, &constants, &said)?;
                constants.iter().zip(&fits).find(|(one, fits)| **fits && **one == named).map(|(one, _)| *one)
            }
            _ => self.choose_constant(state, &constants, &fits)?,
        };
        let Some(Value::Ref(receiver)) = receiver else {
            return Err(Trap::End(Box::new(Ending::Assumed)).into());
        };
        state.receiver = Some(receiver);
        state.made_mut().receiver = Some(receiver);
        state.choices.clear();
        state.used = 0;
        Ok(())
    }

    fn choose_constant(
        &mut self,
        state: &mut State,
        constants: &[Value],
        fits: &[bool],
    ) -> Result<Option<Value>, Box<Trap>> {
        let last = constants.len() as i64 - 1;
        let input = match self.number_input("this.ordinal", Kind::Int, Some((0, last)))? {
            Value::Sym(input) => input,
            fixed => {
                let at = fixed.as_int().and_then(|at| usize::try_from(at).ok());
                return Ok(at.filter(|at| fits.get(*at) == Some(&true)).map(|at| constants[at]));
            }
        };
        let able: Vec<usize> = (0..constants.len()).filter(|at| fits[*at]).collect();
        let mut cases: Vec<Cond> = able.iter().map(|at| self.relate_to(Rel::Eq, input, *at as i64)).collect();
        // The other constants run another method.
        let others =
            cases.iter().fold(Cond::TRUE, |others, case| self.exprs.borrow_mut().and(others, case.negated()));
        if able.len() < constants.len() {
            cases.push(others);
        }
        let chosen = self.choose(state, &cases)?;
        Ok(able.get(chosen).map(|at| constants[*at]))
    }
}
