/** Colours by what they are for. What is behind a drawing is the page's: white, or nearly black. */
export const palettes = {
  light: {
    page: '#ffffff',
    box: '#f3f6fb',
    whole: '#fafbfd',
    final: '#eef7f0',
    here: '#e3efff',
    border: '#6b7a90',
    text: '#17202e',
    muted: '#526078',
    faint: '#5c687c',
    line: '#5a6980',
    pale: '#8590a2',
    active: '#0b66d8',
  },
  dark: {
    page: '#0d1117',
    box: '#1a2230',
    whole: '#131924',
    final: '#16291f',
    here: '#12305a',
    border: '#7a8aa3',
    text: '#e8edf5',
    muted: '#a8b5c9',
    faint: '#95a2b7',
    line: '#93a3bb',
    pale: '#677489',
    active: '#6cb0ff',
  },
} as const;

const declared = (palette: Readonly<Record<string, string>>): string =>
  Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`).join(';');

const looks = {
  text: 'fill:var(--text)',
  '.title': 'font-size:14px;font-weight:600',
  '.description': 'fill:var(--muted)',
  'text.untaken': 'fill:var(--faint)',
  '.arrow text': 'text-anchor:middle',
  rect: 'fill:var(--box);stroke:var(--border)',
  '.whole>rect': 'fill:var(--whole)',
  '.final>rect': 'fill:var(--final)',
  '.anywhere>rect': 'stroke-dasharray:2 3',
  '.active>rect': 'stroke:var(--active);stroke-width:2.5',
  '.active:not(.whole)>rect': 'fill:var(--here)',
  '.badge rect': 'fill:var(--page)',
  '.here': 'fill:var(--active)',
  '.rule': 'stroke:var(--border);stroke-opacity:.4',
  '.line': 'fill:none;stroke:var(--line);stroke-width:1.2',
  '.always .line': 'stroke-dasharray:5 4',
  '.tip,.start': 'fill:var(--line)',
  '.taken .line': 'stroke:var(--text);stroke-width:1.8',
  '.taken .tip': 'fill:var(--text)',
  '.untaken .line': 'stroke:var(--pale)',
  '.untaken .tip': 'fill:var(--pale)',
};

/** What a drawing calls itself, so that its looks are no other's. */
export const DRAWING = 'loopfold-chart';

const font = "font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

export const style = [
  `.${DRAWING}{${declared(palettes.light)};${font}}`,
  `@media (prefers-color-scheme:dark){.${DRAWING}{${declared(palettes.dark)}}}`,
  ...Object.entries(looks).map(([what, look]) => `.${DRAWING} :is(${what}){${look}}`),
].join('\n');
