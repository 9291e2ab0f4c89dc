import ts from 'typescript';
import type { Tree } from './tree.ts';

export interface Offence {
  readonly rule: string;
  readonly file: string;
  readonly detail: string;
}

type Rule = (path: string, text: string) => readonly string[];

const LONGEST_FILE_LINES = 300;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const top = words(
  'machines src test docs .ci package.json package-lock.json tsconfig.json stately.config.json README.md LICENSE',
);
const inSrc = words(
  'config strategies detectors budget log actors runtime charts termination testing projections loops redecide replay hosts cli web index.ts tsconfig.build.json build.mjs',
);
/** Names that say where something was put because nobody knew what it was. */
const nothings = words('util utils helper helpers common core types misc');

// In pieces, so that this file passes its own rules.
const homePath = new RegExp(`(?<![\\w.$)}*\\]-])/(${['home', 'Users', 'root', 'work'].join('|')})/[\\w.-]`);
/** A path that some machine has: what is to be absent has a name of chance. */
const assumedAbsent = new RegExp(`['"\`]/(${['nonexistent', 'nowhere', 'somewhere', 'elsewhere', 'not', 'no', 'missing', 'absent', 'gone'].join('|')})\\b`);
const registryHost = new RegExp(`\\bregistry${'[.]'}[\\w-]+[.](org|com|net|io|dev)\\b|\\bnpmjs${'[.]'}(org|com)\\b`);

const rules: Readonly<Record<string, Rule>> = {
  'known-at-the-top': (path) => {
    const [first = ''] = path.split('/');
    const dotfile = first === path && first.startsWith('.');
    return top.has(first) || dotfile ? [] : [first];
  },

  'known-folder': (path) => {
    const [first, second = ''] = path.split('/');
    return first !== 'src' || inSrc.has(second) ? [] : [second];
  },

  'name-that-says-something': (path) => path.split(/[/.]/).filter((part) => nothings.has(part)),

  'short-or-with-a-reason': (path, text) => {
    if (!/[.](ts|mjs|md)$|^[.]ci\//.test(path)) return [];
    const lines = text.trimEnd().split('\n').length;
    const reason = new RegExp(`(//|#|\\*|<!--).*over ${LONGEST_FILE_LINES} lines because \\w`, 'i');
    return lines <= LONGEST_FILE_LINES || reason.test(text) ? [] : [`${lines} lines`];
  },

  'no-any': (path, text) => (/[.]ts$/.test(path) ? linesWithAny(path, text) : []),

  'no-path-of-a-machine': (_path, text) => matches(text, homePath),

  'no-path-assumed-absent': (path, text) => (/^(test|docs)\/.*[.]ts$/.test(path) ? matches(text, assumedAbsent) : []),

  'no-registry-host': (_path, text) => matches(text, registryHost),
};

export const ruleNames: readonly string[] = Object.keys(rules);

/** What in these files is against the house rules that no other tool checks. */
export function offences(tree: Tree): Offence[] {
  return Object.entries(rules).flatMap(([rule, check]) =>
    [...tree].flatMap(([file, text]) => check(file, text).map((detail) => ({ rule, file, detail }))),
  );
}

function matches(text: string, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}`] : []));
}

/** Read as syntax, so that the word may stand in prose and in names. */
function linesWithAny(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      found.push(`line ${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
