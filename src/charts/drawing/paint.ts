import { type Area, cut } from './geometry.ts';
import { element, line, tip } from './ink.ts';
import type { Layout, PlacedArrow, PlacedBox } from './layout.ts';
import type { Line } from './lines.ts';
import {
  bodyAt,
  descriptionOf,
  DOT_PX,
  GAP_PX,
  INSET_PX,
  TEXT_LINE_PX,
  TEXT_PX,
  timesOf,
  TITLE_LINE_PX,
  TITLE_PX,
  widthOf,
  wordsOf,
} from './measure.ts';
import { DRAWING, style } from './palette.ts';

/** Writes a layout down as SVG. */
export function paint({ width, height, boxes, arrows }: Layout, title: string, description: string | null): string {
  const page = { width, height, viewBox: `0 0 ${width} ${height}` };
  const root = { xmlns: 'http://www.w3.org/2000/svg', class: DRAWING, role: 'img', ...page };
  const told = [element('title', {}, title), ...tooltip(description, 'desc')];
  const drawn = [...told, `<style>\n${style}\n</style>`, ...boxes.map(box), ...arrows.map(arrow)];
  return `${element('svg', root, drawn.map((part) => `\n${part}`))}\n`;
}

function box({ box, area, head }: PlacedBox): string {
  if (box.kind === 'start') return dot(area);
  const [left, top] = [head.x + INSET_PX, head.y + INSET_PX / 2];
  const described = descriptionOf(box);
  const body = head.y + bodyAt(described);
  const classes = [box.kind, ...(box.parts.length > 0 ? ['whole'] : []), ...(box.active ? ['active'] : [])];
  const inner = { class: 'inner', x: area.x + 3, y: area.y + 3, width: area.width - 6, height: area.height - 6, rx: 6 };
  const here = { class: 'here', cx: left + widthOf(box.title, TITLE_PX) + 9, cy: top + 9, r: 4.5 };
  const rule = { class: 'rule', d: `M${head.x} ${body + GAP_PX / 2}h${head.width}` };
  return element('g', { class: classes.join(' '), 'data-state': box.kind === 'anywhere' ? null : box.path }, [
    ...tooltip(box.description),
    element('rect', { ...area, rx: 8 }),
    ...(box.kind === 'final' ? [element('rect', inner)] : []),
    element('text', { class: 'title', x: left, y: top + TITLE_PX }, box.title),
    ...(box.active ? [element('circle', here)] : []),
    ...(box.visits ? [badge(head.x + head.width - INSET_PX / 2, top, timesOf(box.visits))] : []),
    ...described.map((words, row) => text(words, left, top + TITLE_LINE_PX + row * TEXT_LINE_PX, 'description')),
    ...(box.lines.length > 0 ? [element('path', rule)] : []),
    ...box.lines.map((line, row) => spoken(line, left, body + GAP_PX + row * TEXT_LINE_PX)),
  ]);
}

const dot = ({ x, y }: Area): string =>
  element('circle', { class: 'start', cx: x + DOT_PX / 2, cy: y + DOT_PX / 2, r: DOT_PX / 2 - 1 });

function arrow({ arrow, way, label }: PlacedArrow): string {
  const counts = arrow.lines.flatMap(({ taken }) => taken ?? []);
  const kinds = counts.length === 0 ? [] : [counts.some((count) => count > 0) ? 'taken' : 'untaken'];
  const pieces = label ? cut(way, label) : [way];
  const centre = label ? label.x + label.width / 2 : 0;
  return element('g', { class: ['arrow', arrow.kind, ...kinds].join(' ') }, [
    element('path', { class: 'line', d: pieces.map(line).join('') }),
    element('path', { class: 'tip', d: tip(way) }),
    ...(label ? arrow.lines.map((line, row) => spoken(line, centre, label.y + row * TEXT_LINE_PX)) : []),
  ]);
}

/** A line that stands for several transitions is found by each of them. */
const spoken = (line: Line, x: number, y: number): string =>
  line.transitions.reduceRight(
    (inner, { id, description }) => element('g', { 'data-transition': id }, [...tooltip(description), inner]),
    text(wordsOf(line), x, y, line.taken === 0 ? 'untaken' : null),
  );

function badge(right: number, y: number, words: string): string {
  const width = widthOf(words, TEXT_PX) + 8;
  const x = right - width;
  const plate = element('rect', { x, y, width, height: 16, rx: 8 });
  return element('g', { class: 'badge' }, [plate, text(words, x + 4, y + 1, null)]);
}

const text = (words: string, x: number, y: number, kind: string | null): string =>
  element('text', { class: kind, x, y: y + TEXT_PX }, words);

const tooltip = (words: string | null, name = 'title'): string[] => (words === null ? [] : [element(name, {}, words)]);
