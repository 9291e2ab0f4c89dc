import { createHash } from 'node:crypto';
import type { RunExport } from './read-exported.ts';
import { markdownRun } from './markdown-run.ts';

/** The script and the styles of the page, as they were built. */
export interface PageFiles {
  readonly script: string;
  readonly styles: string;
}

/** Ends a script wherever it stands, or hides what comes after it. */
const ENDS_SCRIPT = /<(?=\/script|!--)/gi;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A run as one HTML file that needs no server and loads nothing: the page with the run in it. A policy in it lets this
 * one script run, by its digest, and nothing else. Without scripts it has the text of the run.
 */
export function htmlRun(exported: RunExport, { script, styles }: PageFiles): string {
  const code = script.replace(ENDS_SCRIPT, String.raw`\x3C`);
  const policy = `default-src 'none'; script-src ${digestOf(code)}; style-src ${digestOf(styles)}; base-uri 'none'`;
  const { view, change } = exported;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>Run ${view.run}</title>`,
    `<style>${styles}</style>`,
    '</head>',
    '<body>',
    '<div id="studio"></div>',
    `<noscript><pre>${escaped(markdownRun(view, change))}</pre></noscript>`,
    `<script type="application/json" id="run">${inScript(exported)}</script>`,
    `<script type="module">${code}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** JSON in which no text ends the element that it stands in. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
