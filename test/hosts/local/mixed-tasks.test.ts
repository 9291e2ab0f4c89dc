import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_CUT_ANSWERS } from '../../../src/loops/turn/no-answer.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { Random } from '../../corpus/random.ts';
import { environmentOn, WIRES } from '../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { modelServer, type ServedRequest } from '../../support/model-server/server.ts';
import { takesAll } from '../../support/tenth.ts';

const TASKS = takesAll ? 40 : 12;
const PRICE = { inputPerMillion: 2, outputPerMillion: 10 };
const AT_ONCE = { 'retry-after-ms': '1' };

/** Some steps that read, a claim at the end, and ends that are no answers between them. */
function answersOf(random: Random): ServerScript['answers'] {
  const step = (number: number) => ({
    text: 'w'.repeat(random.from(0, 400)),
    calls: [{ tool: 'read', arguments: { path: 'a.txt', startLine: 1 + (number % 9) } }],
  });
  const ends = ['length', 'filter', 'refusal'] as const;
  const cut = () => ({ text: `Part ${random.from(0, 1e9)} of it,`, end: random.one(ends) });
  return Array.from({ length: random.from(2, 5) }, (_, number) => [
    ...(random.from(0, 3) === 0 ? [cut()] : []),
    step(number),
  ])
    .flat()
    .concat([{ text: 'All of it is read.', calls: [] }]);
}

/** Every kind of fault, one for each of the first requests at most. */
function faultsOf(random: Random): ServerScript['faults'] {
  const kinds = [
    { status: 500, headers: AT_ONCE },
    { status: 503, headers: AT_ONCE },
    { status: 429, headers: AT_ONCE },
    { dieAfter: random.from(0, 3) },
    { endAfter: random.from(0, 3) },
    { malformedAfter: random.from(0, 3) },
    { errorAfter: random.from(0, 3) },
    { splitBytes: 7 },
    { delayMs: 2 },
  ] as const;
  return [0, 2].map((request) => ({ request, ...random.one(kinds) }));
}

async function played(seed: number) {
  const random = new Random(seed);
  const server = await modelServer({ answers: answersOf(random), faults: faultsOf(random) });
  const model = WIRES[seed % WIRES.length] ?? WIRES[0];
  const [provider = ''] = model.split('/');
  const directory = await temporaryFolder();
  await writeFile(join(directory, 'a.txt'), 'line\n'.repeat(20));
  const loops = new Loops({
    log: memoryLog(),
    environment: environmentOn(server.url),
    providers: { [provider]: { prices: { m: PRICE } } },
  });
  const given = { prompt: 'Read all of it.', loop: 'turn', model, tools: ['read'], directory };
  const end = await (await loops.start({ ...given, detectors: ['off'], maxTokens: 400_000, maxCost: 5 })).done;
  await server.close();
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  return { model, end, requests: server.requests };
}

const isWhole = (requests: readonly ServedRequest[]) => requests.every(({ end }) => end !== 'cut');
const textOf = ({ body }: ServedRequest) => JSON.stringify(body);
const tokensOf = (requests: readonly ServedRequest[], part: 'inputTokens' | 'outputTokens') =>
  requests.reduce((sum, { reported }) => sum + (reported?.[part] ?? 0), 0);

test('G4 G8 mixed tasks with faults repeat no request without cause, and count as the server does', async () => {
  const tasks = await Promise.all(Array.from({ length: TASKS }, (_, seed) => played(seed)));

  const repeated = tasks.flatMap(({ requests }) =>
    requests.filter((one, at) => {
      const before = requests[at - 1];
      return before?.end === 'whole' && textOf(before) === textOf(one);
    }),
  );
  expect(repeated).toEqual([]);
  for (const { model, end, requests } of tasks) {
    const { inputTokens, outputTokens, estimatedTokens = 0 } = end.spend;
    const told = requests.filter(({ reported }) => reported !== null);
    const counted = tokensOf(told, 'inputTokens') + tokensOf(told, 'outputTokens');
    // Of a stream that broke off, what its provider has not told is estimated, and marked.
    const used = inputTokens + outputTokens;
    if (isWhole(requests)) expect([model, used, estimatedTokens]).toEqual([model, counted, 0]);
    else expect([used >= counted, used - estimatedTokens <= counted]).toEqual([true, true]);
    const worth = inputTokens * PRICE.inputPerMillion * 1e3 + outputTokens * PRICE.outputPerMillion * 1e3;
    expect(end.spend.costNanoUsd).toBe(worth);
    expect(requests.length).toBeLessThanOrEqual(told.length + 2);
  }
  expect(tasks.filter(({ requests }) => isWhole(requests)).length).toBeGreaterThan(TASKS / 4);
  expect(tasks.filter(({ end }) => end.outcome.ending === 'success').length).toBeGreaterThan(TASKS / 2);
  expect(MAX_CUT_ANSWERS).toBe(4);
});
