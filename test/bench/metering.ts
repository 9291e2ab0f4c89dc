import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Meter } from '../../src/agents/meter/meter.ts';
import { type Figure, median, wallSeconds } from './measure.ts';

const CALLS = 300;
const WARM_UP = 30;
const ASKED = JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'x'.repeat(4_000) }] });
const USAGE = { input_tokens: 10, output_tokens: 1 };
const SAID = `data: ${JSON.stringify({ type: 'message_start', message: { usage: USAGE } })}\n\n`;

/** The first byte of an answer through the meter, beside one that comes straight from a server on this machine. */
export async function meteringFigures(): Promise<readonly Figure[]> {
  const server = createServer((request, answer) => {
    request.resume().on('end', () => answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(SAID));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = { header: 'x-api-key', value: 'sk-of-a-bench' };
  const open = await new Meter().open({
    doors: [{ wire: 'anthropic', name: 'bench', address, key }],
    allowed: { tokens: 1_000_000_000, nanoUsd: null },
    priceOf: async () => null,
    now: Date.now,
  });
  const firstByte = async (base: string) => {
    const answer = await fetch(`${base}/v1/messages`, { method: 'POST', body: ASKED });
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  };
  try {
    const [straight, metered]: [number[], number[]] = [[], []];
    for (let call = 0; call < WARM_UP + CALLS; call += 1) {
      const pair = [
        await wallSeconds(() => firstByte(address)),
        await wallSeconds(() => firstByte(open.base('anthropic'))),
      ];
      if (call < WARM_UP) continue;
      straight.push(pair[0] ?? 0);
      metered.push(pair[1] ?? 0);
    }
    const without = median(straight) * 1_000;
    const added = median(metered) * 1_000 - without;
    return [
      { name: 'the first byte of an answer without a meter', value: without, unit: 'ms', bound: null },
      { name: 'added by the meter', value: added, unit: 'ms', bound: { atMost: 5 }, absolute: true },
    ];
  } finally {
    open.close();
    server.closeAllConnections();
    server.close();
  }
}
