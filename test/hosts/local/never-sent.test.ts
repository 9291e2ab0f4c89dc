import { lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';

const PRICES = { 'gpt-5': { inputPerMillion: 2_000, outputPerMillion: 10_000 } };

test('G8 a port that no client connects to: nothing was sent, so nothing is charged, nor asked again', async () => {
  const loops = new Loops({
    log: memoryLog(),
    environment: { OPENAI_API_KEY: 'sk-test-0123456789' },
    providers: { 'openai-chat': { baseUrl: 'http://127.0.0.1:6000/v1', prices: PRICES } },
  });

  const run = await loops.start({
    prompt: 'Look at it.'.repeat(100),
    loop: 'turn',
    model: 'openai-chat/gpt-5',
    directory: await temporaryFolder(),
    maxCost: 5,
  });
  const end = await run.done;

  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  expect(end.outcome).toMatchObject({
    ending: 'abort',
    fault: { code: 'provider_unavailable', message: expect.stringContaining('belongs to another service') },
  });
  const facts = await lastValueFrom(loops.events(run.run).pipe(toArray()));
  const used = facts.flatMap((fact) => (fact.type === 'model.failed' ? [fact.payload] : []));
  expect(used).toMatchObject([{ usage: { inputTokens: 0, outputTokens: 0 } }]);
  expect(facts.map(({ type }) => type as string)).not.toContain('model.retried');
});
