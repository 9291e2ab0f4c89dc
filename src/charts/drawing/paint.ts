import {
  type Area,
  cut,
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
} from './geometry.ts';
import { element, line, tip, arrowLooks, DRAWING, frameOf, looks, page, styleFor } from './looks.ts';
import type { Layout, PlacedArrow, PlacedBox } from './layout-table.ts';
import type { Line } from './lines.ts';

/** Writes a layout down as SVG. */
export function paint({ width, height, boxes, arrows }: Layout, title: string, description: string | null): string {
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const root = { xmlns: 'http://www.w3.org/2000/svg', class: DRAWING, role: 'img', ...size, ...page };
  const told = [element('title', {}, title), ...tooltip(description, 'desc')];
  const ground = element('rect', { class: 'page', width, height, ...looks.page });
  const drawn = [ground, ...boxes.map(box), ...arrows.map(arrow)];
  const style = `<style>\n${styleFor(drawn.join(''))}\n</style>`;
  return `${element(
    'svg',
    root,
    [...told, style, ...drawn].map((part) => `\n${part}`),
  )}\n`;
}

function box({ box, area, head }: PlacedBox): string {
  if (box.kind === 'start') return dot(area);
  const [left, top] = [head.x + INSET_PX, head.y + INSET_PX / 2];
  const described = descriptionOf(box);
  const body = head.y + bodyAt(described);
  const classes = [box.kind, ...(box.parts.length > 0 ? ['whole'] : []), ...(box.active ? ['active'] : [])];
  const frame = frameOf(box);
  const inset = { x: area.x + 3, y: area.y + 3, width: area.width - 6, height: area.height - 6, rx: 6 };
  const here = { class: 'here', cx: left + widthOf(box.title, TITLE_PX) + 9, cy: top + 9, r: 4.5, ...looks.here };
  const rule = { class: 'rule', d: `M${head.x} ${body + GAP_PX / 2}h${head.width}`, ...looks.rule };
  return element('g', { class: classes.join(' '), 'data-state': box.kind === 'anywhere' ? null : box.path }, [
    ...tooltip(box.description),
    element('rect', { ...area, rx: 8, ...frame }),
    ...(box.kind === 'final' ? [element('rect', { class: 'inner', ...inset, ...frame })] : []),
    element('text', { class: 'title', x: left, y: top + TITLE_PX, ...looks.title }, box.title),
    ...(box.active ? [element('circle', here)] : []),
    ...(box.visits ? [badge(head.x + head.width - INSET_PX / 2, top, timesOf(box.visits))] : []),
    ...described.map((words, row) => text(words, left, top + TITLE_LINE_PX + row * TEXT_LINE_PX, 'description')),
    ...(box.lines.length > 0 ? [element('path', rule)] : []),
    ...box.lines.map((line, row) => spoken(line, left, body + GAP_PX + row * TEXT_LINE_PX)),
  ]);
}

const dot = ({ x, y }: Area): string =>
  element('circle', { class: 'start', cx: x + DOT_PX / 2, cy: y + DOT_PX / 2, r: DOT_PX / 2 - 1, ...looks.start });

function arrow({ arrow, way, label }: PlacedArrow): string {
  const counts = arrow.lines.flatMap(({ taken }) => taken ?? []);
  const isTaken = counts.length === 0 ? null : counts.some((count) => count > 0);
  const kinds = isTaken === null ? [] : [isTaken ? 'taken' : 'untaken'];
  const look = arrowLooks(arrow.kind === 'always', isTaken);
  const pieces = label ? cut(way, label) : [way];
  const centre = label ? label.x + label.width / 2 : 0;
  return element('g', { class: ['arrow', arrow.kind, ...kinds].join(' ') }, [
    element('path', { class: 'line', d: pieces.map(line).join(''), ...look.line }),
    element('path', { class: 'tip', d: tip(way), ...look.tip }),
    ...(label ? arrow.lines.map((line, row) => spoken(line, centre, label.y + row * TEXT_LINE_PX, 'middle')) : []),
  ]);
}

/** A line that stands for several transitions is found by each of them. */
const spoken = (line: Line, x: number, y: number, anchor: 'middle' | null = null): string =>
  line.transitions.reduceRight(
    (inner, { id, description }) => element('g', { 'data-transition': id }, [...tooltip(description), inner]),
    text(wordsOf(line), x, y, line.taken === 0 ? 'untaken' : 'text', anchor),
  );

function badge(right: number, y: number, words: string): string {
  const width = widthOf(words, TEXT_PX) + 8;
  const x = right - width;
  const plate = element('rect', { x, y, width, height: 16, rx: 8, ...looks.badge });
  return element('g', { class: 'badge' }, [plate, text(words, x + 4, y + 1, 'text')]);
}

const text = (
  words: string,
  x: number,
  y: number,
  kind: 'text' | 'description' | 'untaken',
  anchor: 'middle' | null = null,
): string =>
  element(
    'text',
    { class: kind === 'text' ? null : kind, x, y: y + TEXT_PX, 'text-anchor': anchor, ...looks[kind] },
    words,
  );

const tooltip = (words: string | null, name = 'title'): string[] => (words === null ? [] : [element(name, {}, words)]);
