import { expect, test } from 'vitest';
import { reviewed } from '../../docs/examples/own-loop/reviewed.machine.ts';
import type { Life } from '../../machines/life.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { usedBy } from '../../src/judging/affordability.ts';
import { lifeOf, open } from '../../src/kernel/fold.ts';
import { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import * as has from '../support/facts.ts';

const AT = '2030-01-01T00:00:00.000Z';

function life(): Life {
  const started = { ...has.started('iteration'), at: AT, version: 1 } as const;
  const opened = open({ ...started, payload: { ...started.payload, machine: 'reviewed@1' } }, [
    { id: 'reviewed@1', machine: reviewed, events: ReviewedEvent },
  ]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  return lifeOf(opened.state);
}

test('T2 rounds that the cap on steps bounds count as steps, also where no event of the loop spends one', () => {
  const rounds = { ...turnLoop.rounds, count: () => 3, used: () => 3 };
  expect(usedBy(life(), AT, rounds)).toMatchObject({ steps: 3, iterations: 0 });
  expect(usedBy({ ...life(), spend: { ...life().spend, steps: 7 } }, AT, rounds)).toMatchObject({ steps: 7 });
  expect(usedBy(life(), AT, { ...rounds, limit: 'iterations' })).toMatchObject({ steps: 0, iterations: 3 });
});
