import type { Label } from '../../../src/redecide/story.ts';
import type { Random } from '../random.ts';
import type { Called, Family, Said, Told } from '../telling.ts';
import { path, symbol } from '../things.ts';

/** What the pieces of a transcript share: a run of an agent as a log would hold it, of many tools and in many words. */

/** The stories of transcripts are about no single detector: the whole profile is measured by them. */
export const TRANSCRIPTS = 'transcripts';

const TASKS = [
  'Mend the failing build.',
  'The nightly job has been red since Tuesday. Find out why and repair it.',
  'Add pagination to the list of invoices.',
  'Upgrade the HTTP client to its next major version.',
  'Customers report that the export is empty. Fix it, with a test.',
  'Move the settings from YAML to TOML.',
  'Make the import idempotent.',
  'Deploy the branch to staging and tell me when it is up.',
  'Remove the old feature flag everywhere.',
  'Why is the search slow? Make it at least twice as fast.',
];
const THOUGHTS = [
  '',
  '',
  '',
  'Let me check.',
  'Let me look at that first.',
  'Hmm, not what I expected.',
  'I will try it another way.',
  'That should do it.',
  'Now the next one.',
  'Let me verify this.',
  'I see. One moment.',
  'Good. On to the next step.',
  'Interesting; so it is not the cache.',
];

const thought = (random: Random): string => random.one(THOUGHTS);

/** One answer with its calls, and now and then a few words. */
export const step = (random: Random, ...calls: readonly Called[]): Said => ({ text: thought(random), calls });

export const exits = (command: string, output: string, code: number): Called => ({
  tool: 'shell',
  arguments: { command },
  output: `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}[exit code ${code}]`,
});
export const runs = (command: string, output = '[no output]'): Called => ({
  tool: 'shell',
  arguments: { command },
  output,
});
export const reads = (file: string, output: string): Called => ({ tool: 'read', arguments: { path: file }, output });
export const missing = (file: string): Called => ({
  tool: 'read',
  arguments: { path: file },
  fails: `ENOENT: no such file or directory, open '${file}'`,
});
export const edits = (file: string, oldText: string, newText: string): Called => ({
  tool: 'edit',
  arguments: { path: file, oldText, newText },
  output: `${file}: the new text is in place`,
});
export const searches = (pattern: string, output: string): Called => ({ tool: 'grep', arguments: { pattern }, output });
export const nothingFound = (pattern: string): Called => searches(pattern, '[no line matches]');
export const invents = (tool: string, given: Called['arguments']): Called => ({
  tool,
  arguments: given,
  isUnknown: true,
});

const NOTES = ['see the ticket', 'kept for old clients', 'hot path', 'written by hand'];

/** A few lines of source that no other file has. */
export const source = (random: Random, file: string): string =>
  [
    `import { ${symbol(random)} } from './${random.one(['lib', 'core', 'shared'])}.ts';`,
    '',
    `export function ${symbol(random)}${random.from(1, 99)}(input: string): number {`,
    `  // ${file}: ${random.one(NOTES)} ${random.from(100, 999)}`,
    `  return ${symbol(random)}(input) * ${random.from(2, 900)};`,
    '}',
  ].join('\n');

/** What an agent does before it comes to the point: it looks around. */
function opening(random: Random): Said[] {
  const all = [
    () =>
      step(random, { tool: 'list', arguments: { path: '.' }, output: 'README.md\npackage.json\nsrc/\ntest/\ndocs/' }),
    () =>
      step(
        random,
        reads(
          'README.md',
          `# ${random.one(['ledger', 'atlas', 'harbour', 'quill'])}\n\nRun the tests with \`npm test\`.`,
        ),
      ),
    () => step(random, runs('git status --short', random.one(['[no output]', ' M package.json', '?? notes.txt']))),
    () =>
      step(
        random,
        runs(
          'git log --oneline -5',
          `${random.from(100_000, 999_999)} Merge branch 'release'\n${random.from(100_000, 999_999)} Bump version`,
        ),
      ),
    () =>
      step(
        random,
        reads(
          'package.json',
          `{"name": "shop", "version": "1.${random.from(0, 30)}.0", "scripts": {"test": "vitest run"}}`,
        ),
      ),
    () => {
      const file = path(random);
      return step(random, reads(file, source(random, file)));
    },
    () => {
      const [one, other] = [path(random), path(random)];
      return step(random, reads(one, source(random, one)), reads(other, source(random, other)));
    },
  ];
  return random.some(all, random.from(2, 5)).map((make) => make());
}

interface Transcript extends Pick<Family, 'traits' | 'options'> {
  readonly story: string;
  readonly count: number;
  /** What comes after the opening. */
  readonly goes: (random: Random) => readonly Said[];
}

const told =
  (label: Label, end: (random: Random) => readonly Said[]) =>
  ({ goes, ...about }: Transcript): Family => ({
    ...about,
    detector: TRANSCRIPTS,
    label,
    tell: (random): Told => ({
      kind: 'turn',
      prompt: random.one(TASKS),
      says: [...opening(random), ...goes(random), ...end(random)],
    }),
  });

/** A model that gets nowhere: it would go on like this. */
export const stuck = told('loop', () => []);

const ENDS = [
  'Done: the change is in, and all tests pass.',
  'It works now. The cause was a stale default.',
  'Finished. I left a note in the changelog.',
  'All green. Nothing else was touched.',
];
/** A model that works, and comes to its end. */
export const healthy = told('lookalike', (random) => [{ text: random.one(ENDS) }]);
