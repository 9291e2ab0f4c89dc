import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository } from '../../git/repository.ts';
import { environmentOn, WIRES } from '../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { modelServer, type ServedRequest } from '../../support/model-server/server.ts';
import { tenthOf } from '../../support/tenth.ts';

const CHECK = 'test "$(cat sum.txt)" = 3 || { echo "sum.txt should say 3"; exit 1; }';
const write = (content: string) => ({
  text: `I write ${content}.`,
  calls: [{ tool: 'write', arguments: { path: 'sum.txt', content } }],
});

async function served(answers: ServerScript['answers']) {
  const server = await modelServer({ answers });
  onTestFinished(server.close);
  const { root: directory } = await repository({ 'sum.txt': '1', 'AGENTS.md': 'Sums are whole numbers.' });
  const loops = new Loops({ log: memoryLog(), environment: environmentOn(server.url) });
  const play = async (model: string, prompt: string, more: Partial<RunOptions> = {}) => {
    const given = { prompt, model, directory, checks: [CHECK], checkIn: 'workspace', maxIterations: 3 } as const;
    const run = await loops.start({ ...given, checks: [CHECK], ...more });
    const end = await run.done;
    if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
    return { run: run.run, outcome: end.outcome };
  };
  return { server, play };
}

const textOf = (request: ServedRequest | undefined) => JSON.stringify(request?.body);

describe.each(tenthOf(WIRES))('%s', (model) => {
  test('G1 G2 G3 G7 the model is told what it needs, from the first prompt to the continuation', async () => {
    const { server, play } = await served([
      write('2'),
      { text: 'It is two now.' },
      write('3'),
      { text: 'It is three now.' },
      { text: 'It was one at first.' },
    ]);
    const first = await play(model, 'Make sum.txt right.');
    expect(first.outcome).toMatchObject({ ending: 'success' });

    const [asked, , again] = server.requests;
    for (const text of ['You are a coding agent', 'Sums are whole numbers.', 'Make sum.txt right.', 'cat sum.txt'])
      expect(textOf(asked)).toContain(text);
    for (const text of ['attempt 2 of 3', 'It is two now.', 'sum.txt should say 3'])
      expect(textOf(again)).toContain(text);
    expect(textOf(asked)).not.toContain('attempt 2 of 3');

    const next = await play(model, 'What was it at first?', { continues: first.run });
    expect(next.outcome).toMatchObject({ ending: 'success' });
    for (const text of ['It is three now.', 'What was it at first?'])
      expect(textOf(server.requests[4])).toContain(text);
  });

  test('T6 G8 a cap that has no room for the first request sends nothing', async () => {
    const { server, play } = await served([{ text: 'never asked for' }]);
    const { outcome } = await play(model, 'Make sum.txt right.', { maxTokens: 500 });

    expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 0, limit: 500 } });
    expect(server.requests).toEqual([]);
  });
});
