import type { Block, Cell, ReportPage, Table, Text } from '../../../kernel/report-page.ts';
import { plain } from '../../../text/plain.ts';
import { drawn } from './draw-text.ts';
import { barsTable, lineSentence } from './numbers-in-words.ts';

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
