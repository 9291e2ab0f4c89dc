import { lastValueFrom, toArray } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_WAITS_A_STEP } from '../../../machines/turn.machine.ts';
import { MAX_WAITS } from '../../../src/actors/model/patience.ts';
import { exitOf } from '../../../src/cli/terminal/exit-status.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { modelServer } from '../../support/model-server/server.ts';

/** More tries than a test will make. */
const REQUESTS = 400;

test('T11 a model and its fallback that ask for patience for ever end a run that has no time limit', async () => {
  const faults = Array.from({ length: REQUESTS }, (_, request) => ({
    request,
    status: 429,
    headers: { 'retry-after-ms': '1' },
  }));
  const server = await modelServer({ answers: [{ text: 'Never.' }], faults });
  onTestFinished(server.close);
  const environment = {
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-test-0123456789',
    ANTHROPIC_BASE_URL: server.url,
  };
  const loops = new Loops({ log: memoryLog(), environment });
  const models = { model: 'openai/gpt-5', fallbackModel: 'anthropic/claude-sonnet-4-5' };
  const run = await loops.start({
    prompt: 'Look.',
    loop: 'turn',
    directory: await temporaryFolder(),
    maxTime: 'none',
    ...models,
  });

  const end = await run.done;

  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  expect(end.outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'provider_unavailable' } });
  expect(exitOf(end.outcome, false)).toBe(4);
  const facts = await lastValueFrom(loops.events(run.run).pipe(toArray()));
  const many = (type: string) => facts.filter((fact) => fact.type === type).length;
  // Each of the two has all the patience that one model has, and together they have no more than a step.
  expect([many('model.limited'), many('timer.fired'), many('model.replaced')]).toEqual([
    2 * MAX_WAITS,
    2 * MAX_WAITS,
    1,
  ]);
  expect(2 * MAX_WAITS).toBeLessThanOrEqual(MAX_WAITS_A_STEP);
  expect(server.requests.length).toBeLessThan(REQUESTS);
});
