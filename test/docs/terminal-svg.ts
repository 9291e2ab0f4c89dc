const FONT_SIZE_PX = 14;
/** The advance of a character in every common monospaced font, in parts of the size. */
const ADVANCE = 0.602;
const LINE_HEIGHT_PX = 20;
const MARGIN_PX = 22;
const TITLE_BAR_PX = 36;

/** A dark window with a border: it stands out on a white page and on a black one. */
const COLOURS = { window: '#161b22', border: '#57606a', bar: '#21262d', text: '#e6edf3', title: '#9198a1' };
const BUTTONS = ['#ff5f57', '#febc2e', '#28c840'];

interface Style {
  readonly fill: string;
  readonly isBold: boolean;
}
const ESCAPE = '\u001B';
const CODE_OR_TEXT = new RegExp(`${ESCAPE}\\[(\\d+)m|([^${ESCAPE}]+)`, 'g');
const PLAIN: Style = { fill: COLOURS.text, isBold: false };

/** What a terminal does at the codes that picocolors writes. */
const CODES: Readonly<Record<string, (style: Style) => Style>> = {
  1: (style) => ({ ...style, isBold: true }),
  2: (style) => ({ ...style, fill: '#9198a1' }),
  22: ({ fill }) => ({ fill: fill === '#9198a1' ? COLOURS.text : fill, isBold: false }),
  31: (style) => ({ ...style, fill: '#ff7b72' }),
  32: (style) => ({ ...style, fill: '#56d364' }),
  33: (style) => ({ ...style, fill: '#e3b341' }),
  36: (style) => ({ ...style, fill: '#76c7f0' }),
  39: (style) => ({ ...style, fill: COLOURS.text }),
};

interface Piece extends Style {
  readonly text: string;
  readonly column: number;
}

/** Lines with terminal colours as the picture of a terminal. Needs no font, no script and no style sheet. */
export function terminalSvg(title: string, lines: readonly string[]): string {
  const rows = lines.map(piecesOf);
  const columns = Math.max(...rows.flat().map(({ column, text }) => column + text.length));
  const width = Math.ceil(columns * FONT_SIZE_PX * ADVANCE + 2 * MARGIN_PX);
  const height = TITLE_BAR_PX + lines.length * LINE_HEIGHT_PX + MARGIN_PX;
  const texts = rows.flatMap((pieces, index) => {
    const y = TITLE_BAR_PX + (index + 1) * LINE_HEIGHT_PX;
    return pieces.length === 0 ? [] : [`<text y="${y}">${pieces.map(spanOf).join('')}</text>`];
  });
  const family = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
  const font = `font-family="${family}" font-size="${FONT_SIZE_PX}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="${COLOURS.window}" stroke="${COLOURS.border}"/>`,
    `<path d="M1 ${TITLE_BAR_PX - 6}V10a9 9 0 0 1 9-9H${width - 10}a9 9 0 0 1 9 9V${TITLE_BAR_PX - 6}Z" fill="${COLOURS.bar}"/>`,
    ...BUTTONS.map((fill, index) => `<circle cx="${20 + index * 20}" cy="15" r="6" fill="${fill}"/>`),
    `<text x="${width / 2}" y="20" text-anchor="middle" fill="${COLOURS.title}" ${font}>${escaped(title)}</text>`,
    `<g ${font} xml:space="preserve">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Every piece has its own column, so that columns stay aligned where a font draws a sign wider than a letter. */
function spanOf({ text, column, fill, isBold }: Piece): string {
  const x = (MARGIN_PX + column * FONT_SIZE_PX * ADVANCE).toFixed(1);
  return `<tspan x="${x}" fill="${fill}"${isBold ? ' font-weight="bold"' : ''}>${escaped(text)}</tspan>`;
}

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let style = PLAIN;
  let column = 0;
  for (const [, code, text = ''] of line.matchAll(CODE_OR_TEXT)) {
    if (code !== undefined) {
      const change = CODES[code];
      if (!change) throw new Error(`the picture of a terminal has no colour for code ${code}: add it to CODES`);
      style = change(style);
      continue;
    }
    for (const { 0: word, index } of text.matchAll(/\S+(?: \S+)*/g))
      pieces.push({ ...style, text: word, column: column + index });
    column += text.length;
  }
  return pieces;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
