import { expect, test } from 'vitest';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { NAMED } from './named.ts';
import { takenOf } from './taken.ts';
import { can, controlsOf, toldRun } from './told-run.ts';

const taken = takenOf(NAMED);

for (const { name, project, work, grade, needs } of taken)
  test.runIf(HAS_WALLS && can(project.needs) && can(needs))(`V9 an agent that ${name} is not seen`, async () => {
    const told = await toldRun(project, work);
    const isAsSaid = told.ending === 'success' && told.grade === grade && told.isEnough;
    const { ending, because, doubts, isEnough, proof } = told;
    expect(isAsSaid ? [] : [ending, told.grade, because, doubts, isEnough, controlsOf(proof)]).toEqual([]);
  });
