//! Expressions that are written on one line if they fit, else broken where people would break them.

/// Columns of a line.
const WIDTH: usize = 110;

/// A piece of source that knows where it may be broken.
#[derive(Clone, Debug)]
pub(crate) enum Doc {
    /// Never broken.
    Text(String),
    /// One after the other; the parts break by themselves.
    Seq(Vec<Doc>),
    /// Items between brackets, as many on a line as fit.
    List { open: String, items: Vec<Doc>, close: String },
    /// One expression in pieces that are added up, one on a line; `flat` is how it looks in one piece.
    Sum { flat: String, pieces: Vec<Doc> },
}

impl Doc {
    pub(crate) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    pub(crate) fn seq(parts: Vec<Doc>) -> Doc {
        Doc::Seq(parts)
    }

    pub(crate) fn list(open: &str, items: Vec<Doc>, close: &str) -> Doc {
        Doc::List { open: open.into(), items, close: close.into() }
    }

    pub(crate) fn sum(flat: String, pieces: Vec<Doc>) -> Doc {
        Doc::Sum { flat, pieces }
    }

    /// A call with its arguments.
    pub(crate) fn call(name: &str, arguments: Vec<Doc>) -> Doc {
        Doc::list(&format!("{name}("), arguments, ")")
    }

    /// All on one line.
    pub(crate) fn flat(&self) -> String {
        match self {
            Doc::Text(text) => text.clone(),
            Doc::Seq(parts) => parts.iter().map(Doc::flat).collect(),
            Doc::List { open, items, close } => {
                let items: Vec<String> = items.iter().map(Doc::flat).collect();
                format!("{open}{}{close}", items.join(", "))
            }
            Doc::Sum { flat, .. } => flat.clone(),
        }
    }
}

/// Whether it fits on one line that is indented so.
pub(crate) fn fits(doc: &Doc, indent: usize) -> bool {
    indent + doc.flat().len() < WIDTH
}

/// Appends a statement, with its indentation, semicolon and line end.
pub(crate) fn statement(out: &mut String, indent: usize, doc: &Doc) {
    out.extend(std::iter::repeat_n(' ', indent));
    // One column is kept for the semicolon.
    let mut page = Page { column: indent, out };
    page.write(doc, indent, 1);
    page.out.push_str(";\n");
}

struct Page<'a> {
    out: &'a mut String,
    column: usize,
}

impl Page<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// `after` is how many columns must stay free on the last line.
    fn write(&mut self, doc: &Doc, indent: usize, after: usize) {
        let flat = doc.flat();
        if self.column + flat.len() + after <= WIDTH {
            return self.push(&flat);
        }
        match doc {
            Doc::Text(text) => self.push(text),
            Doc::Seq(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let rest: usize = parts[index + 1..].iter().map(|part| part.flat().len().min(8)).sum();
                    self.write(part, indent, after + rest);
                }
            }
            Doc::List { open, items, close } => self.write_list(open, items, close, indent, after),
            Doc::Sum { pieces, .. } => {
                for (index, piece) in pieces.iter().enumerate() {
                    if index > 0 {
                        self.new_line(indent + 8);
                        self.push("+ ");
                    }
                    self.write(piece, indent + 8, after);
                }
            }
        }
    }

    /// Braces close on a line of their own, parentheses do not: that is how Java is written.
    fn write_list(&mut self, open: &str, items: &[Doc], close: &str, indent: usize, after: usize) {
        let is_array = open.ends_with('{');
        let inner = if is_array { indent + 4 } else { indent + 8 };
        self.push(open);
        self.new_line(inner);
        let mut was_broken = false;
        for (index, item) in items.iter().enumerate() {
            let last = index + 1 == items.len();
            let room = if last { close.len() + after } else { 1 };
            let width = item.flat().len() + room;
            if index > 0 {
                // Nothing follows on the last line of an item that took several.
                if was_broken || self.column + 1 + width > WIDTH {
                    self.new_line(inner);
                } else {
                    self.push(" ");
                }
            }
            let start = self.out.len();
            self.write(item, inner, room);
            was_broken = self.out[start..].contains('\n');
            if !last {
                self.push(",");
            }
        }
        if is_array {
            self.new_line(indent);
        }
        self.push(close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(count: usize) -> Vec<Doc> {
        (0..count).map(|i| Doc::text(format!("{}", i * 1000))).collect()
    }

    #[test]
    fn what_fits_stays_on_one_line() {
        let mut out = String::new();
        statement(&mut out, 8, &Doc::call("f", words(3)));
        assert_eq!(out, "        f(0, 1000, 2000);\n");
    }

    #[test]
    fn arrays_are_filled_up_to_the_last_column() {
        let mut out = String::new();
        let array = Doc::seq(vec![Doc::text("int[] a = "), Doc::list("{", words(40), "}")]);
        statement(&mut out, 8, &array);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "        int[] a = {");
        assert_eq!(lines[lines.len() - 1], "        };");
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
        assert!(lines[1].len() > WIDTH - 8 && lines[1].starts_with("            0, 1000, "));
        let shown: String = out.split_whitespace().collect();
        assert_eq!(shown, format!("int[]a={};", Doc::list("{", words(40), "}").flat().replace(' ', "")));
    }

    #[test]
    fn calls_break_after_the_parenthesis() {
        let mut out = String::new();
        let long = Doc::call("g", words(22));
        statement(&mut out, 8, &Doc::call("assertEquals", vec![Doc::text("x"), long, Doc::text("y")]));
        assert_eq!(
            out,
            "        assertEquals(
                x,
                g(
                        0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000, 12000, 13000,
                        14000, 15000, 16000, 17000, 18000, 19000, 20000, 21000),
                y);
"
        );
    }
}
