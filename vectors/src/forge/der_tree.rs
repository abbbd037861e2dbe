//! DER taken apart into a tree, edited anywhere, and put together again with lengths that fit.

use super::draw::Draw;
use crate::testkit::der::{self, Length, tlv_with};

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Node {
    tag: u8,
    length: Length,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Octets(Vec<u8>),
    /// Of constructed elements, and of strings whose content is DER by itself.
    Nodes(Vec<Node>),
}

/// The one element that these octets are; `None` when they are not.
pub(super) fn read(octets: &[u8]) -> Option<Node> {
    let (node, rest) = element(octets)?;
    rest.is_empty().then_some(node)
}

fn element(octets: &[u8]) -> Option<(Node, &[u8])> {
    let (&tag, rest) = octets.split_first()?;
    let (&first, mut rest) = rest.split_first()?;
    let mut length = usize::from(first);
    if first >= 0x80 {
        let (digits, after) =
            rest.split_at_checked(usize::from(first & 0x7f)).filter(|(d, _)| d.len() < 4)?;
        length = digits.iter().fold(0, |sum, &digit| sum * 256 + usize::from(digit));
        rest = after;
    }
    let (content, after) = rest.split_at_checked(length)?;
    let nested = tag & 0x20 != 0 || (tag == der::OCTET_STRING && content.len() > 2);
    let nodes = if nested { elements(content) } else { None };
    let content = nodes.map_or_else(|| Content::Octets(content.to_vec()), Content::Nodes);
    Some((Node { tag, length: Length::Minimal, content }, after))
}

fn elements(mut octets: &[u8]) -> Option<Vec<Node>> {
    let mut nodes = Vec::new();
    while !octets.is_empty() {
        let (node, rest) = element(octets)?;
        nodes.push(node);
        octets = rest;
    }
    Some(nodes)
}

impl Node {
    /// The octets.
    pub(super) fn der(&self) -> Vec<u8> {
        let content = match &self.content {
            Content::Octets(octets) => octets.clone(),
            Content::Nodes(nodes) => nodes.iter().flat_map(Self::der).collect(),
        };
        tlv_with(self.tag, self.length, content)
    }

    fn count(&self) -> usize {
        match &self.content {
            Content::Octets(_) => 1,
            Content::Nodes(nodes) => 1 + nodes.iter().map(Self::count).sum::<usize>(),
        }
    }

    fn at(&mut self, place: usize) -> Option<&mut Self> {
        if place == 0 {
            return Some(self);
        }
        let Content::Nodes(nodes) = &mut self.content else { return None };
        let mut place = place - 1;
        for node in nodes {
            let count = node.count();
            if place < count {
                return node.at(place);
            }
            place -= count;
        }
        None
    }

    /// One edit of any element in the tree.
    pub(super) fn edit(&mut self, draw: &mut Draw) {
        let place = draw.below(self.count());
        let Some(node) = self.at(place) else { return };
        match draw.below(10) {
            0 => {
                node.length =
                    draw.pick([Length::Long(1), Length::Long(2), Length::Long(3), Length::Indefinite])
            }
            1 => {
                node.tag =
                    draw.pick([0x01, 0x02, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x1f, 0x30, 0x31, 0x80, 0xa0, 0x00])
            }
            2 => node.tag ^= draw.pick([0x20, 0x40, 0x80, 0x01]),
            3 => node.content = Content::Octets(Vec::new()),
            _ => node.edit_content(draw),
        }
    }

    fn edit_content(&mut self, draw: &mut Draw) {
        match &mut self.content {
            Content::Octets(octets) => match draw.below(6) {
                0 => octets.insert(0, draw.pick([0x00, 0x80, 0xff])),
                1 => octets.push(draw.pick([0x00, 0x80, 0xff])),
                2 => drop(octets.pop()),
                _ => super::bytes::edit(draw, octets),
            },
            Content::Nodes(nodes) => {
                let at = draw.below(nodes.len());
                match draw.below(5) {
                    0 if at < nodes.len() => drop(nodes.remove(at)),
                    1 if at < nodes.len() => nodes.insert(at, nodes[at].clone()),
                    2 if nodes.len() > 1 => nodes.swap(at, 0),
                    3 => nodes.reverse(),
                    _ => nodes.push(leaf(draw)),
                }
            }
        }
    }
}

fn leaf(draw: &mut Draw) -> Node {
    let tag = draw.pick([der::NULL, der::UTF8, der::SEQUENCE, der::INTEGER, 0x01, 0x80, 0xa1, der::OID]);
    let octets = match tag {
        der::NULL | der::SEQUENCE => Vec::new(),
        0x01 => draw.pick([vec![0xff], vec![0], vec![1]]),
        _ => vec![draw.pick([1, 0x2a, 0x55])],
    };
    Node { tag, length: Length::Minimal, content: Content::Octets(octets) }
}

/// One element of any kind, nearly always well-formed.
pub(super) fn any(draw: &mut Draw, deep: usize) -> Vec<u8> {
    let count = draw.below(5);
    let octets = draw.octets(count);
    match draw.below(12) {
        0 if deep > 0 => {
            let inner: Vec<Vec<u8>> = (0..draw.below(3)).map(|_| any(draw, deep - 1)).collect();
            der::tlv(draw.pick([0x30, 0x31, 0x24, 0xa0, 0xe1]), inner.concat())
        }
        1 => der::nested(draw.pick([2, 5, 9, 10, 11, 12])),
        2 => der::tlv(draw.pick([0x1f, 0x3f, 0x00, 0xdf]), octets),
        3 => tlv_with(der::UTF8, draw.pick([Length::Long(1), Length::Indefinite, Length::Stated(9)]), octets),
        4 => der::tlv(draw.pick([0x30, 0x31]), octets),
        5 => der::tlv(der::UTF8, "é"),
        6 => der::tlv(0x1e, octets),
        7 => der::tlv(der::NULL, []),
        8 => Vec::new(),
        9 => der::tlv(0x01, [draw.pick([0, 1, 0xff])]),
        _ => der::tlv(draw.pick([0x02, 0x04, 0x0c, 0x13, 0x14, 0x16, 0x17, 0x1c, 0x80, 0x1e]), octets),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_comes_back() {
        let key = crate::testkit::keys::key("tree");
        for der in [crate::testkit::csr::honest(&key).der(), crate::testkit::signature::spki(&key)] {
            assert_eq!(read(&der).unwrap().der(), der);
        }
        assert!(read(&[0x30, 0x05, 0x00]).is_none());
    }
}
