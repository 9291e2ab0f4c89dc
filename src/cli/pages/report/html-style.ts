/** The style of a report: in light and in dark, on wide screens, narrow ones and paper. Nothing is loaded. */
export const HTML_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --card: #f5f7fa; --text: #17202e; --muted: #56637a; --rule: #d8dee8;
  --good: #1f7a3d; --bad: #b02a2a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --card: #171e29; --text: #e6ebf3; --muted: #9dabc0; --rule: #2d3747;
    --good: #5fc284; --bad: #f07f7f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 66rem;
  background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .6rem 0; overflow-wrap: anywhere; }
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem;
  margin: 1.2rem 0; padding: 0;
}
.figures div { background: var(--card); border-radius: .5rem; padding: .6rem .8rem; }
.figures dt { color: var(--muted); font-size: .8rem; }
.figures dd {
  margin: 0; font-size: 1.1rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1.2rem .4rem 0; border-bottom: 1px solid var(--rule); }
th { color: var(--muted); font-weight: 600; white-space: nowrap; }
td { min-width: 3rem; max-width: 26rem; overflow-wrap: break-word; }
th:last-child, td:last-child { padding-right: 0; }
.number:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .85em; }
td code { white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .quiet { color: var(--muted); }
details { margin: .4rem 0; border: 1px solid var(--rule); border-radius: .5rem; }
summary { cursor: pointer; padding: .45rem .8rem; overflow-wrap: anywhere; }
pre {
  margin: 0; padding: .8rem; overflow-x: auto;
  border-top: 1px solid var(--rule); border-radius: 0 0 .5rem .5rem; background: var(--card);
}
@media print { body { max-width: none; } .scroll { overflow: visible; } }
`;
