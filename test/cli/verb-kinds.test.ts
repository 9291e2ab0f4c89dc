import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { MARK_VARIABLE } from '../../src/actors/command-mark.ts';
import { VERB_KINDS } from '../../src/cli/args/run-around.ts';
import { programOf } from '../../src/cli/program/program.ts';
import { standardStreams } from '../../src/cli/terminal/output.ts';
import { root } from '../repository/tool.ts';
import { type How, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const verbs = programOf(standardStreams(true), { flags: {}, status: 0 }).commands.map((command) => command.name());
const of = (kind: string) => verbs.filter((verb) => VERB_KINDS.get(verb) === kind);

test('T9 every verb is said to read, to start or to decide, and the record of the decision says why', async () => {
  expect([...VERB_KINDS.keys()].toSorted()).toEqual(verbs.toSorted());
  const page = await readFile(join(root, 'docs/decisions/0010-decisions-of-persons.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| ./gm)].map(([, verb, kind]) => [verb, kind]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(VERB_KINDS));
});

describe('T9 inside a run of the same log', () => {
  let inside: How;
  let person: How;
  beforeAll(async () => {
    const asks = { tool: 'ask_user', arguments: { question: 'Which colour?' } };
    const cwd = await project({ answers: [{ calls: [asks] }, { text: 'painted' }] });
    const { run } = resultIn(await loopfold(['run', 'x', ...MODEL, '--output-format', 'json'], { cwd }));
    person = { cwd };
    inside = { cwd, env: { [MARK_VARIABLE]: `0a.1@${run};` } };
  });

  const MORE: Readonly<Record<string, readonly string[]>> = {
    answer: ['--last', 'red'],
    steer: ['--last', 'Use tabs.'],
    extend: ['--last', '--max-steps', '9'],
    gc: [],
    deliver: [],
    serve: ['--port', '0'],
    requeue: ['4f2a91c0'],
    mcp: [],
    acp: [],
    studio: ['--port', '0'],
  };

  test.each(of('decides'))('T9 %s is refused inside a run of the same log, and nothing is recorded', async (verb) => {
    const before = await loopfold(['events', '--last', '--json'], person);
    const { status, stderr } = await loopfold([verb, ...(MORE[verb] ?? ['--last'])], inside);
    expect(stderr).toContain(`${verb} records a decision of a person, and is refused inside run `);
    expect(status).toBe(2);
    expect((await loopfold(['events', '--last', '--json'], person)).stdout).toBe(before.stdout);
  });

  const ASKED: Readonly<Record<string, readonly string[]>> = {
    show: ['--last'],
    events: ['--last'],
    rebuild: ['--last'],
    redecide: ['--last', '--strategy', 'fixed'],
    prove: ['--last'],
  };

  test.each(of('reads'))('T9 %s is not refused inside a run of the same log', async (verb) => {
    const { stderr } = await loopfold([verb, ...(ASKED[verb] ?? [])], inside);
    expect(stderr).not.toContain('records a decision');
    expect(stderr).not.toContain(MARK_VARIABLE);
  });

  test.each([
    ['apply', '--check'],
    ['undo', '--check'],
    ['gc', '--dry-run'],
  ])('%s %s only reads', async (verb, flag) => {
    const { stderr } = await loopfold([verb, ...(verb === 'gc' ? [] : ['--last']), flag], inside);
    expect(stderr).not.toContain('records a decision');
  });

  test('T9 a verb that decides works in a process of a run that is in another log', async () => {
    const elsewhere = { ...inside, env: { [MARK_VARIABLE]: '0a.1@01OTHER;' } };
    const { status, stderr } = await loopfold(['answer', '--last', 'red'], elsewhere);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('has the answer') });
  });
});
