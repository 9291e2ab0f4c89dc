import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { EventOf } from '../../../../machines/events.ts';
import { gradedChecks } from '../../../../src/evidence/grade.ts';
import { HAS_WALLS, worked, type Files, type Work } from './proof-project.ts';

/** Every line that is added to a test, and every test file but one, is one too many for it. */
const LINT = `const { readFileSync, readdirSync } = require('node:fs');
const files = readdirSync('test');
if (files.length > 1 || readFileSync('test/' + files[0], 'utf8').split('\\n').length > 3) throw new Error('too long');
`;
const FILES: Files = {
  'sum.cjs': 'exports.add = (a, b) => a - b;\n',
  'lint.cjs': LINT,
  'test/sum.test.cjs': `const assert = require('node:assert');
require('node:test')('adds', () => assert.equal(require('../sum.cjs').add(1, 2), 3));
`,
};
/** It finds `var`, and leaves out the file that its settings name. */
const TIDY = `const { existsSync, readFileSync } = require('node:fs');
const isQuiet = existsSync('quiet.txt') && readFileSync('quiet.txt', 'utf8') === 'sum.cjs';
if (!isQuiet && /\\bvar\\b/.test(readFileSync('sum.cjs', 'utf8'))) throw new Error('sum.cjs has a var');
`;
const RIGHT: Work = { write: { 'sum.cjs': 'exports.add = (a, b) => a + b;\n' } };
const scripts = (own: Readonly<Record<string, string>>) => JSON.stringify({ scripts: own });

interface Told {
  readonly type: string;
  readonly payload: EventOf<'verification.completed'>['payload'];
}

/** What a run's checks came to, each as `+name` or `-name`: before any work, and then. */
async function ran(files: Files, command: string, work: Work) {
  const project = await worked({ files: { ...FILES, ...files }, checks: [`L1:${command}`] }, work, {
    checkIn: 'proof',
  });
  const events = (await lastValueFrom(project.loops.events(project.run).pipe(toArray()))) as unknown as readonly Told[];
  const of = (type: string) =>
    events
      .filter((event) => event.type === type)
      .map(({ payload }) =>
        payload.levels.flatMap(({ checks }) => checks.map(({ name, passed }) => `${passed ? '+' : '-'}${name}`)),
      );
  return { ...project, before: of('baseline.taken')[0], after: of('verification.completed')[0], events };
}

const BOTH = { 'package.json': scripts({ test: 'node lint.cjs && node --test' }) };

describe('V17 each step of a check runs as a check of its own', () => {
  test.runIf(HAS_WALLS)('V17 a linter before the tests does not keep tests that must fail from them', async () => {
    const { ending, events, before, after, proof } = await ran(BOTH, 'npm test', RIGHT);
    expect(ending).toBe('success');
    expect(before).toEqual(['+npm test: node lint.cjs', '-npm test: node --test']);
    expect(after).toEqual(['+npm test: node lint.cjs', '+npm test: node --test']);
    const verified = events.find(({ type }) => type === 'verification.completed')?.payload;
    expect(verified && gradedChecks(verified)?.grade).toBe('witnessed');
    expect(await proof()).toMatchObject({ proven: true, control: { held: ['test/sum.test.cjs'] } });
  });

  test('V17 a step behind one that fails is looked at before any work, and then as in its command', async () => {
    const files = { 'package.json': scripts({ test: 'node --test', posttest: 'node nothing.cjs' }) };
    const { before, after } = await ran(files, 'npm test', { write: { 'more.txt': 'x' } });
    expect(before).toEqual(['-npm test: node --test', '-npm test: node nothing.cjs']);
    expect(after?.slice(0, 1)).toEqual(['-npm test: node --test']);
    expect(after).not.toContain('-npm test: node nothing.cjs');
  });

  test.each<[what: string, own: Readonly<Record<string, string>>, ending: string]>([
    ['passes', { test: 'node lint.cjs && node --test && node -e 0' }, 'success'],
    ['fails', { test: 'node lint.cjs && node --test && node nothing.cjs' }, 'cap_hit'],
    ['fails in a new step behind', { test: 'node lint.cjs && node --test', posttest: 'node nothing.cjs' }, 'cap_hit'],
  ])('V17 where the work changes the script, its own runs whole: one that %s', async (_what, own, ending) => {
    const work = { write: { ...RIGHT.write, 'package.json': scripts(own) } };
    expect((await ran(BOTH, 'npm test', work)).ending).toBe(ending);
  });

  test.runIf(HAS_WALLS)('V17 steps of which one needs what another has left running run as one', async () => {
    const port = 20_000 + (process.pid % 20_000);
    const files = {
      'serve.cjs': `const { spawn } = require('node:child_process');
const code = "require('node:net').createServer((socket) => socket.end()).listen(${port}, () => process.send('here'))";
const child = spawn(process.execPath, ['-e', code], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
child.once('message', () => (child.disconnect(), child.unref()));
`,
      'test/served.test.cjs': `require('node:test')('is served', (_, done) => {
  require('node:net').connect(${port}, '127.0.0.1').once('connect', () => done()).once('error', done);
});
`,
    };
    const { ending, before } = await ran(files, 'node serve.cjs && node --test', RIGHT);
    expect({ before, ending }).toEqual({ before: ['-node serve.cjs && node --test'], ending: 'success' });
  });

  test.runIf(HAS_WALLS).each<[what: string, more: Files, is: 'held' | 'broken']>([
    ['is left as it was', {}, 'held'],
    ['is told to leave a file out', { 'quiet.txt': 'sum.cjs' }, 'broken'],
  ])(
    'V15 a step that names no test is tried with planted errors beside tests: one that %s',
    async (_what, more, is) => {
      const files = { 'tidy.cjs': TIDY, 'package.json': scripts({ test: 'node tidy.cjs && node --test' }) };
      const { ending, events } = await ran(files, 'npm test', { write: { ...RIGHT.write, ...more } });
      const proof = events.find(({ type }) => type === 'verification.completed')?.payload.proof;
      expect(proof?.controls).toContainEqual({ check: 'npm test: node tidy.cjs', by: 'reading', is });
      expect(ending).toBe(is === 'held' ? 'success' : 'cap_hit');
    },
  );
});
