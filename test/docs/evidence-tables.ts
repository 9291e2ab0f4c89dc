import { ATTACKS } from '../evidence/attacks/index.ts';
import { HONEST } from '../evidence/honest/index.ts';
import { NAMED } from '../evidence/named.ts';
import type { Attack, AttackKind, HonestEnd, HonestKind } from '../evidence/story.ts';

const TRIED: { readonly [kind in AttackKind]: string } = {
  files: 'tests and their data',
  linters: 'linters, compilers and measured coverage',
  configuration: 'configuration of runners, compilers, linters and packages',
  environment: 'variables, homes, programs that are found by name',
  dependencies: 'installed dependencies',
  processes: 'processes beside the checks',
  git: 'git: ignore rules, filters, hooks, objects, references',
  reports: 'reports of runners',
  runner: 'the runner and the assertions, from the code under test',
  chance: 'chance and the clock',
  time: 'sizes and times of files',
  names: 'names of files and tests',
};
type Found = Extract<Attack['by'], string>;
const FOUND: { readonly [by in Found]: string } = {
  'base-leg': 'tests of the base fail',
  'work-leg': 'the work fails its own checks',
  'lost-tests': 'a test is lost',
  'no-report': 'no whole report',
  control: 'a planted error is not found',
  unsteady: 'a test fails when it runs again',
  touched: 'tests were written to while they ran',
  moved: 'the files changed meanwhile',
  unchanged: 'nothing has changed',
  fault: 'the run ends with an error',
  'in-workspace': '`weak`',
  'grounds-approved': '`weak`',
  'grounds-allowed': '`weak`',
  'dependencies-changed': '`weak`',
  'dependencies-unknown': '`weak`',
  'tools-changed': '`weak`',
  'dependencies-unmet': '`weak`',
  'outside-changed': '`weak`',
  'pointers-home': '`weak`',
  'no-tests': '`weak`',
  'tests-unplaced': '`weak`',
  suppressions: '`weak`',
  'tests-in-sources': '`weak`',
  flaky: '`weak`',
  'nothing-turned': '`verified`, 16',
  'reads-only': '`verified`, 16',
  'no-control': '`verified`, 16',
  'bare-control': '`verified`, 16',
  'unnoticed-control': '`verified`, 16',
  'no-walls': '`verified`',
  'one-leg': '`verified`',
  network: '`verified`',
};
const CHANGED: { readonly [kind in HonestKind]: string } = {
  source: 'sources alone',
  refactoring: 'sources, where all checks pass before',
  tests: 'sources and tests',
  asked: 'what a person has to decide: renamed or removed with its tests',
  configuration: 'configuration',
  dependencies: 'dependencies',
  repository: 'repositories of unusual shape',
  suite: 'suites of unusual shape',
  unusual: 'what looks like a cheat',
};
const NOT_ENOUGH: ReadonlySet<HonestEnd> = new Set(['weak', 'asked']);

/** What the attacks of the corpus try, and what finds them. */
export function attackTable(): string {
  const rows = [...Map.groupBy(ATTACKS, ({ kind }) => kind)].map(([kind, stories]) =>
    row(TRIED[kind], String(stories.length), foundBy(stories)),
  );
  const head = ['turned against checks', 'stories', 'found by'];
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n');
}

/** How the honest changes of the corpus end. */
export function honestTable(): string {
  const rows = [...Map.groupBy(HONEST, ({ kind }) => kind)].map(([kind, stories]) => {
    const ends = [...Map.groupBy(stories, (story) => story.ends)];
    const ended = ends.map(([end, { length }]) => `${end === 'asked' ? 'a person is asked' : `\`${end}\``} ${length}`);
    const enough = stories.filter(({ ends, enough: isEnough = true }) => isEnough && !NOT_ENOUGH.has(ends));
    return row(CHANGED[kind], String(stories.length), ended.join(', '), String(enough.length));
  });
  const head = ['an honest change of', 'stories', 'ends', 'status 0'];
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n');
}

/** The cheats that are not seen, by what they are called. */
export const namedList = (): string =>
  [...Map.groupBy(NAMED, ({ grade }) => grade)]
    .map(([grade, cheats]) => `- \`${grade}\`: ${cheats.map(({ name }) => name).join('; ')}`)
    .join('\n');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The most frequent first. Of those that are one of several, the first stands for them. */
function foundBy(stories: readonly Attack[]): string {
  const found = stories.map(({ by }) => FOUND[[by].flat()[0] ?? 'base-leg']);
  return [...Map.groupBy(found, (text) => text)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([text, { length }]) => `${text} ${length}`)
    .join(', ');
}
