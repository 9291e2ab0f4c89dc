/** Colours by what they are for, in light and in dark. Behind a drawing is the page: white, or nearly black. */
export const palettes = {
  light: {
    page: '#ffffff',
    box: '#f3f6fb',
    whole: '#fafbfd',
    border: '#6b7a90',
    text: '#17202e',
    muted: '#56637a',
    line: '#5a6980',
    faint: '#6f7b8e',
    active: '#0b66d8',
    activeBox: '#e3efff',
    final: '#eef7f0',
  },
  dark: {
    page: '#0d1117',
    box: '#1a2230',
    whole: '#131924',
    border: '#7a8aa3',
    text: '#e8edf5',
    muted: '#a2b0c5',
    line: '#93a3bb',
    faint: '#76849a',
    active: '#6cb0ff',
    activeBox: '#12305a',
    final: '#16291f',
  },
} as const;

const properties = (palette: Readonly<Record<string, string>>): string =>
  Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`).join(';');

export const style = `
svg{${properties(palettes.light)};font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace}
@media (prefers-color-scheme:dark){svg{${properties(palettes.dark)}}}
text{fill:var(--text)}
rect{fill:var(--box);stroke:var(--border)}
.whole>rect{fill:var(--whole)}
.final>rect{fill:var(--final)}
.anywhere>rect{stroke-dasharray:2 3}
.title{font-size:14px;font-weight:600}
.description{fill:var(--muted)}
.rule{stroke:var(--border);stroke-opacity:.35}
.arrow text{text-anchor:middle}
.line{fill:none;stroke:var(--line);stroke-width:1.2}
.tip,.start{fill:var(--line)}
.always .line{stroke-dasharray:5 4}
.active>rect{stroke:var(--active);stroke-width:2.5;fill:var(--activeBox)}
.here{fill:var(--active)}
.untaken{fill:var(--faint)}
.untaken .line{stroke-opacity:.5}
.untaken .tip{fill-opacity:.5}
`;
