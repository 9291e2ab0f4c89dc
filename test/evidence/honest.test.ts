import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { HONEST } from './honest/index.ts';
import { takenOf } from './taken.ts';
import { can, controlsOf, toldRun } from './told-run.ts';

const taken = takenOf(HONEST);

for (const { name, project, work, ends, because = [], enough = ends !== 'weak', grounds = [], needs } of taken)
  test.runIf(HAS_WALLS && can(project.needs) && can(needs))(`V9 an agent that ${name} is not refused`, async () => {
    // A person is asked the second time.
    const told = await toldRun(project, work, ends === 'asked' ? 2 : 1);
    const end = told.isAsked ? 'asked' : told.grade;
    const { because: found, grounds: changed, said } = told;
    const isSaid = told.isEnough === (enough && ends !== 'asked');
    const isAsSaid = isSaid && isDeepStrictEqual([end, found, changed], [ends, because, grounds]);
    // Where it is not, what the checks said tells why.
    expect(isAsSaid ? [] : [end, found, told.isEnough, changed, controlsOf(told.proof), said]).toEqual([]);
    if (ends !== 'asked') expect(told.ending).toBe('success');
  });
