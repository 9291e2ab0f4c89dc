import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { takesAll } from '../support/tenth.ts';
import { ATTACKS } from './attacks/index.ts';
import { takenOf } from './taken.ts';
import { can, controlsOf, toldRun } from './told-run.ts';

const taken = takenOf(ATTACKS);

for (const { name, project, work, by, inFolder = true, needs, never } of taken)
  test.runIf(HAS_WALLS && can(project.needs) && can(needs))(`V9 an agent that ${name} proves nothing`, async () => {
    const told = await toldRun(project, work);
    const { ending, grade, doubts, because, isEnough, said } = told;
    const found: readonly string[] = [...doubts, ...because];
    // A success that is not enough ends with a status that is not 0.
    const isStopped = ending === 'success' ? grade !== null && !isEnough : grade === null;
    const isAsSaid = isStopped && [by].flat().some((one) => found.includes(one));
    // Where it is not, what the checks said tells why.
    expect(isAsSaid ? [] : [ending, grade, isEnough, found, controlsOf(told.proof), said]).toEqual([]);
    if (never !== undefined) expect(existsSync(join(told.root, never))).toBe(false);
    // What fails in the folder, too, is no attack: there was nothing to stop.
    if (takesAll && inFolder !== null) expect(told.passesInFolder()).toBe(inFolder);
  });
