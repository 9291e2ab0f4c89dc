import type { Bars, Block, Cell, Line, ReportPage, Table, Text } from '../../../kernel/report-page.ts';
import { plain } from '../../../text/one-line.ts';
import { amount, grouped } from '../../../text/money.ts';
import { span } from '../../../projections/phrases.ts';

/** A report as Markdown, for a terminal or a file. Changes are the commands that show them. */
export function markdownPage({ title, blocks }: ReportPage): string {
  return [`# ${inline(title)}`, ...blocks.map(blockText)].filter((text) => text !== '').join('\n\n');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${inline(block.text)}`;
    case 'text':
      // At the start of a line these begin a heading or a list.
      return inline(block.text).replace(/^[#+-]/, String.raw`\$&`);
    case 'figures':
      return block.figures.map(({ name, value }) => `- ${inline(name)}: ${inline(value)}`).join('\n');
    case 'table':
      return tableText(block);
    case 'bars':
      return `${inline(block.title)}:\n\n${tableText(barsTable(block))}`;
    case 'line':
      return inline(lineSentence(block));
    case 'patch':
      return `- ${inline(block.title)}: ${code(block.command)}`;
  }
}

function tableText({ columns, rows }: Table): string {
  const cells = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [
    cells(columns.map(({ name }) => inline(name))),
    cells(columns.map(({ isNumber }) => (isNumber ? '---:' : '---'))),
    ...rows.map((row) => cells(row.map(cellText))),
  ].join('\n');
}

const cellText = (cell: Cell): string => inline(typeof cell === 'object' && 'text' in cell ? cell.text : cell);

/** A text in one line. */
const inline = (text: Text): string => drawn(text, { words, code }).trim();

const inOneLine = (text: string): string => plain(text).replace(/\s+/g, ' ');

/** Words whose characters mean themselves: texts of models and commands are no Markdown. */
const words = (text: string): string =>
  inOneLine(text).replace(/[\\`*[\]<>|]|~~|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&');

const code = (text: string): string => `\`${inOneLine(text).replaceAll('`', "'")}\``;

/** How a page draws the words of a text, and what is code in it. */
interface Pen {
  readonly words: (text: string) => string;
  readonly code: (text: string) => string;
}

/**
 * Draws a text, part by part.
 *
 * @example
 * drawn(['run ', { code: 'git log' }], { words: (text) => text, code: (text) => `[${text}]` }); // 'run [git log]'
 */
const drawn = (text: Text, { words, code }: Pen): string =>
  (typeof text === 'string' ? [text] : text)
    .map((part) => (typeof part === 'string' ? words(part) : code(part.code)))
    .join('');

/** The numbers of bars as a table: a row for each group, a column for each part. */
const barsTable = ({ group, parts, groups }: Bars): Table => ({
  kind: 'table',
  columns: [group, ...parts].map((name) => ({ name, isNumber: true })),
  rows: groups.map(({ name, values }) => [name, ...values.map(grouped)]),
});

/** The end of a line in a sentence. Empty where it has no points. */
function lineSentence({ title, unit, points }: Line): string {
  const last = points.at(-1);
  return last ? `${title}: ${amount(last.value, unit.replace(/s$/, ''))} after ${span(last.atMs)}.` : '';
}
