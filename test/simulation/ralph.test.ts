import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRalphState } from '../../src/ralph/parse-state.ts';
import { tenthOf } from '../support/tenth.ts';
import { Theatre } from './harness.ts';
import type { Kill } from './killing.ts';
import { bothSides, forEach } from './points.ts';

const stateIn = async ({ folder }: Theatre) => {
  const text = await readFile(join(folder, 'work/.claude/ralph-loop.local.md'), 'utf8').catch(() => null);
  return text === null ? null : parseRalphState(text);
};

/** Plays through one kill, and then to the end. What there was of the file each time. */
async function playThrough(kill: Kill | null) {
  const theatre = await Theatre.open('ralph');
  try {
    if (kill) expect(await theatre.play(kill)).toBeNull();
    const killed = kill && (await stateIn(theatre));
    const last = await theatre.play();
    return { killed, state: await stateIn(theatre), story: await theatre.story(), appends: last?.appends ?? 0 };
  } finally {
    await theatre.close();
  }
}

test('R8 kill -9 before and after every commit: the file is whole, and the loop ends as it would have', async () => {
  const undisturbed = await playThrough(null);
  expect(undisturbed.story.outcome).toMatchObject({ ending: 'success', partial: false });
  expect(undisturbed.story.children).toHaveLength(2);
  expect(undisturbed.state).toMatchObject({ kind: 'state', state: { active: false, iteration: 2, maxIterations: 4 } });

  await forEach(tenthOf(bothSides(1, undisturbed.appends).slice(1)), async (kill) => {
    const { killed, state, story } = await playThrough(kill);
    if (killed) expect(killed).toMatchObject({ kind: 'state' });
    expect(state).toMatchObject({ kind: 'state', state: { active: false, maxIterations: 4 } });
    expect(story.outcome).toMatchObject({ ending: 'success', partial: false });
    expect(story.repeated).toEqual([]);
    expect(story.all.map(({ isIntact }) => isIntact)).not.toContain(false);
    expect(story.all.flatMap(({ facts }) => facts).filter(({ type }) => type.startsWith('edit.'))).toEqual([]);
  });
});
