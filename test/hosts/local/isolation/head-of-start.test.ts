import { expect, test } from 'vitest';
import { captureActor } from '../../../../src/actors/capture/capture-actor.ts';
import { resolveSettings } from '../../../../src/config/resolve.ts';
import { markStart } from '../../../../src/app/running/mark-workspace.ts';
import { inItsWorktree } from '../../../../src/app/isolation/isolate-run.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../../../src/loops/index.ts';
import { RUN } from '../../../git/captured.ts';
import { repository } from '../../../git/repository.ts';

test('X4 the commit kept of an isolated run is the one that its worktree was made from', async () => {
  const { root, commit, git, write } = await repository({ 'a.txt': '1' });
  await commit();
  const first = await git('rev-parse', 'HEAD');
  const resolved = resolveSettings({ prompt: 'x', loop: 'turn', directory: root });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  const prepared = {
    settings: resolved.settings,
    warnings: [],
    isolated: { dependencies: [], from: 'files' },
  } as const;
  const { settings } = await inItsWorktree({ log: memoryLog() }, RUN, prepared);
  await write({ 'a.txt': '2' });
  await commit('the user goes on');
  await markStart({ host: { definitions: shippedLoops, services: { capture: captureActor() } }, run: RUN, settings });
  expect(await git('rev-parse', `refs/loopfold/${RUN}/head`)).toBe(first);
});
