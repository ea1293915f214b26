//! The lines of a picture: from the link in one box to another box.
//!
//! Lines between neighbours on a level are straight, lines to the next level are curves, lines to others on
//! the same level run below the boxes (forward) or above them (back), each in a lane of its own. A line over
//! more than one level is a curve behind the boxes.

use super::layout::{BACKS, LINKS, Layout, Spot, row};
use super::picture::{Holds, Known, Picture, Role};
use super::svg::cells;

/// Between levels, if nothing else needs room.
const GAP: f64 = 46.0;
/// Between lanes.
const LANE: f64 = 9.0;
/// The first lane's distance from the boxes.
const FIRST: f64 = 16.0;
/// Length of an arrow's tip.
const TIP: f64 = 7.0;

/// How a line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stroke {
    /// Full.
    Forward,
    /// Thin.
    Back,
}

/// A line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// As `d` of a path.
    pub path: String,
    /// Its arrow, as `d` of a path.
    pub tip: Option<String>,
    /// How it looks.
    pub stroke: Stroke,
    /// How what it shows is known.
    pub known: Known,
}

/// The lines, and where the levels are.
pub(super) struct Lines {
    /// The lines.
    pub all: Vec<Line>,
    /// Tops of the levels.
    pub tops: Vec<f64>,
    /// How high all is.
    pub height: f64,
}

/// A link to be drawn.
struct Link {
    from: usize,
    /// Left side and width of its cell.
    cell: (f64, f64),
    /// At which end of its row it is.
    ends: (bool, bool),
    role: Role,
    known: Known,
    holds: Holds,
}

/// An arc along a level.
struct Arc {
    link: usize,
    level: usize,
    above: bool,
    span: (f64, f64),
    lane: usize,
}

struct Drawing<'p> {
    layout: &'p Layout,
    links: Vec<Link>,
    tops: Vec<f64>,
}

/// The lines of a picture; `edge` is the room above and below.
pub(super) fn lines(picture: &Picture, layout: &Layout, edge: f64) -> Lines {
    let links = links(picture, layout);
    let mut arcs = arcs(&links, layout);
    let levels = layout.heights.len();
    let mut room = vec![(0, 0); levels];
    lanes(&mut arcs, &mut room);
    let mut tops = Vec::new();
    let mut y = 0.0;
    for level in 0..levels {
        let (above, below) = (room[level].0 as f64, level.checked_sub(1).map_or(0.0, |l| room[l].1 as f64));
        let lanes = (above + below) * LANE;
        y += if level == 0 { if above > 0.0 { FIRST + lanes } else { edge * 0.6 } } else { GAP + lanes };
        tops.push(y);
        y += layout.heights[level];
    }
    let below = room.last().map_or(0.0, |room| room.1 as f64);
    let height = y + edge + if below > 0.0 { below * LANE } else { 0.0 };
    let drawing = Drawing { layout, links, tops };
    let mut all = Vec::new();
    for (at, link) in drawing.links.iter().enumerate() {
        let Holds::Node(to) = link.holds else {
            all.push(drawing.stub(link));
            continue;
        };
        let arc = arcs.iter().find(|arc| arc.link == at);
        let line = match arc {
            Some(arc) => drawing.arc(link, to, arc),
            None => drawing.line(link, to),
        };
        all.push(line);
    }
    // Back lines first: the others are drawn over them.
    all.sort_by_key(|line| line.stroke == Stroke::Forward);
    Lines { all, tops: drawing.tops, height }
}

fn links(picture: &Picture, layout: &Layout) -> Vec<Link> {
    let mut links = Vec::new();
    for (from, node) in picture.nodes.iter().enumerate() {
        let spot = &layout.spots[from];
        for is_back in [false, true] {
            let fields = row(node, is_back);
            let last = fields.len().saturating_sub(1);
            for (at, (field, cell)) in fields.iter().zip(cells(node, is_back, spot.x, spot.width)).enumerate()
            {
                links.push(Link {
                    from,
                    cell,
                    ends: (at == 0, at == last),
                    role: field.role,
                    known: field.known,
                    holds: field.holds.clone(),
                });
            }
        }
    }
    links
}

/// Whether no box stands between two of one level.
fn are_neighbours(layout: &Layout, left: &Spot, right: &Spot) -> bool {
    let between = |spot: &Spot| spot.level == left.level && spot.x > left.x && spot.x < right.x;
    left.x < right.x && !layout.spots.iter().any(between)
}

/// Whether a link is a straight line to a neighbour.
fn is_straight(layout: &Layout, link: &Link, to: usize) -> bool {
    let (from, to) = (&layout.spots[link.from], &layout.spots[to]);
    match link.role {
        Role::On => link.ends.1 && from.level == to.level && are_neighbours(layout, from, to),
        Role::Back => link.ends.0 && from.level == to.level && are_neighbours(layout, to, from),
        _ => false,
    }
}

fn arcs(links: &[Link], layout: &Layout) -> Vec<Arc> {
    let mut arcs = Vec::new();
    for (at, link) in links.iter().enumerate() {
        let Holds::Node(to) = link.holds else { continue };
        let (from, target) = (&layout.spots[link.from], &layout.spots[to]);
        if from.level != target.level || to == link.from || is_straight(layout, link, to) {
            continue;
        }
        let (start, end) = (link.cell.0 + link.cell.1 / 2.0, target.middle());
        let span = (start.min(end) - 8.0, start.max(end) + 8.0);
        arcs.push(Arc { link: at, level: from.level, above: link.role == Role::Back, span, lane: 0 });
    }
    arcs
}

/// Gives each arc a lane: short ones are nearer to the boxes.
fn lanes(arcs: &mut [Arc], room: &mut [(usize, usize)]) {
    arcs.sort_by(|a, b| (a.span.1 - a.span.0).total_cmp(&(b.span.1 - b.span.0)));
    for at in 0..arcs.len() {
        let meets = |other: &Arc, own: &Arc| {
            other.level == own.level
                && other.above == own.above
                && other.span.0 < own.span.1
                && own.span.0 < other.span.1
        };
        let lane =
            arcs[..at].iter().filter(|other| meets(other, &arcs[at])).map(|other| other.lane + 1).max();
        arcs[at].lane = lane.unwrap_or(0);
        let room = &mut room[arcs[at].level];
        let side = if arcs[at].above { &mut room.0 } else { &mut room.1 };
        *side = (*side).max(arcs[at].lane + 1);
    }
}

impl Drawing<'_> {
    fn top(&self, node: usize) -> f64 {
        self.tops[self.layout.spots[node].level]
    }

    fn bottom(&self, node: usize) -> f64 {
        self.top(node) + self.layout.heights[self.layout.spots[node].level]
    }

    /// Where a link's line begins if it leaves the box below or above.
    fn start(&self, link: &Link) -> (f64, f64) {
        let x = link.cell.0 + link.cell.1 / 2.0;
        (x, if link.role == Role::Back { self.top(link.from) } else { self.bottom(link.from) })
    }

    /// A link that holds no node.
    fn stub(&self, link: &Link) -> Line {
        let (x, y) = self.start(link);
        let is_open = link.holds != Holds::Null;
        let spot = &self.layout.spots[link.from];
        let path = match link.role {
            Role::On if link.ends.1 => {
                let (x, y) = (spot.right(), y - LINKS / 2.0);
                if is_open { format!("M{x:.1} {y:.1}h14") } else { format!("M{x:.1} {y:.1}h9m0 -5v10") }
            }
            Role::Back if is_open => format!("M{x:.1} {y:.1}v-9"),
            Role::Back => format!("M{:.1} {y:.1}v-6m-4 0h8", link.cell.0 + 10.0),
            _ if is_open => format!("M{x:.1} {y:.1}v13"),
            _ => format!("M{x:.1} {y:.1}v8m-5 0h10"),
        };
        self.finished(link, path, None)
    }

    fn finished(&self, link: &Link, path: String, tip: Option<String>) -> Line {
        let stroke = if link.role == Role::Back { Stroke::Back } else { Stroke::Forward };
        Line { path, tip, stroke, known: link.known }
    }

    /// A line along a level, around the boxes.
    fn arc(&self, link: &Link, to: usize, arc: &Arc) -> Line {
        let (x, y) = self.start(link);
        let sign = if arc.above { -1.0 } else { 1.0 };
        let lane = y + sign * (FIRST + arc.lane as f64 * LANE - 5.0);
        let spot = &self.layout.spots[to];
        // Nearer to the side it comes from, so that opposite lines do not meet.
        let toward = if x < spot.middle() { -1.0 } else { 1.0 };
        let end = spot.middle() + toward * (6.0 + 5.0 * arc.lane as f64).min(spot.width / 2.0 - 6.0);
        let across = if end > x { 1.0 } else { -1.0 };
        let round = 6.0_f64.min((end - x).abs() / 2.0);
        let path = format!(
            "M{x:.1} {y:.1}V{:.1}Q{x:.1} {lane:.1} {:.1} {lane:.1}H{:.1}\
             Q{end:.1} {lane:.1} {end:.1} {:.1}V{:.1}",
            lane - sign * round,
            x + across * round,
            end - across * round,
            lane - sign * round,
            y + sign * (TIP - 1.0)
        );
        self.finished(link, path, Some(tip((end, y), (0.0, -sign))))
    }

    fn line(&self, link: &Link, to: usize) -> Line {
        let (from, target) = (&self.layout.spots[link.from], &self.layout.spots[to]);
        let (x, y) = self.start(link);
        if to == link.from {
            return self.own(link);
        }
        if is_straight(self.layout, link, to) {
            let (start, end, sign, y) = if link.role == Role::On {
                (from.right(), target.x, 1.0, y - LINKS / 2.0)
            } else {
                (from.x, target.right(), -1.0, y + BACKS / 2.0)
            };
            let path = format!("M{start:.1} {y:.1}H{:.1}", end - sign * (TIP - 1.0));
            return self.finished(link, path, Some(tip((end, y), (sign, 0.0))));
        }
        let is_back = link.role == Role::Back;
        let down = target.level > from.level;
        if is_back != down {
            // To the side that is seen from here.
            let (end, sign) = if down { (self.top(to), 1.0) } else { (self.bottom(to), -1.0) };
            let at = self.entry(link, to, x);
            // Beside the line that it undoes, all the way.
            let x = if is_back { x + if x < target.middle() { -11.0 } else { 11.0 } } else { x };
            // Straight at both ends, so that a line there and the line back run side by side.
            let (leave, stop) = (y + sign * (TIP - 1.0), end - sign * (TIP - 1.0));
            let bend = ((stop - leave).abs() * 0.55).max(18.0) * sign;
            let path = format!(
                "M{x:.1} {y:.1}V{leave:.1}C{x:.1} {:.1} {at:.1} {:.1} {at:.1} {stop:.1}",
                leave + bend,
                stop - bend
            );
            return self.finished(link, path, Some(tip((at, end), (0.0, sign))));
        }
        self.around(link, to, (x, y))
    }

    /// Where on its side a line between levels ends.
    fn entry(&self, link: &Link, to: usize, x: f64) -> f64 {
        let target = &self.layout.spots[to];
        // A line back ends beside the link that it undoes, another one in the middle.
        let undone =
            self.links.iter().find(|other| other.from == to && other.holds == Holds::Node(link.from));
        let clamp = |at: f64| at.clamp(target.x + 6.0, target.right() - 6.0);
        match (link.role, undone) {
            (Role::Back, Some(other)) => {
                let (left, width) = other.cell;
                clamp(left + width / 2.0 + if x < target.middle() { -11.0 } else { 11.0 })
            }
            (Role::Back, None) => clamp(x),
            _ => {
                let tree = |other: &&Link| other.holds == Holds::Node(to) && other.role != Role::Back;
                let before =
                    self.links.iter().filter(tree).take_while(|other| !std::ptr::eq(*other, link)).count();
                clamp(target.middle() + if before == 0 { 0.0 } else { 10.0 * before as f64 })
            }
        }
    }

    /// A line to a level on the other side of its box: around to the side of the other.
    fn around(&self, link: &Link, to: usize, (x, y): (f64, f64)) -> Line {
        let target = &self.layout.spots[to];
        let out = if link.role == Role::Back { -40.0 } else { 40.0 };
        let (end, sign) = if x >= target.middle() { (target.right(), 1.0) } else { (target.x, -1.0) };
        let level = (self.top(to) + self.bottom(to)) / 2.0;
        let stop = end + sign * (TIP - 1.0);
        let path = format!(
            "M{x:.1} {y:.1}C{x:.1} {:.1} {:.1} {level:.1} {stop:.1} {level:.1}",
            y + out,
            stop + sign * 60.0
        );
        self.finished(link, path, Some(tip((end, level), (-sign, 0.0))))
    }

    /// A line to the box that it comes from.
    fn own(&self, link: &Link) -> Line {
        let spot = &self.layout.spots[link.from];
        let (x, y) = self.start(link);
        let right = spot.right();
        if link.role == Role::Back {
            let at = y + BACKS / 2.0;
            let path =
                format!("M{x:.1} {y:.1}V{:.1}H{:.1}V{at:.1}H{:.1}", y - 9.0, right + 10.0, right + TIP - 1.0);
            return self.finished(link, path, Some(tip((right, at), (-1.0, 0.0))));
        }
        let at = y - LINKS - 6.0;
        let path =
            format!("M{x:.1} {y:.1}V{:.1}H{:.1}V{at:.1}H{:.1}", y + 9.0, right + 14.0, right + TIP - 1.0);
        self.finished(link, path, Some(tip((right, at), (-1.0, 0.0))))
    }
}

/// An arrow's tip that ends at a point, in a direction.
fn tip((x, y): (f64, f64), (dx, dy): (f64, f64)) -> String {
    let (bx, by) = (x - dx * TIP, y - dy * TIP);
    let (sx, sy) = (dy * 3.5, dx * 3.5);
    format!("M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}Z", bx + sx, by + sy, bx - sx, by - sy)
}
