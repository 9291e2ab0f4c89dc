import ts from 'typescript';
import { puzzlingWordsIn } from './language.ts';
import type { Tree } from './tree.ts';

export interface Offence {
  readonly rule: string;
  readonly file: string;
  readonly detail: string;
}

type Rule = (path: string, text: string) => readonly string[];

const LONGEST_FILE_LINES = 300;
const LONGEST_LINE_CHARACTERS = 120;
const MOST_IMPORTS = 15;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const top = words(
  'machines src test docs .ci package.json package-lock.json tsconfig.json stately.config.json README.md LICENSE',
);
const inSrc = words(
  'text evidence verification config options strategies ralph prompt detectors permissions budget log git actors agents kernel judging runtime charts termination testing projections ports loops redecide replay app hosts triggers http studio cli index.ts tsconfig.build.json build build.mjs',
);
/** Names that say nothing about the contents. */
const nothings = words('util utils helper helpers common core types misc');

// In pieces, so that this file passes its own rules.
const homePath = new RegExp(`(?<![\\w.$)}*\\]-])/(${['home', 'Users', 'root', 'work'].join('|')})/[\\w.-]`);
/** A path that some machine has: an absent path needs a random name. */
const assumedAbsent = new RegExp(
  `['"\`]/(${['nonexistent', 'nowhere', 'somewhere', 'elsewhere', 'not', 'no', 'missing', 'absent', 'gone'].join('|')})\\b`,
);
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

  'lines-that-fit': (path, text) =>
    /[.](ts|mjs)$/.test(path) && !path.startsWith('test/histories/')
      ? text.split('\n').flatMap((line, index) => (isTooLong(line) ? [`line ${index + 1}`] : []))
      : [],

  'few-imports': (path, text) => {
    if (!/^(src|machines)\/.*[.]ts$/.test(path) || isDoor(path)) return [];
    const imports = text.match(/^import\b/gm) ?? [];
    return imports.length <= MOST_IMPORTS ? [] : [`${imports.length} imports`];
  },

  'plain-language': (path, text) =>
    puzzlingWordsIn(path, text).map(({ line, word, instead }) => `line ${line}: ${word}; write: ${instead}`),

  'no-any': (path, text) => (/[.]ts$/.test(path) ? linesWithAny(path, text) : []),

  'no-path-of-a-machine': (_path, text) => matches(text, homePath),

  'no-path-assumed-absent': (path, text) => (/^(test|docs)\/.*[.]ts$/.test(path) ? matches(text, assumedAbsent) : []),

  // The public ones are named where it is decided which of them commands behind walls reach.
  'no-registry-host': (path, text) => (path === 'src/evidence/registries.ts' ? [] : matches(text, registryHost)),
};

/** Rules that look at one file after the other, and the one that looks at all. */
export const ruleNames: readonly string[] = [...Object.keys(rules), 'base-name-of-its-own'];

/** What in these files is against the house rules that no other tool checks. */
export function offences(tree: Tree): Offence[] {
  const inFiles = Object.entries(rules).flatMap(([rule, check]) =>
    [...tree].flatMap(([file, text]) => check(file, text).map((detail) => ({ rule, file, detail }))),
  );
  return [...inFiles, ...repeatedNames([...tree.keys()])];
}

/** A literal on a line of its own may be as long as it is: no text, pattern or expectation is cut to fit. */
const isTooLong = (line: string): boolean =>
  line.length > LONGEST_LINE_CHARACTERS && !/^\s*(['"`<]|\/(?![/*])|String[.]raw)/.test(line);

/** The doors of the package only pass on what is public: they import as much as there is. */
const isDoor = (path: string): boolean => /(^|\/)(index|public)[.]ts$/.test(path);

/**
 * A base name stands in one folder, but for the same role in siblings, such as the parts of two engines.
 */
function repeatedNames(files: readonly string[]): Offence[] {
  // A verb is named as it is typed.
  const ours = files.filter((file) => /^(src\/(?!cli\/verbs\/)|machines\/).*[.]ts$/.test(file) && !isDoor(file));
  const byName = Object.groupBy(ours, (file) => file.slice(file.lastIndexOf('/') + 1));
  return Object.values(byName).flatMap((same = []) => {
    const roles = new Set(same.map(roleOf));
    if (roles.size === 1) return [];
    return same.slice(1).map((file) => ({ rule: 'base-name-of-its-own', file, detail: `also ${same[0]}` }));
  });
}

/** Siblings that fill the same role are one place: what an engine has of the port, what a loop has of a definition. */
const roleOf = (file: string): string =>
  file.replace(/^src\/log\/(memory|sqlite|postgres)\//, 'src/log/').replace(/^src\/loops\/[^/]+\//, 'src/loops/LOOP/');

function matches(text: string, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}`] : []));
}

/** Read as syntax, so that the word may stand in prose and in names. */
function linesWithAny(path: string, text: string): string[] {
  // To parse every file takes as long as all other rules.
  if (!/\bany\b/.test(text)) return [];
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
