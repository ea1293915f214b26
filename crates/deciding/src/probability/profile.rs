//! Usage profiles: which inputs a program gets, and how often.
//!
//! ```text
//! domain{ h : 0,1000000; mode : 0,3; };
//! usageProfile{ h < 100 : 70/100; h >= 100 && mode == 0 : 30/100; };
//! ```
//!
//! A domain is a range, both ends included. A region is a condition, as `--assume` has them, with its
//! probability; within a region inputs are uniform. Regions exclude each other, their probabilities add up to
//! 1, and what is in no region does not happen. The format is that of the tools for probabilistic analysis on
//! Java PathFinder [Filieri ICSE'13].

use crate::AssumeError;
use evergreen_count::Ratio;
use evergreen_symbolic::Cond;
use std::fmt;
use std::ops::Range;

/// A region of a profile, for one method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Where it is.
    pub condition: Cond,
    /// Its probability.
    pub weight: Ratio,
}

/// What is wrong with a profile, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfileError(pub(crate) String);

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}

/// A usage profile as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    file: String,
    text: String,
    /// Inputs and their ranges.
    pub domains: Vec<(String, (i64, i64))>,
    regions: Vec<(Range<usize>, Ratio)>,
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    at: usize,
}

fn error(file: &str, text: &str, at: usize, what: &str) -> ProfileError {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    ProfileError(format!("{file}:{line}:{column}: {what}"))
}

impl<'t> Reader<'t> {
    fn error(&self, at: usize, what: impl AsRef<str>) -> ProfileError {
        error(self.file, self.text, at, what.as_ref())
    }

    /// Skips space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let rest = &self.text[self.at..];
            if !rest.starts_with("//") {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn eat(&mut self, sign: char) -> bool {
        self.skip();
        let found = self.text[self.at..].starts_with(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    fn expect(&mut self, sign: char, after: &str) -> Result<(), ProfileError> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.error(self.at, format!("\"{sign}\" is expected after {after}{}", self.instead())))
    }

    /// What is there instead, for messages.
    fn instead(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(c) => format!(", not \"{c}\""),
            None => ", not the end of the file".into(),
        }
    }

    /// What stands before one of these signs, without the space around it.
    fn until(&mut self, signs: &[char]) -> Range<usize> {
        self.skip();
        let rest = &self.text[self.at..];
        let end = rest.find(|c| signs.contains(&c)).unwrap_or(rest.len());
        let range = self.at..self.at + rest[..end].trim_end().len();
        self.at += end;
        range
    }

    fn number(&mut self, signs: &[char]) -> Result<i64, ProfileError> {
        let place = self.until(signs);
        let text = &self.text[place.clone()];
        let wrong = |_| self.error(place.start, format!("\"{text}\" is no whole number of 64 bits"));
        text.replace('_', "").parse().map_err(wrong)
    }

    fn domain(&mut self) -> Result<(String, (i64, i64)), ProfileError> {
        let name = self.until(&[':', ';', '}']);
        let text = &self.text[name.clone()];
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err(self.error(name.start, format!("\"{text}\" is no name of an input")));
        }
        self.expect(':', "the name of an input")?;
        let low = self.number(&[',', ';', '}'])?;
        self.expect(',', "the least value")?;
        let before = self.at;
        let high = self.number(&[';', '}'])?;
        if low > high {
            return Err(self.error(before, format!("the range {low},{high} of \"{text}\" is empty")));
        }
        self.expect(';', "a range")?;
        Ok((text.to_string(), (low, high)))
    }

    fn region(&mut self) -> Result<(Range<usize>, Ratio), ProfileError> {
        let condition = self.until(&[':', ';', '}']);
        if condition.is_empty() {
            return Err(self.error(condition.start, "a condition is expected"));
        }
        self.expect(':', "a condition")?;
        let weight = self.until(&[';', '}']);
        let text = &self.text[weight.clone()];
        let ratio = Ratio::read(text).ok_or_else(|| {
            self.error(weight.start, format!("\"{text}\" is no probability; write 30/100 or 0.3"))
        })?;
        if ratio > Ratio::one() {
            return Err(self.error(weight.start, format!("\"{text}\" is more than 1")));
        }
        self.expect(';', "a probability")?;
        Ok((condition, ratio))
    }
}

impl Profile {
    /// Reads a profile; `file` is its name in messages.
    pub fn read(file: &str, text: &str) -> Result<Profile, ProfileError> {
        let mut reader = Reader { file, text, at: 0 };
        let (mut domains, mut regions) = (Vec::<(String, (i64, i64))>::new(), Vec::new());
        let mut sections: Vec<&str> = Vec::new();
        let mut sums_at = 0;
        loop {
            reader.skip();
            if reader.at == text.len() {
                break;
            }
            let section = reader.until(&['{', ';', '}']);
            let name = match &text[section.clone()] {
                "domain" => "domain",
                "usageProfile" => "usageProfile",
                other => {
                    let what = format!("\"{other}\" is no section; there are domain and usageProfile");
                    return Err(reader.error(section.start, what));
                }
            };
            if sections.contains(&name) {
                return Err(reader.error(section.start, format!("there is a section {name} already")));
            }
            sections.push(name);
            reader.expect('{', name)?;
            while !reader.eat('}') {
                if reader.at == text.len() {
                    return Err(reader.error(reader.at, format!("\"}}\" of {name} is missing")));
                }
                if name == "domain" {
                    let at = reader.at;
                    let domain = reader.domain()?;
                    if domains.iter().any(|(known, _)| *known == domain.0) {
                        return Err(reader.error(at, format!("\"{}\" has a range already", domain.0)));
                    }
                    domains.push(domain);
                } else {
                    sums_at = section.start;
                    regions.push(reader.region()?);
                }
            }
            reader.eat(';');
        }
        if regions.is_empty() {
            return Err(reader.error(text.len(), "no region of a usageProfile is given"));
        }
        let sum = regions.iter().fold(Ratio::zero(), |sum, (_, weight)| sum.plus(weight));
        if sum != Ratio::one() {
            return Err(reader.error(sums_at, format!("the probabilities add up to {sum}, not to 1")));
        }
        Ok(Profile { file: file.into(), text: text.into(), domains, regions })
    }

    /// The conditions of the regions as they are written.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().map(|(place, _)| &self.text[place.clone()])
    }

    /// The regions; `condition` understands a condition.
    pub(crate) fn regions(
        &self,
        mut condition: impl FnMut(&str) -> Result<Cond, AssumeError>,
    ) -> Result<Vec<Region>, ProfileError> {
        let region = |(place, weight): &(Range<usize>, Ratio)| {
            let condition = condition(&self.text[place.clone()])
                .map_err(|e| error(&self.file, &self.text, place.start + e.start(), e.what()))?;
            Ok(Region { condition, weight: weight.clone() })
        };
        self.regions.iter().map(region).collect()
    }

    /// A complaint about a region, by its number.
    pub(crate) fn complain(&self, region: usize, what: &str) -> ProfileError {
        let at = self.regions.get(region).map_or(0, |(place, _)| place.start);
        error(&self.file, &self.text, at, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_read() {
        let text = "domain{ h : 0,1000000; l : -5 , 5; };\n// half and half\n\
             usageProfile{ h<10 && l == 0 : 30/100; h >= 10 : 0.7; };\n";
        let read = Profile::read("p", text).unwrap();
        assert_eq!(read.domains, [("h".to_string(), (0, 1_000_000)), ("l".to_string(), (-5, 5))]);
        assert_eq!(read.conditions().collect::<Vec<_>>(), ["h<10 && l == 0", "h >= 10"]);
        assert_eq!(read.regions[1].1.to_string(), "7/10");
        assert!(Profile::read("p", "domain{h:0,9;};usageProfile{h==h:100/100;};").is_ok());
        assert!(Profile::read("p", "usageProfile{h==h:1;}").is_ok(), "domains may be ranges of types");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let wrong = |text: &str| Profile::read("p", text).unwrap_err().to_string();
        assert_eq!(wrong(""), "p:1:1: no region of a usageProfile is given");
        assert_eq!(wrong("domian{"), "p:1:1: \"domian\" is no section; there are domain and usageProfile");
        assert_eq!(wrong("domain{ x : 5,4; };"), "p:1:15: the range 5,4 of \"x\" is empty");
        assert_eq!(wrong("domain{ x : 5; };"), "p:1:14: \",\" is expected after the least value, not \";\"");
        assert_eq!(wrong("domain{\n x : a,4; };"), "p:2:6: \"a\" is no whole number of 64 bits");
        assert_eq!(wrong("domain{ x : 1,4; x : 1,2; };"), "p:1:18: \"x\" has a range already");
        assert_eq!(wrong("domain{ x y : 1,4; };"), "p:1:9: \"x y\" is no name of an input");
        assert_eq!(
            wrong("usageProfile{ x==x : 3/0; };"),
            "p:1:22: \"3/0\" is no probability; write 30/100 or 0.3"
        );
        assert_eq!(wrong("usageProfile{ x==x : 3/2; };"), "p:1:22: \"3/2\" is more than 1");
        assert_eq!(
            wrong("usageProfile{ x<1 : 0.5; x>=1 : 1/3; };"),
            "p:1:1: the probabilities add up to 5/6, not to 1"
        );
        assert_eq!(
            wrong("usageProfile{ x<1 : 0.5"),
            "p:1:24: \";\" is expected after a probability, not the end of the file"
        );
        assert_eq!(wrong("usageProfile{ : 1; }"), "p:1:15: a condition is expected");
        assert_eq!(wrong("domain{x:0,1;}; domain{y:0,1;};"), "p:1:17: there is a section domain already");
    }
}
