import { expect, test } from 'vitest';
import { repository } from '../../git/repository.ts';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../../src/actors/model/script.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';
import { factsOf, office } from '../../hosts/local/office.ts';

const HEADER = "import { test } from 'node:test';\nimport assert from 'node:assert';\n";
const FILES = {
  '.gitignore': '.loopfold\nignored\n',
  'package.json': '{"type": "module"}\n',
  'price.js': '// TODO: price must reject negative amounts\nexport const price = (text) => Number(text);\n',
  'test/price.test.js': [
    HEADER,
    "import { price } from '../price.js';\n",
    "test('reads', () => assert.equal(price('3'), 3));\n",
  ].join(''),
};
const REJECTS = `${HEADER}import * as it from '../price.js';
test('rejects negative amounts', () => assert.throws(() => it.price('-3'), /negative/));
`;
const DONE = `export const price = (text) => {
  if (Number(text) < 0) throw new RangeError('negative');
  return Number(text);
};
`;
const UNDONE = 'export const price = (amount) => Number(amount);\n';
const USAGE = { inputTokens: 400, outputTokens: 100 };

const plan = (path: string, text: string): string => `1. Look.\n\nTest: ${path}\n\`\`\`js\n${text}\`\`\`\n`;
const textOf = ({ messages: [task] }: ModelRequest): string => (task && 'text' in task ? task.text : '');

interface Told {
  /** What the planner answers, the first time and the second. */
  readonly plans: readonly string[];
  /** What the agent writes. */
  readonly writes: Readonly<Record<string, string>>;
  readonly last?: string;
}

/** A night over one TODO. */
async function nightOf({ plans, writes, last = 'Done.' }: Told) {
  const repo = await repository(FILES);
  await repo.git('config', 'user.name', 'Grace');
  await repo.git('config', 'user.email', 'grace@example.org');
  await repo.commit();
  const asked: string[] = [];
  const { start, log } = office((request): ScriptedAnswer => {
    if (request.tools.length === 0) {
      asked.push(textOf(request));
      return { text: plans[asked.length - 1] ?? 'No test shows it.', usage: USAGE };
    }
    if (request.step > 0) return { text: last, usage: USAGE };
    const calls = Object.entries(writes).map(([path, content]) => ({ tool: 'write', arguments: { path, content } }));
    return { calls, usage: USAGE };
  });
  const live = await start({
    loop: 'improvement',
    directory: repo.root,
    tools: ['write'],
    checks: [`L1:${NODE_TESTS}`],
    maxIterations: 1,
    options: { phases: { discovery: { sources: ['todos'] } } },
  } as never);
  const end = await live.done;
  const facts = async <Type extends Parameters<typeof factsOf>[2]>(type: Type) =>
    (await factsOf(log, live.run, type)).map(({ payload }) => payload);
  const [evaluation] = await facts('evaluation.completed');
  const [written] = await facts('plans.written');
  const [prepared] = await facts('experiment.prepared');
  const branches = (await repo.git('branch', '--list', '--format=%(refname:short)', 'loopfold/*')).trim();
  return { ...repo, end, run: live.run, evaluation, written, prepared, asked, branches };
}

test('I12 I13 a TODO is kept where the test that was written first passes now, with that test, witnessed', async () => {
  const { git, end, run, evaluation, prepared, asked, branches } = await nightOf({
    plans: [plan('test/negative.test.js', REJECTS)],
    writes: { 'price.js': DONE },
  });
  // The planner sees what it needs, and asks no tool.
  expect(asked[0]).toContain(FILES['price.js']);
  expect(asked[0]).toContain("test('reads'");
  expect(prepared?.witness).toEqual({
    kind: 'acceptance',
    text: 'test/negative.test.js: rejects negative amounts',
  });
  expect(evaluation).toMatchObject({ passed: true, grade: 'witnessed' });
  expect(end).toMatchObject({ outcome: { ending: 'success', verified: { grade: 'witnessed' } } });
  expect(branches).toBe(`loopfold/${run}`);
  expect(await git('show', `${branches}:test/negative.test.js`)).toBe(REJECTS);
  const message = await git('log', '-1', '--format=%(trailers)', branches);
  expect(message).toContain(`Loopfold-Run: ${run}\n`);
  expect(message).toContain('Loopfold-Witness: acceptance: test/negative.test.js: rejects negative amounts\n');
  expect(message).toContain('Loopfold-Grade: witnessed\n');
});

testInTurn(
  'I12 a TODO whose comment alone is gone is refused by its acceptance test, and nothing is kept',
  async () => {
    const { evaluation, branches } = await nightOf({
      plans: [plan('test/negative.test.js', REJECTS)],
      writes: { 'price.js': UNDONE },
    });
    expect(evaluation).toMatchObject({
      passed: false,
      tier: 'resolves',
      reason: expect.stringMatching(/rejects negative/),
    });
    expect(branches).toBe('');
  },
);

testInTurn('I12 an agent may not change the test that was written first', async () => {
  const { evaluation, branches } = await nightOf({
    plans: [plan('test/negative.test.js', REJECTS)],
    writes: { 'price.js': UNDONE, 'test/negative.test.js': `${HEADER}test('rejects negative amounts', () => {});\n` },
  });
  expect(evaluation).toMatchObject({ passed: false, tier: 'grounds' });
  expect(branches).toBe('');
});

const GREEN = `${HEADER}test('rejects negative amounts', () => assert.ok(true));\n`;
const OF_TEXT = `${HEADER}import { readFileSync } from 'node:fs';
test('no comment', () => assert.ok(!readFileSync('price.js', 'utf8').includes('TODO')));
`;

test('I12 I13 what no test shows lies on a branch of its own, not regressed, and the night goes on', async () => {
  const { git, end, run, evaluation, written, branches, asked } = await nightOf({
    plans: [plan('../negative.test.js', REJECTS), plan('test/negative.test.js', GREEN)],
    writes: { 'price.js': UNDONE },
  });
  // The planner is told once why its test cannot be used.
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain('lies outside of the workspace');
  expect(written?.acceptance).toMatchObject([{ refused: expect.stringContaining('passes on the head') }]);
  expect(evaluation).toMatchObject({
    passed: false,
    tier: 'witness',
    grade: 'not regressed',
    reason: expect.stringMatching(/^not shown: its test test\/negative\.test\.js passes on the head/),
    apart: { branch: branches },
  });
  expect(branches).toMatch(new RegExp(`^loopfold/${run}-todos-`));
  expect(await git('show', `${branches}:price.js`)).toBe(UNDONE);
  expect(await git('log', '-1', '--format=%(trailers)', branches)).toContain('Loopfold-Grade: not regressed\n');
  expect(end).toMatchObject({ outcome: { ending: 'cap_hit' } });
});

/** It fails alone, and passes once anything is added to its file. */
const ALONE = `${HEADER}import { readFileSync } from 'node:fs';
const own = readFileSync(new URL(import.meta.url), 'utf8');
test('a', () => assert.ok(own.split('test(').length > 5));
`;

testInTurn.each([
  ['that only reads the text of the source', 'test/negative.test.js', OF_TEXT, 'reads the text of price.js'],
  ['that is there already', 'test/price.test.js', REJECTS, 'is there already'],
  ['that git ignores', 'ignored/a.test.js', REJECTS, 'git ignores'],
  ['that passes beside others', 'test/a.test.js', ALONE, 'passes without the work'],
  [
    'that does not load',
    'test/a.test.js',
    `${HEADER}import { none } from '../price.js';\ntest('a', none);\n`,
    'not load',
  ],
  [
    'that ends its runner',
    'test/a.test.js',
    `${HEADER}test('a', () => assert.ok(0));\nsetImmediate(() => process.exit(1));\n`,
    'keeps its runner from reporting',
  ],
])('I12 a test %s shows nothing', async (_, path, text, why) => {
  const { written, evaluation } = await nightOf({
    plans: [plan(path, text), plan(path, text)],
    writes: { 'price.js': DONE },
  });
  expect(written?.acceptance).toMatchObject([{ refused: expect.stringContaining(why) }]);
  expect(evaluation).toMatchObject({ passed: false, tier: 'witness' });
});

testInTurn('I14 an agent that says that it cannot be done is believed, and the next one is told', async () => {
  const { evaluation, branches } = await nightOf({
    plans: [plan('test/negative.test.js', REJECTS)],
    writes: {},
    last: 'CANNOT: price has no callers any more',
  });
  expect(evaluation).toMatchObject({
    passed: false,
    tier: 'ended',
    reason: 'it cannot be done, its agent says: price has no callers any more',
  });
  expect(branches).toBe('');
});
