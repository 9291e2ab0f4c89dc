import { readdir, readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { type Ended, Program, project, resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { type ModelServer, modelServer } from '../support/model-server/server.ts';

const NO_SCRIPT = { answers: [{ text: 'not used' }] };

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const linesOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('T9 an answer given by another process, while no process runs it, reaches the model', async () => {
  server = await modelServer({
    answers: [
      {
        calls: [
          { tool: 'ask_user', arguments: { question: 'Which colour?' } },
          { tool: 'shell', arguments: { command: 'echo meanwhile' } },
        ],
      },
      { text: 'As you like it.' },
    ],
  });
  const cwd = await project(NO_SCRIPT);
  const env = { OPENAI_API_KEY: 'a-key-of-no-account', OPENAI_BASE_URL: `${server.url}/v1` };
  const json = ['--output-format', 'json'];

  const asked = await loopfold(['run', 'Paint it.', '-m', 'openai/scripted', ...json], { cwd, env });
  expect(resultIn(asked)).toMatchObject({ exit: 14, state: 'waiting', questions: [{ text: 'Which colour?' }] });
  expect(server.requests).toHaveLength(1);

  expect(await loopfold(['answer', '--last', 'green, of course'], { cwd })).toMatchObject({ status: 0 });
  expect(server.requests).toHaveLength(1);
  const resumed = await loopfold(['resume', '--last', ...json], { cwd, env });

  expect(resultIn(resumed)).toMatchObject({ exit: 0, answer: 'As you like it.' });
  expect(server.requests).toHaveLength(2);
  const said = JSON.stringify(server.requests[1]?.body);
  expect(said).toContain('green, of course');
  expect(said).toContain('meanwhile');
});

test('T11 an abort from a second terminal during a shell command leaves no process, and a complete log', async () => {
  const mark = `loopfold-mark-${process.pid}-${Date.now()}`;
  const deaf = `bash -c 'trap "" TERM; exec -a ${mark}-deaf sleep 300'`;
  const command = `(exec -a ${mark}-child sleep 300) & ${deaf} & sleep 300 # ${mark}`;
  server = await modelServer({
    answers: [
      { calls: [{ tool: 'shell', arguments: { command: `bash -c '${command.replaceAll("'", `'\\''`)}'` } }] },
      { text: 'done' },
    ],
  });
  const cwd = await project(NO_SCRIPT);
  const env = { OPENAI_API_KEY: 'a-key-of-no-account', OPENAI_BASE_URL: `${server.url}/v1` };
  const first = new Program(['run', 'Wait.', '-m', 'openai/scripted', '--verify', 'true', '--output-format', 'json'], {
    cwd,
    env,
  });
  await first.shows('› shell');
  const isDeaf = async () => (await processesWith(mark)).some((line) => line.startsWith(`${mark}-deaf`));
  await expect.poll(isDeaf, { timeout: 120_000 }).toBe(true);

  const second = await loopfold(['abort', '--last', '--reason', 'enough'], { cwd });
  const ended = await first.ended;

  expect(second.status).toBe(0);
  expect(resultIn(ended)).toMatchObject({ exit: 13, outcome: { ending: 'abort', cause: 'user' } });
  expect(await processesWith(mark)).toEqual([]);
  const top = linesOf(await loopfold(['events', '--last', '--json'], { cwd }));
  expect(top.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['abort.requested', 'child.settled', 'summary.written', 'strategy.ended']),
  );
  const child = top.find(({ type }) => type === 'child.settled').payload.child;
  const below = linesOf(await loopfold(['events', child, '--json'], { cwd }));
  expect(below.filter(({ type }) => type === 'tool.interrupted')).toHaveLength(1);
  expect(below.at(-1)).toMatchObject({ type: 'strategy.ended' });
});

/** Processes that have a text in their command line, this one left out. */
async function processesWith(text: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(text));
}
