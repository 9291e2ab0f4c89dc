import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { receiver } from '../support/webhook-receiver.ts';
import { project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

/** Edits the log in its first step, where a statement is given, and makes in its second what the check looks for. */
const MODEL = `const steps = [
  { calls: [{ tool: 'shell', arguments: { command: JSON.stringify(process.env.NODE) + ' edit.mjs' } }] },
  { calls: [{ tool: 'write', arguments: { path: 'made.txt', content: 'made' } }] },
];
export default ({ step }) => steps[step] ?? { text: 'done' };
`;
const edits = (sql: string): string => `import { DatabaseSync } from 'node:sqlite';
const database = new DatabaseSync('.loopfold/log.db', { timeout: 5000 });
database.exec(${JSON.stringify(sql)});
database.close();
`;
const REWRITTEN = `UPDATE events SET payload = replace(payload, 'Make it.', 'Fake it.') WHERE version = 1`;
const RUN = [
  'run',
  'Make it.',
  '--model',
  'script:model.mjs',
  '--verify',
  'grep made made.txt',
  '--accept',
  'verified',
];
const env = { NODE: process.execPath };

const projectOf = (sql: string) =>
  project({ answers: [] }, { '.gitignore': '.loopfold\n', 'model.mjs': MODEL, 'edit.mjs': edits(sql) });

test.each(['text', 'stream-json'])(
  'an agent that edits the log of its run gets the damage alone, and no success before it: %s',
  async (format) => {
    const cwd = await projectOf(REWRITTEN);
    const { status, stdout, stderr } = await loopfold([...RUN, '--output-format', format], { cwd, env });
    expect(status).toBe(7);
    expect(stderr).toContain('✓ L0 grep made made.txt');
    expect(stderr).toMatch(
      /its hash chain does not hold at version 1: .*Restore the log from a copy, or save the runs/,
    );
    expect(stderr).not.toMatch(/success|the checks passed|nothing was written|resume/);
    expect(stdout).not.toContain('the checks passed');
    expect(stderr).toMatch(/next {2}.* check\n/);
  },
);

testInTurn('a success whose log holds is shown once, with every event of it', async () => {
  const cwd = await projectOf('SELECT 1');
  const { status, stdout, stderr } = await loopfold([...RUN, '--output-format', 'stream-json'], { cwd, env });
  expect(status).toBe(0);
  expect(stderr.match(/^success, .*: the checks passed$/gm)).toHaveLength(1);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; run: string; version: number });
  const root = lines.filter(({ run, type }) => run === lines[0]?.run && type !== 'result');
  expect(root.map(({ version }) => version)).toEqual(root.map((_, index) => index + 1));
  expect(root.map(({ type }) => type)).toContain('decision.made');
  expect(lines.at(-1)).toMatchObject({ type: 'result', exit: 0, state: 'ended' });
});

test('R11 a webhook is told no success of a run whose log was edited, neither at its end nor by deliver', async () => {
  const { url, received } = await receiver();
  const cwd = await projectOf(REWRITTEN);
  const webhook = JSON.stringify({ url, secretVariable: null });
  const words = [...RUN, '--webhook', webhook, '--output-format', 'json'];
  const ended = await loopfold(words, { cwd, env });
  expect(ended.status).toBe(7);
  expect(ended.stderr).toContain(`1 report owed to ${url}: not sent, see \`loopfold check\`: run `);
  expect(resultIn(ended).owed).toMatchObject([
    { url, lastError: expect.stringContaining('does not hold at version 1') },
  ]);
  expect(await loopfold(['deliver'], { cwd, env })).toMatchObject({
    status: 17,
    stdout: '0 reports delivered\n',
    stderr: expect.stringContaining('not sent, see `loopfold check`: run '),
  });
  expect(received.map(({ body }) => JSON.parse(body).status)).toEqual(['started']);
});
