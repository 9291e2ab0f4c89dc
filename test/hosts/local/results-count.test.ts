import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/actors/tools/tool.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { ended } from '../../support/run-history.ts';
import { factsOf, office } from './office.ts';

/** A tool that brings something new each time, and a model that asks it five times and is done. */
function watching() {
  let looks = 0;
  const news = defineTool({
    name: 'news',
    description: 'The newest line.',
    input: z.strictObject({}),
    run: async () => ({ output: `line ${(looks += 1)}` }),
  });
  const look = { calls: [{ tool: 'news', arguments: {} }], repeat: 5 };
  return office({ answers: [look, { text: 'It is out.' }] }, { tools: [news] });
}

const counts = { name: 'identical-calls', config: { results: 'count' } };
const ignores = { name: 'identical-calls', config: { results: 'ignore' } };

testInTurn.each<[string, Partial<RunOptions>, string, object[]]>([
  ['a bare turn ignores results', {}, 'doom_loop', []],
  ['a bare turn may count them', { detectors: ['default', counts] }, 'success', [counts]],
  ['an agent page makes them count', { agent: 'watcher' }, 'success', [counts]],
  ['an agent may ignore them', { agent: 'watcher', detectors: ['default', ignores] }, 'doom_loop', [ignores]],
  ['`off` counts them too', { agent: 'watcher', detectors: ['off'] }, 'success', [counts]],
])('T7 D0+ %s', async (_, given, ending, recorded) => {
  const harness = watching();
  const live = await harness.start({ tools: ['news'], ...given });
  expect((await ended(live)).outcome.ending).toBe(ending);
  const [{ payload } = { payload: null }] = await factsOf(harness.log, live.run, 'run.started');
  expect(payload?.settings.detectors?.slice(1)).toEqual(recorded);
});

test('T7 D0+ in a loop of attempts each attempt counts results', async () => {
  const harness = watching();
  const directory = mkdtempSync(join(tmpdir(), 'loopfold-'));
  execFileSync('git', ['init', '--quiet', directory]);
  const live = await harness.start({ loop: 'iteration', tools: ['news'], maxIterations: 1, directory });
  await ended(live);
  const settled = await factsOf(harness.log, live.run, 'child.settled');
  expect(settled).toMatchObject([{ payload: { outcome: { ending: 'success' } } }]);
});

testInTurn('T7 D0+ numbers by the name of a detector are those of the default profile', async () => {
  const harness = watching();
  const live = await harness.start({
    tools: ['news'],
    detectors: { identicalCalls: { results: 'ignore', threshold: 4 } },
  });
  expect((await ended(live)).outcome).toMatchObject({ ending: 'doom_loop', finding: { level: 'stop', count: 4 } });
  const wrong = harness.start({ detectors: { identicalCall: {} } });
  await expect(wrong).rejects.toThrow('Did you mean identical-calls?');
});

test('D8 commands that a run declares as polling may be repeated, also when it is judged again', async () => {
  const look = { calls: [{ tool: 'shell', arguments: { command: 'cat status.txt' } }], repeat: 5 };
  const outcomes = async (polling?: string[]) => {
    const harness = office({ answers: [look, { text: 'It is queued.' }] });
    const directory = mkdtempSync(join(tmpdir(), 'loopfold-'));
    writeFileSync(join(directory, 'status.txt'), 'queued');
    const live = await harness.start({ tools: ['shell'], directory, ...(polling ? { polling } : {}) });
    const { outcome } = await ended(live);
    const again = await harness.loops().redecide(live.run, {});
    return [outcome.ending, again.kind === 'redecided' ? again.tree.conclusion : again.kind];
  };
  expect(await outcomes()).toEqual(['doom_loop', 'agrees']);
  expect(await outcomes(['cat *'])).toEqual(['success', 'agrees']);
});
