import type { Block, Cell, Figure, Patch, ReportPage, Table, Text } from '../../../kernel/report-page.ts';
import { drawn } from './draw-text.ts';
import { HTML_STYLE } from './html-style.ts';
import { escaped } from './html-text.ts';
import { barsTable, lineSentence } from './numbers-in-words.ts';

/** Whatever a text smuggles in, the page loads and runs nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** A report as one HTML page that needs no network and no scripts. `patches`: its changes, by their ids. */
export function htmlPage({ title, blocks }: ReportPage, patches: ReadonlyMap<string, string>): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${HTML_STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escaped(title)}</h1>`,
    ...blocks.map((block) => blockHtml(block, patches)),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function blockHtml(block: Block, patches: ReadonlyMap<string, string>): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escaped(block.text)}</h2>`;
    case 'text':
      return `<p>${textHtml(block.text)}</p>`;
    case 'figures':
      return `<dl class="figures">${block.figures.map(figureHtml).join('')}</dl>`;
    case 'table':
      return tableHtml(block);
    case 'bars':
      return `<h3>${escaped(block.title)} (${escaped(block.unit)})</h3>\n${tableHtml(barsTable(block))}`;
    case 'line':
      return `<p>${escaped(lineSentence(block))}</p>`;
    case 'patch':
      return patchHtml(block, patches.get(block.id) ?? null);
  }
}

const classOf = (...names: readonly (string | undefined)[]): string => {
  const said = names.filter((name) => name !== undefined);
  return said.length === 0 ? '' : ` class="${said.join(' ')}"`;
};

const figureHtml = ({ name, value, tone }: Figure): string =>
  `<div><dt>${escaped(name)}</dt><dd${classOf(tone)}>${escaped(value)}</dd></div>`;

function tableHtml({ columns, rows }: Table): string {
  const numbers = columns.map(({ isNumber }) => (isNumber ? 'number' : undefined));
  const head = columns.map(({ name }, index) => `<th scope="col"${classOf(numbers[index])}>${escaped(name)}</th>`);
  const body = rows.map((row) => `<tr>${row.map((cell, index) => cellHtml(cell, numbers[index])).join('')}</tr>`);
  return [
    '<div class="scroll"><table>',
    `<thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('\n')}</tbody>`,
    '</table></div>',
  ].join('\n');
}

function cellHtml(cell: Cell, isNumber: string | undefined): string {
  const { text, tone } = typeof cell === 'object' && 'text' in cell ? cell : { text: cell, tone: undefined };
  return `<td${classOf(isNumber, tone)}>${textHtml(text)}</td>`;
}

const textHtml = (text: Text): string => drawn(text, { words: escaped, code: codeHtml });

const codeHtml = (code: string): string => `<code>${escaped(code)}</code>`;

function patchHtml({ title, command }: Patch, patch: string | null): string {
  const shown = patch === null ? `Not in the repository any more. To look for it: ${command}` : patch;
  return [
    `<details><summary>${escaped(title)}: ${codeHtml(command)}</summary>`,
    `<pre>${escaped(shown)}</pre></details>`,
  ].join('\n');
}
