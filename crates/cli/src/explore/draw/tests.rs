//! Pictures are compared character by character: `UPDATE_EXPECT=1` rewrites them, and the author then looks
//! at them.

use super::layout::layout;
use super::picture::{Field, Holds, Known, MOST_OBJECTS, Node, Paint, Picture, Role};
use super::samples;
use super::svg::{Frame, draw};
use super::{dot::dot, labels, picture, simple};
use evergreen_java::jvm::{Described, FieldShape, InputObject, InputValue, ObjectShape};
use evergreen_java::replay::JavaValue;
use evergreen_java::{How, MethodRef, PathEnd};
use expect_test::{ExpectFile, expect_file};

fn all() -> Vec<Picture> {
    vec![
        samples::bin_tree(),
        samples::red_black(),
        samples::circular_list(),
        samples::binomial_heap(),
        samples::two_roots(),
        samples::from_the_end(),
    ]
}

fn check(picture: &Picture, svg: ExpectFile, text: ExpectFile) {
    svg.assert_eq(&draw(picture, Frame::Alone));
    text.assert_eq(&dot(picture));
}

#[test]
fn pictures_are_as_they_were() {
    let [tree, red_black, list, heap, two, end] = &all()[..] else { panic!("six samples") };
    check(tree, expect_file!["golden/tree.svg"], expect_file!["golden/tree.dot"]);
    check(red_black, expect_file!["golden/red-black.svg"], expect_file!["golden/red-black.dot"]);
    check(list, expect_file!["golden/list.svg"], expect_file!["golden/list.dot"]);
    check(heap, expect_file!["golden/heap.svg"], expect_file!["golden/heap.dot"]);
    check(two, expect_file!["golden/two-roots.svg"], expect_file!["golden/two-roots.dot"]);
    check(end, expect_file!["golden/from-the-end.svg"], expect_file!["golden/from-the-end.dot"]);
}

/// Whether tags are balanced and nothing is left that had to be escaped; HTML's `meta` needs no end.
pub(crate) fn well_formed(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let inner = &rest[at + 1..];
        let end = inner.find('>').ok_or("a tag without an end")?;
        let tag = &inner[..end];
        rest = &inner[end + 1..];
        if tag.contains('<') {
            return Err(format!("a tag in the tag {tag}"));
        }
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or("");
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(closed) {
                return Err(format!("{closed} is not open"));
            }
        } else if !tag.ends_with('/') && !tag.starts_with('!') && name != "meta" {
            open.push(name);
        }
    }
    for (at, _) in text.match_indices('&') {
        let entity = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        if !entity.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err(format!("a bare & before {}", text[at..].chars().take(20).collect::<String>()));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

/// A sequence of numbers that is always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn random(seed: u64) -> Picture {
    let mut numbers = Numbers(seed);
    let count = 1 + numbers.below(12);
    let names = ["left", "next", "parent", "other", "first", "last"];
    let mut nodes = Vec::new();
    for at in 0..count {
        let mut fields = Vec::new();
        for name in names {
            let holds = match numbers.below(6) {
                0 => Holds::Null,
                1 => Holds::AnyNode,
                2 => continue,
                _ => Holds::Node(numbers.below(count)),
            };
            let known = [Known::Read, Known::Added, Known::Unread][numbers.below(3)];
            fields.push(Field::new(name, holds, known));
        }
        if numbers.below(2) == 0 {
            fields.push(Field::new("key", Holds::Text("<&\"'>\u{1}".repeat(numbers.below(9))), Known::Read));
        }
        let class = ["List", "Node"][numbers.below(2)].to_string();
        let roots = if at == 0 || numbers.below(5) == 0 { vec![format!("r{at}")] } else { Vec::new() };
        nodes.push(Node { class, way: format!("r{at}.<x>"), roots, fields, ..Node::default() });
    }
    Picture::new(format!("seed {seed}"), nodes)
}

#[test]
fn boxes_stand_apart_and_lines_stay_within() {
    let pictures = all().into_iter().chain((0..400).map(random));
    for picture in pictures {
        let layout = layout(&picture);
        for (at, one) in layout.spots.iter().enumerate() {
            assert!(one.x >= 0.0 && one.right() <= layout.width + 0.01, "{}", picture.title);
            for other in &layout.spots[at + 1..] {
                let apart = one.right() + 8.0 <= other.x || other.right() + 8.0 <= one.x;
                assert!(one.level != other.level || apart, "{}: boxes overlap", picture.title);
            }
        }
        let svg = draw(&picture, Frame::Alone);
        assert_eq!(well_formed(&svg), Ok(()), "{svg}");
        assert_eq!(well_formed(&draw(&picture, Frame::Inline)), Ok(()));
        // One line for each link, a tip for each that leads somewhere, and nothing but numbers in them.
        let links: Vec<_> = (0..picture.nodes.len()).flat_map(|node| picture.links(node)).collect();
        assert_eq!(svg.matches("<path class=\"line").count(), links.len());
        assert_eq!(
            svg.matches("<path class=\"tip").count(),
            links.iter().filter(|link| link.1.is_some()).count()
        );
        assert_eq!(svg.matches("<g class=\"object").count(), picture.nodes.len());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn what_is_open_or_added_looks_so() {
    let svg = draw(&samples::bin_tree(), Frame::Alone);
    assert_eq!(svg.matches("class=\"link open\"").count(), 3);
    assert_eq!(svg.matches("<path class=\"line open\"").count(), 3);
    assert!(svg.contains(">{5,6}</text>") && svg.contains("dashed, ?: never read"), "{svg}");
    let svg = draw(&samples::red_black(), Frame::Inline);
    assert_eq!(svg.matches("<g class=\"object red\">").count(), 1);
    assert_eq!(svg.matches("<g class=\"object red pale\">").count(), 2);
    assert_eq!(svg.matches("<g class=\"object black\">").count(), 6);
    assert!(svg.contains("<text class=\"open\"") && svg.contains("added to make the input valid"));
    assert!(!svg.contains("<style>"));
}

#[test]
fn left_is_left_and_lists_are_in_line() {
    for picture in [samples::bin_tree(), samples::red_black()] {
        let spots = layout(&picture).spots;
        for (at, node) in picture.nodes.iter().enumerate() {
            for field in &node.fields {
                let Holds::Node(to) = field.holds else { continue };
                match field.name.as_str() {
                    "left" => assert!(spots[to].middle() < spots[at].middle(), "{}", node.way),
                    "right" => assert!(spots[to].middle() > spots[at].middle(), "{}", node.way),
                    _ => continue,
                }
                assert_eq!(spots[to].level, spots[at].level + 1);
            }
        }
    }
    let spots = layout(&samples::circular_list()).spots;
    assert!(spots.iter().all(|spot| spot.level == 0));
    assert!(spots.windows(2).all(|two| two[0].right() < two[1].x));
}

fn role(picture: &Picture, node: usize, name: &str) -> Role {
    picture.nodes[node].fields.iter().find(|field| field.name == name).expect("a field").role
}

#[test]
fn roles_are_found_by_names_and_by_what_fields_do() {
    let list = samples::circular_list();
    assert_eq!([role(&list, 1, "next"), role(&list, 1, "previous")], [Role::On, Role::Back]);
    assert_eq!([role(&list, 0, "header"), role(&list, 1, "element")], [Role::On, Role::Plain]);
    let two = samples::two_roots();
    assert_eq!([role(&two, 0, "first"), role(&two, 4, "[0]")], [Role::Down, Role::Down]);
    // No name is known here: `c` undoes `a` and `b`, and is shared.
    let link = |name: &str, to| Field::new(name, Holds::Node(to), Known::Read);
    let node = |fields| Node { class: "T".into(), way: "x.y".into(), fields, ..Node::default() };
    let nodes =
        || vec![node(vec![link("a", 1), link("b", 2)]), node(vec![link("c", 0)]), node(vec![link("c", 0)])];
    let picture = Picture::new("t".into(), nodes());
    assert_eq!([role(&picture, 0, "a"), role(&picture, 1, "c")], [Role::Down, Role::Back]);
    // An invariant knows better.
    let mut nodes = nodes();
    nodes[1].fields[0].leads_back = Some(false);
    assert_eq!(role(&Picture::new("t".into(), nodes), 1, "c"), Role::Down);
}

#[test]
fn objects_are_numbered_breadth_first() {
    let picture = samples::red_black();
    let numbers: Vec<usize> = picture.nodes.iter().map(|node| node.number).collect();
    assert_eq!(numbers, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(picture.nodes[3].heading(), "Node 2");
    assert_eq!(picture.nodes[0].heading(), "this: TreeSet");
    let shared = samples::two_roots();
    assert_eq!(shared.nodes[3].heading(), "other = another: Pair<A&B>");
}

#[test]
fn of_too_many_objects_the_first_are_drawn() {
    let node = |at: usize| {
        let fields = vec![Field::new("next", Holds::Node((at + 1) % 5_000), Known::Read)];
        let roots = if at == 0 { vec!["this".into()] } else { Vec::new() };
        Node { class: "Cell".into(), way: format!("this.{at}"), roots, fields, ..Node::default() }
    };
    let picture = Picture::new("long".into(), (0..5_000).map(node).collect());
    assert_eq!((picture.nodes.len(), picture.left_out), (MOST_OBJECTS, 5_000 - MOST_OBJECTS));
    let svg = draw(&picture, Frame::Alone);
    assert!(svg.contains("4800 more objects are not drawn") && well_formed(&svg).is_ok());
    assert!(dot(&picture).contains("4800 more objects are not drawn"));
    assert_eq!(draw(&Picture::new("none".into(), Vec::new()), Frame::Inline).matches("<g class").count(), 0);
}

#[test]
fn colours_labels_and_names_are_read_as_people_write_them() {
    let painted = |name: &str, value: &str| {
        let fields = vec![Field::new(name, Holds::Text(value.into()), Known::Read)];
        Node { fields, ..Node::default() }.paint()
    };
    assert_eq!([painted("color", "false"), painted("red", "true")], [Paint::Red, Paint::Red]);
    assert_eq!([painted("colour", "Color.BLACK"), painted("isRed", "false")], [Paint::Black, Paint::Black]);
    assert_eq!([painted("color", "green"), painted("key", "red")], [Paint::None, Paint::None]);
    assert_eq!([labels(0b110), labels(0b1_1111_1110), labels(0)], ["{0,1}", "{0..7}", "{}"]);
    assert_eq!([simple("heap/TreeSet$Node"), simple("[[Lheap/Node;")], ["Node", "Node[][]"]);
    let long = Field::new("s", Holds::Text("x".repeat(99)), Known::Read);
    assert!(matches!(long.holds, Holds::Text(text) if text.chars().count() == 26 && text.ends_with('…')));
}

/// A map of one entry, of which the path has read the root and the key.
fn small_map() -> PathEnd {
    let object = |name: &str, class: &str, fields: Vec<(&str, InputValue)>| InputObject {
        name: name.into(),
        class: class.into(),
        fields: fields.into_iter().map(|(name, value)| (class.into(), name.into(), value)).collect(),
    };
    let plain = InputValue::Plain;
    let map = |more| object("m", "java/util/TreeMap", [vec![("root", InputValue::Object(1))], more].concat());
    let entry = |more| {
        object("m.root", "java/util/TreeMap$Entry", [vec![("key", plain(Described::Int(7)))], more].concat())
    };
    let field = |name: &str, is_reference, leads_back, constants: &[&str]| FieldShape {
        name: name.into(),
        is_reference,
        leads_back,
        constants: constants.iter().map(|name| name.to_string()).collect(),
    };
    let map_shape = vec![
        field("root", true, Some(false), &[]),
        field("keySet", true, None, &[]),
        field("modCount", false, None, &[]),
    ];
    let entry_shape = vec![
        field("up", true, Some(false), &[]),
        field("color", false, None, &["red", "black"]),
        field("key", false, None, &[]),
        field("left", true, Some(false), &[]),
    ];
    let color = plain(Described::Boolean(false));
    PathEnd {
        number: 4,
        position: Vec::new(),
        decisions: Vec::new(),
        seeds: Vec::new(),
        how: How::Exited(3),
        inputs: vec![
            ("m".into(), JavaValue::Ref(0)),
            ("n".into(), JavaValue::Ref(0)),
            ("k".into(), JavaValue::Int(7)),
        ],
        conditions: Vec::new(),
        stops: Vec::new(),
        depth: 0,
        steps: 0,
        sampled: false,
        output: String::new(),
        case: None,
        likelihood: None,
        line: None,
        beyond: evergreen_java::JavaPath {
            objects: vec![
                map(vec![("keySet", plain(Described::Null))]),
                entry(vec![("color", color), ("left", plain(Described::Null))]),
            ],
            read: vec![map(Vec::new()), entry(Vec::new())],
            shapes: vec![
                ObjectShape { fields: map_shape, labels: Some(1) },
                ObjectShape { fields: entry_shape, labels: Some(0b1010) },
            ],
            taken: None,
            saw_choice: evergreen_java::jvm::SawChoice::Nowhere,
        },
    }
}

#[test]
fn what_a_path_has_read_is_distinguished_from_what_was_added() {
    let method = MethodRef {
        class: "a/B".into(),
        name: "f".into(),
        descriptor: "()V".into(),
        is_static: true,
        parameters: Vec::new(),
    };
    let end = small_map();
    let shown = |end: &PathEnd| -> Vec<String> {
        let fields = |node: &Node| {
            let field = |field: &Field| format!("{} {:?} {:?}", field.name, field.holds, field.known);
            node.fields.iter().map(field).collect::<Vec<_>>().join(", ")
        };
        picture(&method, end).nodes.iter().map(fields).collect()
    };
    // The JDK's own fields that no path read are hidden: `modCount`, `keySet`, `up`.
    assert_eq!(
        shown(&end),
        ["root Node(1) Read", "color Text(\"red\") Added, key Text(\"7\") Read, left Null Added"]
    );
    let picture = picture(&method, &end);
    assert_eq!(picture.title, "a.B.f(), path 4: exits with 3 [k = 7]");
    assert_eq!(picture.nodes[0].heading(), "m = n: TreeMap");
    assert_eq!((picture.nodes[1].labels.as_deref(), picture.nodes[1].paint()), (Some("{0,2}"), Paint::Red));
    assert!(picture.nodes.iter().all(|node| !node.added));
    // Of the user's classes they are, in the order of the class.
    let mut own = end.clone();
    own.beyond.objects.iter_mut().for_each(|object| object.class = "mine/Map".into());
    let own = shown(&own);
    assert_eq!(own[0], "root Node(1) Read, keySet Null Added, modCount Any Unread");
    assert!(own[1].starts_with("up AnyNode Unread, color"), "{own:?}");
    // An object that no path read is there for the others.
    let mut end = end;
    end.beyond.read.truncate(1);
    assert!(super::picture(&method, &end).nodes[1].added);
}
