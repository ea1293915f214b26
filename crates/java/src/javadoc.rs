//! The exceptions that javadoc names: `@throws` and `@exception` of each method of a source.
//!
//! A source is read as far as that needs: comments and literals are skipped, braces tell which class is open,
//! and a name before a parameter list that a doc comment precedes is a method. What is written in a way that
//! this does not expect has no documentation, which is the severe side.

use evergreen_classfile::Type;

/// A method that has a doc comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Documented {
    /// The classes around it, outermost first, with `$` between them.
    pub class: String,
    /// Its name; that of its class for a constructor.
    pub name: String,
    /// The types of its parameters as they are written, without packages, type arguments and annotations.
    pub parameters: Vec<String>,
    /// The exceptions that its comment names, as they are written.
    pub throws: Vec<String>,
}

impl Documented {
    /// Whether the parameters may be these. Type variables are written by names of their own.
    pub(crate) fn takes(&self, types: &[&Type]) -> bool {
        self.parameters.len() == types.len()
            && self.parameters.iter().zip(types).all(|(written, of)| {
                let java = of.to_java();
                let simple = java.rsplit(['.', '$']).next().unwrap_or(&java);
                let is_variable = |name: &str| {
                    name.trim_end_matches("[]").chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
                };
                written == simple
                    || (is_variable(written)
                        && java.ends_with("[]") == written.ends_with("[]")
                        && java.contains('.'))
            })
    }
}

/// A piece of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Doc(String),
    Word(String),
    Sign(char),
}

/// The documented methods of a source.
pub(crate) fn documented(source: &str) -> Vec<Documented> {
    let tokens = tokens(source);
    let mut all = Vec::new();
    // The classes that are open, and how many braces were open before each.
    let mut classes: Vec<(String, usize)> = Vec::new();
    let (mut depth, mut doc, mut named) = (0, None, None);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Doc(text) => doc = Some(text.clone()),
            Token::Sign('@') => at = after_annotation(&tokens, at),
            Token::Word(word) if matches!(&**word, "class" | "interface" | "enum" | "record") => {
                if let Some(Token::Word(name)) = tokens.get(at) {
                    named = Some(name.clone());
                }
            }
            Token::Sign('{') => {
                if let Some(name) = named.take() {
                    classes.push((name, depth));
                }
                (depth, doc) = (depth + 1, None);
            }
            Token::Sign('}') => {
                depth -= usize::from(depth > 0);
                if classes.last().is_some_and(|(_, before)| *before == depth) {
                    classes.pop();
                }
                doc = None;
            }
            Token::Sign(';' | '=') => doc = None,
            Token::Sign('(') if named.is_none() => {
                let is_member = classes.last().is_some_and(|(_, before)| before + 1 == depth);
                if let (Some(text), Some(Token::Word(name)), true) =
                    (doc.take(), tokens.get(at.wrapping_sub(2)), is_member)
                {
                    let class = classes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("$");
                    let (parameters, throws) = (parameters(&tokens[at..]), throws(&text));
                    all.push(Documented { class, name: name.clone(), parameters, throws });
                }
            }
            Token::Word(_) | Token::Sign(_) => {}
        }
    }
    all
}

/// Behind an annotation whose `@` was read; that of a declaration (`@interface`) is none.
fn after_annotation(tokens: &[Token], from: usize) -> usize {
    if tokens.get(from) == Some(&Token::Word("interface".into())) {
        return from;
    }
    let mut at = from + 1;
    while tokens.get(at) == Some(&Token::Sign('.')) {
        at += 2;
    }
    if tokens.get(at) != Some(&Token::Sign('(')) {
        return at;
    }
    let mut open = 0;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Sign('(') => open += 1,
            Token::Sign(')') => open -= 1,
            _ => {}
        }
        if open == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The types of a parameter list whose `(` was read.
fn parameters(tokens: &[Token]) -> Vec<String> {
    let (mut all, mut words, mut arrays) = (Vec::new(), Vec::new(), 0);
    let (mut angles, mut at) = (0, 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Sign('@') => at = after_annotation(tokens, at),
            Token::Sign('<') => angles += 1,
            Token::Sign('>') => angles -= 1,
            Token::Sign('[') if angles == 0 => arrays += 1,
            Token::Sign('.') if tokens.get(at) == Some(&Token::Sign('.')) => {
                arrays += 1;
                at += 2;
            }
            // A package: the last name is the class.
            Token::Sign('.') if angles == 0 => {
                words.pop();
            }
            Token::Word(word) if angles == 0 && word != "final" => words.push(word.clone()),
            Token::Sign(end @ (',' | ')')) if angles == 0 => {
                // The type, and the name of the parameter.
                if words.len() >= 2 {
                    all.push(words[words.len() - 2].clone() + &"[]".repeat(arrays));
                }
                (words, arrays) = (Vec::new(), 0);
                if *end == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    all
}

/// The classes behind `@throws` and `@exception`.
fn throws(doc: &str) -> Vec<String> {
    let mut words = doc.split_whitespace();
    let mut all = Vec::new();
    while let Some(word) = words.next() {
        if matches!(word, "@throws" | "@exception") {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$');
            let name: String = words.next().unwrap_or_default().chars().take_while(|c| is_name(*c)).collect();
            if !name.is_empty() {
                all.push(name);
            }
        }
    }
    all
}

fn tokens(source: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(comment) = rest.strip_prefix("/*") {
            let inside = comment.find("*/").unwrap_or(comment.len());
            if let Some(doc) = comment[..inside].strip_prefix('*') {
                let lines = doc.lines().map(|line| line.trim_start().trim_start_matches('*'));
                all.push(Token::Doc(lines.collect::<Vec<_>>().join("\n")));
            }
            inside + 4
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("\"\"\"") {
            literal(rest, "\"\"\"")
        } else if first == '"' {
            literal(rest, "\"")
        } else if first == '\'' {
            literal(rest, "'")
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            all.push(Token::Word(rest[..end].to_string()));
            end
        } else {
            if !first.is_whitespace() {
                all.push(Token::Sign(first));
            }
            first.len_utf8()
        };
        rest = &rest[length.min(rest.len())..];
    }
    all
}

/// The length of a literal with its quotes.
fn literal(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while let Some(c) = text[at..].chars().next() {
        if c == '\\' {
            at += 1;
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        } else if text[at..].starts_with(quote) {
            return at + quote.len();
        } else {
            at += c.len_utf8();
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_belong_to_the_methods_behind_them() {
        let source = r#"
            package shop;
            /** Not of a method. @throws Nothing */
            public class Cart<T extends Comparable<T>> {
                /** A field. @throws Field */ int field = f(3);
                // /** no comment @throws Never */
                String text = "/** @throws Text */ (";
                char quote = '\'';
                /**
                 * Adds.
                 * @throws IllegalArgumentException if it is negative
                 * @exception java.io.IOException on trouble
                 */
                @Deprecated(since = "1 (one)") @Override
                public <K> void add(final int n, @Ann("x)") java.util.Map<String, int[]> m, T[] all, String... more) {
                    if (n < 0) { g(n); }
                }
                void plain(int n) { }
                static class Item { /** @throws Inner x */ Item(int n) { } }
            }"#;
        let all = documented(source);
        let shown: Vec<String> = all
            .iter()
            .map(|m| format!("{}.{}({}) {}", m.class, m.name, m.parameters.join(", "), m.throws.join(" ")))
            .collect();
        assert_eq!(
            shown,
            [
                "Cart.add(int, Map, T[], String[]) IllegalArgumentException java.io.IOException",
                "Cart$Item.Item(int) Inner"
            ]
        );
        let of = |text: &str| Type::parse(text).unwrap();
        let types =
            [of("I"), of("Ljava/util/Map;"), of("[Ljava/lang/Comparable;"), of("[Ljava/lang/String;")];
        assert!(all[0].takes(&types.iter().collect::<Vec<_>>()));
        assert!(!all[1].takes(&[&of("J")]) && !all[1].takes(&[]));
    }

    #[test]
    fn text_that_is_no_source_is_read_to_its_end() {
        for text in [
            "\"",
            "'",
            "/**",
            "/*",
            "\"\"\"",
            "@",
            "@a.b(",
            "/** @throws */ m(",
            "class {",
            "}}}",
            "(",
            "\"\\",
        ] {
            assert!(documented(text).is_empty(), "{text}");
        }
    }
}
