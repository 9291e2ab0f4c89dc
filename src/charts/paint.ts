import { badgeOf, descriptionOf, DOT_PX, GAP_PX, INSET_PX, TEXT_LINE_PX, TEXT_PX, TITLE_LINE_PX, TITLE_PX, widthOf, wordsOf } from './measure.ts';
import type { Area, Layout, PlacedBox, PlacedArrow, Point } from './layout.ts';
import type { Line } from './sketch.ts';
import { style } from './palette.ts';

/** Writes a drawing down. */
export function paint({ width, height, boxes, arrows }: Layout, title: string, description: string | null): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    ...(description === null ? [] : [`<desc>${escaped(description)}</desc>`]),
    `<style>${style}</style>`,
    ...boxes.map(boxed),
    ...arrows.map(pointed),
    '</svg>',
    '',
  ].join('\n');
}

function boxed({ box, x, y, width, height, head }: PlacedBox): string {
  if (box.kind === 'start') return `<circle class="start" cx="${x + DOT_PX / 2}" cy="${y + DOT_PX / 2}" r="${DOT_PX / 2 - 1}"/>`;
  const classes = [box.kind, ...(box.parts.length > 0 ? ['whole'] : []), ...(box.active ? ['active'] : []), ...(box.visits === 0 ? ['unseen'] : [])];
  const described = descriptionOf(box);
  const linesAt = head.y + INSET_PX / 2 + TITLE_LINE_PX + described.length * TEXT_LINE_PX + GAP_PX;
  const left = head.x + INSET_PX;
  return [
    `<g class="${classes.join(' ')}"${box.kind === 'anywhere' ? '' : ` data-state="${escaped(box.path)}"`}>`,
    ...(box.description ? [`<title>${escaped(box.description)}</title>`] : []),
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    ...(box.kind === 'final' ? [`<rect class="inner" x="${x + 3}" y="${y + 3}" width="${width - 6}" height="${height - 6}" rx="6"/>`] : []),
    `<text class="title" x="${left}" y="${n(head.y + INSET_PX / 2 + TITLE_PX)}">${escaped(box.title)}</text>`,
    ...(box.active ? [`<circle class="here" cx="${n(left + widthOf(box.title, TITLE_PX) + 9)}" cy="${n(head.y + INSET_PX / 2 + TITLE_PX - 5)}" r="4.5"/>`] : []),
    ...(box.visits ? [badge(head.x + head.width - INSET_PX / 2, head.y + INSET_PX / 2, badgeOf(box.visits))] : []),
    ...described.map((line, index) => text(line, left, head.y + INSET_PX / 2 + TITLE_LINE_PX + index * TEXT_LINE_PX, 'description')),
    ...(box.lines.length > 0 ? [`<path class="rule" d="M${head.x} ${n(linesAt - GAP_PX / 2)}h${head.width}"/>`] : []),
    ...box.lines.map((line, index) => lined(line, left, linesAt + index * TEXT_LINE_PX)),
    '</g>',
  ].join('\n');
}

function pointed({ arrow, points, label }: PlacedArrow): string {
  const isFaint = arrow.lines.length > 0 && arrow.lines.every(({ taken }) => taken === 0);
  return [
    `<g class="arrow ${arrow.kind}${isFaint ? ' untaken' : ''}">`,
    `<path class="line" d="${cut(points, label).map(rounded).join('')}"/>`,
    `<path class="tip" d="${tip(points)}"/>`,
    ...(label ? arrow.lines.map((line, index) => lined(line, label.x + label.width / 2, label.y + index * TEXT_LINE_PX)) : []),
    '</g>',
  ].join('\n');
}

const badge = (right: number, y: number, words: string): string => {
  const width = widthOf(words, TEXT_PX) + 8;
  return `<g class="badge"><rect x="${n(right - width)}" y="${n(y)}" width="${width}" height="16" rx="8"/><text x="${n(right - width + 4)}" y="${n(y + 12)}">${words}</text></g>`;
};

function lined(line: Line, x: number, y: number): string {
  const words = text(wordsOf(line), x, y, line.taken === 0 ? 'untaken' : null);
  return line.transitions.reduceRight((inner, { id, description }) =>
    `<g data-transition="${escaped(id)}">${description ? `<title>${escaped(description)}</title>` : ''}${inner}</g>`, words);
}

const text = (words: string, x: number, y: number, kind: string | null): string =>
  `<text${kind ? ` class="${kind}"` : ''} x="${n(x)}" y="${n(y + TEXT_PX)}">${escaped(words)}</text>`;

const n = (pixels: number): number => Math.round(pixels * 10) / 10;

/** A line without what runs through its own words. */
function cut(points: readonly Point[], words: Area | null): readonly (readonly Point[])[] {
  if (words === null) return [points];
  const pieces: Point[][] = [points.slice(0, 1)];
  for (const [index, to] of points.slice(1).entries()) {
    const from = points[index] ?? to;
    const gap = inside(words, from, to);
    if (gap && gap.enter > 0) pieces.at(-1)?.push(between(from, to, gap.enter));
    if (gap) pieces.push(gap.leave < 1 ? [between(from, to, gap.leave), to] : []);
    else pieces.at(-1)?.push(to);
  }
  return pieces.filter((piece) => piece.length > 1);
}

/** From where to where a line is in an area, as parts of its length. */
function inside(area: Area, from: Point, to: Point): { enter: number; leave: number } | null {
  let [enter, leave] = [0, 1];
  const sides = [
    [to.x - from.x, area.x - from.x, area.x + area.width - from.x],
    [to.y - from.y, area.y - from.y, area.y + area.height - from.y],
  ] as const;
  for (const [way, low, high] of sides) {
    if (way === 0 && (low >= 0 || high <= 0)) return null;
    if (way === 0) continue;
    enter = Math.max(enter, Math.min(low / way, high / way));
    leave = Math.min(leave, Math.max(low / way, high / way));
  }
  return enter < leave ? { enter, leave } : null;
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: n(from.x + (to.x - from.x) * part),
  y: n(from.y + (to.y - from.y) * part),
});

/** A line through the points whose corners are round. */
function rounded(points: readonly Point[]): string {
  return points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) return `M${point.x} ${point.y}`;
    if (!after) return `L${point.x} ${point.y}`;
    const [a, b] = [towards(point, before), towards(point, after)];
    return `L${a.x} ${a.y}Q${point.x} ${point.y} ${b.x} ${b.y}`;
  }).join('');
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(6, length / 2) / length;
  return { x: n(from.x + (to.x - from.x) * part), y: n(from.y + (to.y - from.y) * part) };
}

function tip(points: readonly Point[]): string {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (!end || !before) return '';
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const corner = (side: number): string => `${n(end.x - 8 * dx - 4 * side * dy)} ${n(end.y - 8 * dy + 4 * side * dx)}`;
  return `M${end.x} ${end.y}L${corner(1)}L${corner(-1)}Z`;
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
