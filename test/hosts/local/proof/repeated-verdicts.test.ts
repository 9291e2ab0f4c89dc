import { expect, test } from 'vitest';
import type { EventOf } from '../../../../machines/events.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedModel } from '../../../../src/actors/model/model-script.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import {
  type EarlierVerdicts,
  rememberVerdict,
  repeatedVerdict,
} from '../../../../src/verification/earlier-verdict.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { sound as soundProof } from '../../../evidence/sound-proof.ts';
import { tool } from '../../../support/stand-ins.ts';
import { HAS_WALLS } from './proof-project.ts';

type Verification = EventOf<'verification.completed'>['payload'];

const failed: Verification = { passed: false, workspace: 'tree', levels: [], proof: soundProof };
const found = { state: 'as it is', verification: failed, isOpen: false, moved: false };
const asked = async (verdicts: EarlierVerdicts, state = 'as it is') =>
  repeatedVerdict(verdicts, 'tree', async () => state);

test('V5 a failure of the same files in the same surroundings is repeated, and says so', async () => {
  const verdicts: EarlierVerdicts = new Map();
  expect(await asked(verdicts)).toBe(null);
  rememberVerdict(verdicts, found);
  expect(await asked(verdicts)).toEqual({ ...failed, proof: { ...soundProof, repeated: true } });
  expect(await asked(verdicts, 'another')).toBe(null);
});

test.each<[string, Partial<typeof found>]>([
  ['a success', { verification: { ...failed, passed: true } }],
  ['files that changed meanwhile', { moved: true }],
  ['checks that reach more than their checkout', { isOpen: true }],
  [
    'a dispute, which is asked about next',
    {
      verification: {
        ...failed,
        proof: { ...soundProof, dispute: { is: 'told', digest: '', diff: '', testsCount: 0, tests: [] } },
      },
    },
  ],
])('V5 %s is not repeated', async (_what, more) => {
  const verdicts: EarlierVerdicts = new Map();
  rememberVerdict(verdicts, { ...found, ...more });
  expect(await asked(verdicts)).toBe(null);
});

test.skipIf(!HAS_WALLS)(
  'V5 an attempt that changes nothing is answered without its checks, unless a dependency has changed',
  async () => {
    const { root, commit, write } = await repository({
      '.gitignore': '.loopfold\nnode_modules\n',
      'check.sh': 'date +%N; grep -q right a.txt node_modules/a/b\n',
      'a.txt': 'wrong\n',
    });
    await commit();
    await write({ 'node_modules/a/b': 'wrong\n' });
    let calls = 0;
    const one = tool('work', async (_input, { directory }) => {
      calls += 1;
      if (calls === 1) await writeFile(join(directory, 'a.txt'), 'worse\n');
      if (calls === 3) await writeFile(join(directory, 'node_modules/a/b'), 'wrong, too\n');
      return { output: '' };
    });
    const call = { calls: [{ tool: 'work', arguments: {} }] };
    const answers = [call, { text: 'done' }, call, { text: 'done' }, call, { text: 'done' }];
    const log = memoryLog();
    const loops = new Loops({ log, model: scriptedModel({ answers }), tools: [one] });
    const checks = ['L1:sh check.sh'];
    const live = await loops.start({ prompt: 'x', directory: root, tools: ['work'], checks, maxIterations: 3 });
    await live.done;
    const seen: Verification[] = [];
    for await (const { type, payload } of log.read(live.run)) {
      if (type === 'verification.completed') seen.push(payload as Verification);
    }
    const outputs = seen.map(({ levels }) => levels[0]?.checks[0]?.output);
    expect(seen.map(({ proof }) => proof?.repeated)).toEqual([undefined, true, undefined]);
    expect(outputs[1]).toBe(outputs[0]);
    expect(outputs[2]).not.toBe(outputs[0]);
  },
);
