//! The toy language writes JSON, HTML, SARIF and Markdown by the sinks that Java has.

use crate::programs::{RANGE, count, explore, run, store, ways};
use crate::toy::{Code, Function, Toy, ToyFrontend, ToyProgram};
use evergreen_deciding::probability::Measure;
use evergreen_explore::{Bounds, Old, Options};
use evergreen_service::report::html::{About, grouped};
use evergreen_service::report::{
    Again, Cell, JsonLines, Markdown, More, Page, RunEnd, Sarif, Shown, Table, TestNames, TextReport, line,
    suite,
};
use evergreen_service::{
    Campaign, Detail, Divergence, Finding, Keeping, PathLines, Replayer, Sink, SuiteOptions, SuiteSize,
    Suites, Team, Telling, TestId, Totals, with_workers,
};
use evergreen_suite::Update;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How a run is made.
#[derive(Default)]
struct Setting<'s> {
    /// Whether probabilities are counted.
    measure: Option<Measure>,
    /// Threads, if there are several.
    threads: usize,
    /// Where suites are kept.
    folder: Option<&'s Path>,
    /// What replays the tests: another version of the program diverges.
    replayer: Option<ToyProgram>,
}

/// How a run ended.
struct Ended {
    totals: Totals<Toy>,
    divergences: Vec<Divergence<Toy>>,
    suite: Option<Update>,
    more: More,
}

impl Ended {
    fn end(&self) -> RunEnd<'_, Toy> {
        let Ended { totals, divergences, suite, more } = self;
        RunEnd { totals, divergences, suite: suite.as_ref(), more }
    }
}

/// Runs a program, and shows it to sinks.
fn report(program: &ToyProgram, setting: Setting<'_>, sinks: &mut [&mut dyn Sink<ToyFrontend>]) -> Ended {
    let shared = store();
    let make = || {
        let mut exploration = explore(program, &shared);
        if let Some(measure) = &setting.measure {
            exploration.measure(measure.clone()).map_err(|e| e.to_string())?;
        }
        Ok(exploration)
    };
    let suites = setting.folder.map(|folder| {
        let (folder, old) = (folder.to_path_buf(), Old::TrustNothing);
        let (size, keeping, sources) = (SuiteSize::Paths, Keeping::Updated, ());
        let options = SuiteOptions { folder, old, is_whole: true, between: None, size, sources, keeping };
        Suites::open(options, program, &program.0).expect("no flaw").0
    });
    let mut replayer = setting.replayer.unwrap_or_else(|| program.clone());
    let mut campaign = Campaign::new(&make, &|_| (), suites, Some(&mut replayer as &mut dyn Replayer<Toy>));
    let bounds = Bounds { depth: Some(40), ..Bounds::default() };
    (campaign.inputs, campaign.options) = (RANGE, Options { bounds, ..Options::default() });
    if setting.threads > 1 {
        let lines = Some(PathLines { write: line::line::<Toy>, beside: Detail::Brief });
        campaign.telling = Telling { lines, ..Telling::default() };
    }
    let mut all = |mut team: Team<'_, ToyFrontend>| {
        for function in &program.0 {
            campaign.entry(&mut team, function, sinks).expect("it is written");
        }
        campaign.replay();
        campaign.finish(&team).expect("suites are written")
    };
    let suite = match setting.threads {
        0 | 1 => all(Team::Alone(Box::new(make().expect("a machine")))),
        threads => with_workers(threads, &make, |workers| all(Team::Many(workers))),
    };
    let divergences = campaign.tests.divergences().to_vec();
    Ended { totals: campaign.totals, divergences, suite, more: more() }
}

/// What a program adds to reports.
fn more() -> More {
    let row =
        |name: &str, n| vec![Cell::Code(name.into(), "a < b".into()), Cell::Number(n), Cell::Share(1, 4)];
    More {
        fields: [("coverage".to_string(), json!({ "jumps": 3 }))].into_iter().collect(),
        cards: vec![(grouped(1_234), "jumps")],
        tables: vec![Table { head: vec!["function", "jumps", "taken"], rows: vec![row("<count>", 5_000)] }],
        facts: vec!["they take 3 jumps".into()],
        ..More::default()
    }
}

fn again() -> Again<Toy> {
    Again::by(|function: &Function, finding: &Finding<Toy>| format!("toy {function} {}", finding.end.number))
}

/// The events of a run.
fn events(program: &ToyProgram, setting: Setting<'_>) -> Vec<Value> {
    let mut lines = JsonLines::new(Vec::new(), again());
    let ended = report(program, setting, &mut [&mut lines]);
    for divergence in &ended.divergences {
        lines.divergence(divergence).expect("memory takes it");
    }
    let text = String::from_utf8(lines.finish(&ended.end()).expect("memory takes it")).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn of<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn a_run_is_reported_as_json() {
    let program = count("3");
    let function = &program.0[0];
    let all = events(&program, Setting::default());
    let paths = of(&all, "path");
    assert_eq!(paths.len(), ways(function));
    for (number, path) in (1..).zip(&paths) {
        let input = |name: &str| path["inputs"][name].as_i64().expect("a number");
        let ended = match (&path["outcome"], &path["exception"]) {
            (outcome, Value::Null) if outcome == "returned" => format!("returns {}", path["value"]),
            (_, class) => format!("fails {}", class.as_str().expect("a failure")),
        };
        assert_eq!(run(function, &[("n", input("n")), ("m", input("m"))]).1, ended, "{path}");
        assert_eq!((&path["method"], &path["number"]), (&json!("count"), &json!(number)));
        assert!(path.get("objects").is_none(), "{path}");
    }
    let failing = paths.iter().filter(|path| path["exception"] == "small").count();
    let [finding] = of(&all, "finding")[..] else { panic!("{all:?}") };
    assert_eq!((&finding["what"], &finding["exception"]), (&json!("failure"), &json!("small")));
    assert_eq!((&finding["paths"], &finding["objects"]), (&json!(failing), &json!([])));
    assert_eq!(finding["again"], format!("toy count {}", finding["path"]));
    let summary = all.last().expect("a summary");
    assert_eq!((&summary["event"], &summary["methods"]), (&json!("summary"), &json!(1)));
    assert_eq!((&summary["paths"], &summary["findings"]), (&json!(paths.len()), &json!(1)));
    assert_eq!((&summary["complete"], &summary["bounds"]), (&json!(true), &json!({})));
    assert_eq!((&summary["replayed"], &summary["divergences"]), (&json!(paths.len()), &json!(0)));
    assert_eq!(summary["coverage"], json!({ "jumps": 3 }), "what the program adds");
    assert!(summary.get("heap").is_none(), "only Java has heaps: {summary}");
}

/// The threads that find paths write the lines, and the lines are the same.
#[test]
fn two_threads_write_the_same_json() {
    let program = count("3");
    let without_time = |events: Vec<Value>| -> Vec<Value> {
        events.into_iter().filter(|event| event["event"] != "summary").collect()
    };
    let alone = without_time(events(&program, Setting::default()));
    let two = without_time(events(&program, Setting { threads: 2, ..Setting::default() }));
    assert_eq!(alone, two);
    assert_eq!(alone.len(), ways(&program.0[0]) + 1);
}

/// Tests of one version that another one replays diverge; a suite over an edit is in the summary.
#[test]
fn divergences_and_suites_are_reported_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = |program: &ToyProgram| {
        let setting = Setting { folder: Some(folder.path()), ..Setting::default() };
        events(program, setting).pop().expect("a summary")["suite"].clone()
    };
    let (first, edited) = (count("3"), count("5"));
    assert_eq!(kept(&first)["new"].as_array().map(Vec::len), Some(ways(&first.0[0])));
    let update = kept(&edited);
    let many = |name: &str| update[name].as_array().expect("a list").len() as u64;
    let known = update["kept"].as_u64().expect("a number") + many("moved") + many("retired");
    assert_eq!(known, ways(&first.0[0]) as u64, "{update}");
    assert!(many("moved") + many("new") > 0, "{update}");

    let all = events(&first, Setting { replayer: Some(edited.clone()), ..Setting::default() });
    let diverging = of(&all, "divergence");
    assert!(!diverging.is_empty());
    for divergence in &diverging {
        let input = |name: &str| divergence["inputs"][name].as_i64().expect("a number");
        let inputs = [("n", input("n")), ("m", input("m"))];
        assert_eq!(divergence["test"], "count");
        assert_eq!(divergence["what"], run(&edited.0[0], &inputs).1, "{divergence}");
    }
    assert_eq!(all.last().expect("a summary")["divergences"], json!(diverging.len()));
}

#[test]
fn probabilities_are_reported_as_json() {
    let program = count("3");
    let all = events(&program, Setting { measure: Some(Measure::default()), ..Setting::default() });
    let [event] = of(&all, "probability")[..] else { panic!("{all:?}") };
    let function = &program.0[0];
    let inputs = crate::programs::all(function);
    let failing = inputs.iter().filter(|(_, end)| end == "fails small").count() as f64 / inputs.len() as f64;
    let is_failing = |outcome: &&Value| outcome["outcome"] == "throws small";
    let outcomes = event["outcomes"].as_array().expect("outcomes");
    let outcome = outcomes.iter().find(is_failing).expect("it fails");
    let decimal: f64 =
        outcome["probability"]["decimal"].as_str().expect("a decimal").parse().expect("a number");
    assert!((decimal - failing).abs() < 1e-9, "{outcome} is not {failing}");
    assert_eq!((&event["exact"], &event["sum"]["exact"]), (&json!(true), &json!("1")));
    assert!(of(&all, "path").iter().all(|path| path["probability"]["exact"].is_string()));
}

#[test]
fn a_run_is_reported_as_a_page() {
    let mut program = count("3");
    program.0[0].code[7] = Code::Fail("m < 3 & n");
    let paths = ways(&program.0[0]);
    let about = About { title: "toy <1>".into(), ..About::default() };
    let mut page = Page::new(about, again());
    let setting =
        Setting { measure: Some(Measure::default()), replayer: Some(count("5")), ..Setting::default() };
    let ended = report(&program, setting, &mut [&mut page]);
    let names = TestNames([(TestId(0), "first_test".to_string())].into_iter().collect());
    let text = page.render(&ended.end(), &names);
    let has = |what: &str| assert!(text.contains(what), "{what} is not in\n{text}");
    has("<title>toy &lt;1&gt;: explored</title>");
    has(&format!("1 finding</span> on {paths} paths of 1 function, <span class=\"good\">all paths explored"));
    has("<h2 id=\"functions\">Functions</h2>");
    has("<h3>m &lt; 3 &amp; n<span");
    has("<dt>again</dt><dd><code>toy count ");
    has("<h2>Divergences from the replay ");
    has("<h4>Probabilities</h4>");
    has("<td><code>first_test</code></td>");
    has("<b>1,234</b><span>jumps</span>");
    has("<th>function</th><th class=\"n\">jumps</th><th>taken</th>");
    has("<td><code>&lt;count&gt;</code><div class=\"note\">a &lt; b</div></td><td class=\"n\">5,000</td>");
    has("<i style=\"width:25%\"></i></span> 1/4</td>");
    assert_eq!(text.matches("<tr class=\"f").count(), paths, "a row for each path");
    assert!(!text.contains("m < 3") && !text.contains("<svg") && !text.contains("<script"));
    assert!(!text.contains("class=\"command\""), "no command is known");
}

#[test]
fn findings_are_reported_as_sarif_and_markdown() {
    let program = count("3");
    let mut sarif = Sarif::new(again()).locating(|_, _| (Some(PathBuf::from("a b.toy")), Some(7)));
    let (mut bare, mut markdown) = (Sarif::new(Again::default()), Markdown::default());
    let mut lines = JsonLines::new(Vec::new(), Again::default());
    let ended = report(&program, Setting::default(), &mut [&mut sarif, &mut bare, &mut markdown, &mut lines]);
    let text = String::from_utf8(lines.finish(&ended.end()).expect("memory takes it")).expect("text");
    let is_finding = |line: &&str| line.contains("\"event\":\"finding\"");
    let finding: Value = serde_json::from_str(text.lines().find(is_finding).expect("one")).expect("JSON");
    let inputs = format!("n = {}, m = {}", finding["inputs"]["n"], finding["inputs"]["m"]);
    let paths = &finding["paths"];
    assert_eq!(finding["again"], Value::Null, "no command is known");
    let (log, plain) = (sarif.log(&ended.end()), bare.log(&ended.end()));
    let text = markdown.text(&ended.end());
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&log["version"], &result["ruleId"]), (&json!("2.1.0"), &json!("small")));
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));
    let message = result["message"]["text"].as_str().expect("a message");
    assert!(message.starts_with(&format!("count throws small with {inputs}\ntoy count ")), "{message}");
    assert_eq!(result["partialFingerprints"]["evergreen/v1"], "small in  from toy.count #1");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.toy");
    assert_eq!(place["region"]["startLine"], 7);
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["shortDescription"]["text"], "small ends a function for some input");
    let plain = &plain["runs"][0]["results"][0];
    assert_eq!(plain["message"]["text"], format!("count throws small with {inputs}"));
    assert!(plain["locations"][0].get("physicalLocation").is_none(), "no place is known: {plain}");
    assert!(text.starts_with("## Evergreen: 1 finding\n"), "{text}");
    assert!(text.contains("| function | throws | severity | at | inputs | paths |"), "{text}");
    assert!(text.contains("\n| `count` | `small` | assertion | "), "{text}");
    assert!(text.contains(&format!(" | `{inputs}` | {paths} |\n")), "{text}");
    assert!(text.contains("- they take 3 jumps\n"), "{text}");
}

/// What changed in a suite, in words.
#[test]
fn changes_of_suites_are_reported_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = |program: &ToyProgram| {
        let setting = Setting { folder: Some(folder.path()), ..Setting::default() };
        let ended = report(program, setting, &mut []);
        let update = ended.suite.as_ref().expect("a suite is kept");
        suite::lines(update, &ended.totals, Path::new("kept"), suite::Listed::All)
    };
    let first = words(&count("3"));
    let paths = ways(&count("3").0[0]);
    assert_eq!(first[0], format!("suite kept: kept 0, moved 0, retired 0, new {paths}"));
    assert_eq!(first.iter().filter(|line| line.starts_with("  new      ")).count(), paths);
    let second = words(&count("3"));
    assert_eq!(second[0], format!("suite kept: kept {paths}, moved 0, retired 0, new 0"));
    assert!(second[1].contains(" answered by tests, "), "{second:?}");
}

/// A failure that is not looked for is noted in every report, and is no finding.
#[test]
fn failures_that_are_not_looked_for_are_noted() {
    let mut program = count("3");
    program.0[0].code[7] = Code::Fail("declared");
    let (mut sarif, mut markdown) = (Sarif::new(Again::default()), Markdown::default());
    let mut page = Page::new(About::default(), Again::default());
    let mut lines = JsonLines::new(Vec::new(), Again::default());
    let mut text = TextReport::new(Vec::new(), Shown::Incomplete);
    let sinks: &mut [&mut dyn Sink<ToyFrontend>] =
        &mut [&mut sarif, &mut markdown, &mut page, &mut lines, &mut text];
    let ended = report(&program, Setting::default(), sinks);
    assert_eq!((ended.totals.findings, ended.totals.noted.total()), (0, 1));
    let lines = String::from_utf8(lines.finish(&ended.end()).expect("memory takes it")).expect("text");
    assert!(lines.contains("\"event\":\"noted\"") && !lines.contains("\"event\":\"finding\""), "{lines}");
    let result = &sarif.log(&ended.end())["runs"][0]["results"][0];
    assert_eq!((&result["level"], &result["properties"]["severity"]), (&json!("note"), &json!("declared")));
    let text = String::from_utf8(text.finish(&ended.totals).expect("memory takes it")).expect("text");
    assert!(text.contains("  throws declared, as intended,") && !text.contains("FOUND"), "{text}");
    let beside = "failures beside, which are no findings: 1 declared";
    let page = page.render(&ended.end(), &TestNames::default());
    for all in [&text, &markdown.text(&ended.end()), &page] {
        assert!(all.contains(beside), "{all}");
    }
}
