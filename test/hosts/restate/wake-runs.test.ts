import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { wakeRuns } from '../../../src/hosts/restate/wake-runs.ts';
import { thisProcess } from '../../../src/log/holder.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';

test('H5 given a run that is held while its answer is recorded, when it is free, then it is woken', async () => {
  const woken: string[] = [];
  const ingress = createServer((request, response) => {
    woken.push(request.url ?? '');
    response.end();
  });
  await once(ingress.listen(0, '127.0.0.1'), 'listening');
  const over = new AbortController();
  onTestFinished(() => {
    over.abort();
    ingress.close();
  });
  const log = memoryLog();
  let looks = 0;
  const changing = {
    ...log,
    changes: async () => ({ position: (looks += 1), trees: looks === 2 ? ['run-1'] : [] }),
    holder: async () => (looks < 4 ? thisProcess() : null),
    stirred: () => new Promise<void>((resolve) => setTimeout(resolve, 5)),
  };
  const { port } = ingress.address() as AddressInfo;
  void wakeRuns(changing as never, { ingress: `http://127.0.0.1:${port}`, signal: over.signal });
  await expect.poll(() => woken).toEqual(['/loopfold/run-1/wake/send']);
  expect(looks).toBeGreaterThanOrEqual(4);
});
