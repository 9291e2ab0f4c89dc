import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/log/envelope.ts';
import { fc } from '../../support/fast-check.ts';
import { tenthOfMany } from '../../support/tenth.ts';
import { FILES, MARKER, NAMES, type Trap, listenIn, trap } from './trap.ts';
import { calling } from './workspace.ts';

const PATHS = tenthOfMany(10_000);
const RESET_AFTER = 100;

const SPELT = ['.gi\u200ct', '.g\u0131t', '.ｇｉｔ', '.git.', '.git ', 'git~1', '.git::$INDEX_ALLOCATION'];
const RESERVED = ['.git', '.GIT', '.Git', '.loopfold', '.LOOPFOLD', ...SPELT];
const DOTS = ['.', '..', '...', '. .', '.. ', '..\\', '%2e%2e', '\u2025', '\u2024\u2024'];
const STEPS = [...DOTS, '', '~', '\\', 'a'.repeat(300), 'x\0y'];

function paths({ base, directory, outside }: Trap): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...NAMES, 'socket') },
    { weight: 2, arbitrary: fc.constantFrom(...RESERVED) },
    { weight: 2, arbitrary: fc.constantFrom(...STEPS) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) },
  );
  const beginnings = ['./', '/', '//', '~/', 'file://', '/proc/self/root/', '/proc/self/cwd/', '/dev/fd/'];
  const beginning = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.constantFrom(`${directory}/`, `${outside}/`, `${base}/`, `${directory}-beside/`, `${directory}/../outside/`),
    fc.constantFrom(...beginnings, `/proc/self/root${outside}/`),
  );
  const separator = fc.oneof({ weight: 5, arbitrary: fc.constant('/') }, fc.constantFrom('//', '/./', '\\', '/../'));
  const ends = ['/', '/.', '/..', '\0', ' ', '.', ':x', '\n'];
  const end = fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.constantFrom(...ends));
  // Few made paths name a file that is there: without these, a tenth of the set may never get to edit one.
  const real = fc
    .tuple(fc.constantFrom('', './', `${directory}/`), fc.constantFrom(...FILES))
    .map((parts) => parts.join(''));
  const made = fc
    .tuple(beginning, fc.array(fc.tuple(segment, separator), { minLength: 1, maxLength: 5 }), end)
    .map(([start, steps, end]) => {
      const way = steps.map(([name, separator], index) => (index === 0 ? name : separator + name)).join('');
      return start + way + end;
    })
    .filter((path) => path !== '');
  return fc.oneof({ weight: 19, arbitrary: made }, { weight: 1, arbitrary: real });
}

type Call = readonly [tool: string, args: Json];

const looks = (path: string): readonly Call[] => [
  ['read', { path }],
  ['list', { path, depth: 2, includeIgnored: true }],
  ['glob', { path, pattern: '**', includeIgnored: true }],
  ['grep', { path, pattern: '.', includeIgnored: true }],
];
const changes = (path: string): readonly Call[] => [
  ['edit', { path, oldText: 'old', newText: 'new' }],
  ['multi_edit', { path, edits: [{ oldText: 'inside', newText: 'within' }] }],
  ['write', { path, content: 'inside old\n' }],
];

test('no path leads any file tool out of the workspace, or to what is off limits', async () => {
  const place = trap();
  await listenIn(place.directory, 'socket');
  let before = place.untouched();
  let count = 0;
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(paths(place), async (path) => {
      count += 1;
      if (count % RESET_AFTER === 0) {
        place.reset();
        before = place.untouched();
      }
      const made = async ([tool, args]: Call) => [tool, ...(await calling(place.directory, tool, args))] as const;
      const results = await Promise.all(looks(path).map(made));
      for (const call of changes(path)) results.push(await made(call));
      expect(JSON.stringify(results)).not.toContain(MARKER);
      expect(place.untouched()).toBe(before);
      for (const [tool, event, ...more] of results) {
        expect(more).toEqual([]);
        if (event?.type === 'tool.completed') {
          reached.add(tool);
          const real = realpathSync(resolve(place.directory, path));
          expect(`${real}${sep}`.startsWith(`${place.directory}${sep}`)).toBe(true);
          continue;
        }
        // A refusal that was thought of: no accident, and no tool that hung.
        const code = expect.stringMatching(KNOWN);
        expect(event).toMatchObject({ type: 'tool.failed', payload: { fault: { code } } });
      }
    }),
    { numRuns: PATHS, endOnFailure: true },
  );
  // A fuzz that never gets in anywhere would prove nothing.
  expect([...reached].toSorted()).toEqual(['edit', 'glob', 'grep', 'list', 'multi_edit', 'read', 'write']);
});

const KNOWN = /^(path|file|edit)_refused$/;
