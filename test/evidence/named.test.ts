import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { root } from '../repository/tool.ts';
import { NAMED } from './named.ts';
import { takenOf } from './taken.ts';
import { can, controlsOf, toldRun } from './told-run.ts';

const taken = takenOf(NAMED);

const guide = readFileSync(join(root, 'docs/guides/evidence.md'), 'utf8').replace(/\s+/g, ' ').toLowerCase();

for (const { name, guide: words } of NAMED)
  test(`V9 the guide says that an agent that ${name} is not seen`, () => {
    expect(guide).toContain(words.toLowerCase());
  });

for (const { name, project, work, grade, needs } of taken)
  test.runIf(HAS_WALLS && can(project.needs) && can(needs))(`V9 an agent that ${name} is not seen`, async () => {
    const told = await toldRun(project, work);
    const isAsSaid = told.ending === 'success' && told.grade === grade && told.isEnough;
    const { ending, because, doubts, isEnough, proof } = told;
    expect(isAsSaid ? [] : [ending, told.grade, because, doubts, isEnough, controlsOf(proof)]).toEqual([]);
  });
