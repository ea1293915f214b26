//! Where the boxes of a picture go: on levels, a child below its parent, the next of a list to the right.
//!
//! Boxes are placed along a spanning forest, found depth first in the order of the fields, so that `next` of
//! a list comes before `last` of its header, and left is left. A box stands over the middle of its children;
//! what leads on begins a block to the right of all that. Blocks do not share columns, which is wider than it
//! must be [Reingold Tilford TSE'81], but keeps lines that belong together short. All boxes of a level are
//! equally high: lines between levels meet no text.

use super::picture::{Field, Holds, Node, Picture, Role};

/// Width of a letter of the font, of 12 and of 10 pixels.
pub(super) const LETTER: f64 = 7.25;
/// The same for the names of links.
pub(super) const SMALL_LETTER: f64 = 6.05;
/// Height of the heading.
pub(super) const HEADING: f64 = 22.0;
/// Height of a plain field.
pub(super) const LINE: f64 = 16.0;
/// Height of the links below.
pub(super) const LINKS: f64 = 20.0;
/// Height of the links back, above.
pub(super) const BACKS: f64 = 16.0;
const PAD: f64 = 8.0;
const BETWEEN: f64 = 26.0;
const BETWEEN_LIST: f64 = 40.0;
const EMPTY: f64 = 34.0;

/// A box.
#[derive(Clone, Debug, Default)]
pub(super) struct Spot {
    /// Its left side.
    pub x: f64,
    /// Its width.
    pub width: f64,
    /// Its level.
    pub level: usize,
}

impl Spot {
    /// Its right side.
    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Its middle.
    pub(super) fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }
}

/// Where the boxes are.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// By node.
    pub spots: Vec<Spot>,
    /// Heights of the boxes of each level.
    pub heights: Vec<f64>,
    /// How wide all is.
    pub width: f64,
}

/// A node and what hangs from it: how wide, where the node's middle is, and where the left sides of its boxes
/// are.
#[derive(Default)]
struct Block {
    width: f64,
    middle: f64,
    boxes: Vec<(usize, f64)>,
}

impl Block {
    /// Puts another one to the right; where its middle is now.
    fn append(&mut self, other: Block, gap: f64) -> f64 {
        let by = if self.boxes.is_empty() && self.width == 0.0 { 0.0 } else { self.width + gap };
        self.boxes.extend(other.boxes.into_iter().map(|(node, x)| (node, x + by)));
        self.width = by + other.width;
        by + other.middle
    }

    fn shift(&mut self, by: f64) {
        self.boxes.iter_mut().for_each(|(_, x)| *x += by);
        self.width += by;
    }
}

/// Places the boxes.
pub(super) fn layout(picture: &Picture) -> Layout {
    let mut forest = Forest {
        picture,
        children: vec![Vec::new(); picture.nodes.len()],
        levels: vec![None; picture.nodes.len()],
    };
    let roots = forest.span();
    let mut all = Block::default();
    for root in roots {
        let block = forest.block(root);
        all.append(block, BETWEEN_LIST);
    }
    let mut spots: Vec<Spot> = picture
        .nodes
        .iter()
        .zip(&forest.levels)
        .map(|(node, level)| Spot { x: 0.0, width: width(node), level: level.unwrap_or(0) })
        .collect();
    for (node, x) in all.boxes {
        spots[node].x = x;
    }
    let mut heights = Vec::new();
    for (node, spot) in picture.nodes.iter().zip(&spots) {
        if heights.len() <= spot.level {
            heights.resize(spot.level + 1, 0.0);
        }
        heights[spot.level] = f64::max(heights[spot.level], height(node));
    }
    Layout { spots, heights, width: all.width }
}

struct Forest<'p> {
    picture: &'p Picture,
    /// Children in the spanning forest, with the way there.
    children: Vec<Vec<(usize, Role)>>,
    levels: Vec<Option<usize>>,
}

impl Forest<'_> {
    /// Finds the forest; its roots.
    fn span(&mut self) -> Vec<usize> {
        let mut roots = Vec::new();
        for start in self.picture.starts() {
            if self.levels[start].is_none() {
                self.levels[start] = Some(0);
                roots.push(start);
                self.visit(start, &[Role::Down, Role::On]);
                // What only back links reach, from wherever they do.
                let reached: Vec<usize> =
                    (0..self.levels.len()).filter(|node| self.levels[*node].is_some()).collect();
                for node in reached {
                    self.visit(node, &[Role::Down, Role::On, Role::Back]);
                }
            }
        }
        roots
    }

    fn visit(&mut self, start: usize, roles: &[Role]) {
        let picture = self.picture;
        // Node, next link to look at.
        let mut stack = vec![(start, 0)];
        while let Some((node, at)) = stack.pop() {
            let Some((field, to)) = picture.links(node).nth(at) else { continue };
            stack.push((node, at + 1));
            let Some(to) = to.filter(|to| self.levels[*to].is_none() && roles.contains(&field.role)) else {
                continue;
            };
            let down = usize::from(field.role == Role::Down);
            self.levels[to] = self.levels[node].map(|level| level + down);
            self.children[node].push((to, field.role));
            stack.push((to, 0));
        }
    }

    fn block(&self, node: usize) -> Block {
        let mut block = Block::default();
        let mut middles = Vec::new();
        if self.children[node].iter().any(|(_, role)| *role == Role::Down) {
            for (field, to) in self.picture.links(node).filter(|(field, _)| field.role == Role::Down) {
                let own = to.filter(|to| self.children[node].contains(&(*to, Role::Down)));
                let is_first = |field: &Field, to: usize| {
                    let before =
                        self.picture.links(node).find(|(f, t)| f.role == Role::Down && *t == Some(to));
                    before.is_some_and(|(f, _)| f.name == field.name)
                };
                match own.filter(|to| is_first(field, *to)) {
                    Some(to) => middles.push(block.append(self.block(to), BETWEEN)),
                    None if matches!(field.holds, Holds::Node(_)) => {}
                    None => {
                        let empty = Block { width: EMPTY, middle: EMPTY / 2.0, boxes: Vec::new() };
                        middles.push(block.append(empty, BETWEEN));
                    }
                }
            }
        }
        let width = width(&self.picture.nodes[node]);
        let middle = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => width / 2.0,
        };
        let left = middle - width / 2.0;
        if left < 0.0 {
            block.shift(-left);
        }
        block.middle = middle.max(width / 2.0);
        block.boxes.push((node, left.max(0.0)));
        block.width = block.width.max(block.middle + width / 2.0);
        for (to, _) in self.children[node].iter().filter(|(_, role)| *role != Role::Down) {
            block.append(self.block(*to), BETWEEN_LIST);
        }
        block
    }
}

/// Links of one kind, from left to right: what leads on is last.
pub(super) fn row(node: &Node, is_back: bool) -> Vec<&Field> {
    let of = |role: Role| node.fields.iter().filter(move |field| field.role == role);
    if is_back { of(Role::Back).collect() } else { of(Role::Down).chain(of(Role::On)).collect() }
}

/// A plain field as it is written.
pub(super) fn plain(field: &Field) -> Option<String> {
    match (&field.holds, field.role) {
        (Holds::Text(text), Role::Plain) => Some(format!("{} = {text}", field.name)),
        (Holds::Null, Role::Plain) => Some(format!("{} = null", field.name)),
        (_, Role::Plain) => Some(format!("{} = ?", field.name)),
        _ => None,
    }
}

/// Width that a link needs.
pub(super) fn link_width(field: &Field) -> f64 {
    let mark = usize::from(matches!(field.holds, Holds::AnyNode | Holds::Any)) * 2;
    letters(&field.name, SMALL_LETTER) + mark as f64 * SMALL_LETTER + 12.0
}

/// Width of a text; letters of the far East are two wide.
pub(super) fn letters(text: &str, each: f64) -> f64 {
    let is_wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xffef | 0x1f300..);
    text.chars().map(|c| if is_wide(c) { 2.0 * each } else { each }).sum()
}

fn width(node: &Node) -> f64 {
    let row = |is_back| row(node, is_back).into_iter().map(link_width).sum::<f64>();
    let labels = node.labels.as_ref().map_or(0.0, |labels| letters(labels, SMALL_LETTER) + PAD);
    let heading = letters(&node.heading(), LETTER) + labels + 2.0 * PAD;
    let plain = node.fields.iter().filter_map(plain).map(|text| letters(&text, LETTER) + 2.0 * PAD);
    plain.fold(heading.max(row(true)).max(row(false)), f64::max).max(56.0).ceil()
}

fn height(node: &Node) -> f64 {
    let has = |is_back| if row(node, is_back).is_empty() { 0.0 } else { 1.0 };
    let plain = node.fields.iter().filter_map(plain).count() as f64;
    let inner = if plain > 0.0 { plain * LINE + 6.0 } else { 0.0 };
    HEADING + inner + has(true) * BACKS + has(false) * LINKS
}
