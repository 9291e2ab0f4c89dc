import { afterEach, expect, test } from 'vitest';
import { project, resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { testInTurn } from '../support/in-turn.ts';
import { modelServer, type ModelServer } from '../support/model-server/server.ts';

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const look = (depth: number) => ({ calls: [{ tool: 'list', arguments: { path: '.', depth } }] });
const NO_SCRIPT = { answers: [] };

testInTurn('D2a a model in a circle is told once through its API, then stopped, with evidence in the log', async () => {
  server = await modelServer({
    answers: [...Array.from({ length: 12 }, (_, step) => look(1 + (step % 2))), { text: 'done' }],
  });
  const cwd = await project(NO_SCRIPT, { 'a.txt': 'x', 'b/c.txt': 'x' });
  const env = { OPENAI_API_KEY: 'a-key-of-no-account', OPENAI_BASE_URL: `${server.url}/v1` };
  const ended = await loopfold(['run', 'Look around.', '-m', 'openai/scripted', '--output-format', 'json'], {
    cwd,
    env,
  });

  const result = resultIn(ended);
  expect(ended.status).toBe(11);
  expect(result).toMatchObject({
    state: 'ended',
    outcome: { ending: 'doom_loop', finding: { detector: 'cycles', level: 'stop', count: 5 } },
  });
  expect(result.evidence).toHaveLength(10);
  expect(server.requests).toHaveLength(10);
  const told = server.requests.map(({ body }) => JSON.stringify(body).split('You may be going in circles').length - 1);
  expect(told).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  expect(JSON.stringify(server.requests[6]?.body)).toContain('the same 2 calls in turn, 3 times: list, list');

  const shown = await loopfold(['show', '--last'], { cwd });
  expect(shown.stdout).toContain('the same 2 calls in turn, 5 times: list, list');
});

test('D2a with --detectors off it goes on', async () => {
  const cwd = await project({
    answers: [...Array.from({ length: 12 }, (_, step) => look(1 + (step % 2))), { text: 'done' }],
  });
  const ended = await loopfold(['run', 'Look around.', '-m', 'script:model.json', '--detectors', 'off'], { cwd });
  expect(ended).toMatchObject({ status: 0, stdout: 'done\n' });
});
