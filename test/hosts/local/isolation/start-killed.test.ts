import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../../src/app/isolation/garbage.ts';
import { GONE_CAPTURES_KEPT_MS } from '../../../../src/app/isolation/forgotten-captures.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { MODEL, Program } from '../../../cli/program.ts';
import { tenthOf } from '../../../support/tenth.ts';

const GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/** Kills the program, and the shell that it starts git by, when it is about to change refs for the n-th time. */
const killing = (nth: number) => `#!/bin/sh
case " $* " in
*" update-ref "*)
  echo >>"$FOLDER/calls"
  if [ "$(wc -l <"$FOLDER/calls")" -eq ${nth} ]; then
    until [ -s "$FOLDER/pid" ]; do sleep 0.01; done
    kill -9 "$(cat "$FOLDER/pid")" 0
  fi;;
esac
exec ${GIT} "$@"
`;

/** A run in a repository that is killed there. `refs`: the last parts of the names of those it left. */
async function killedAt(nth: number, isolate: string) {
  const { root, commit, git } = await repository({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
  await commit();
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'git'), killing(nth));
  await chmod(join(folder, 'git'), 0o755);
  const env = { PATH: `${folder}:${process.env['PATH']}`, FOLDER: folder };
  const program = new Program(['run', 'x', ...MODEL, '--loop', 'turn', '--isolate', isolate], { cwd: root, env });
  await writeFile(join(folder, 'pid'), `${program.pid}`);
  const { status } = await program.ended;
  const listed = async () => (await git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/loopfold/')).trim();
  return { root, status, refs: async () => (await listed()).split('\n').filter((name) => name !== '') };
}

test.each(tenthOf(['none', 'worktree'].flatMap((isolate) => [1, 2, 3, 4].map((nth) => [isolate, nth] as const))))(
  'X4 gc forgets the captures of a start that was killed, with --isolate %s, at change %i of refs',
  async (isolate, nth) => {
    const { root, status, refs } = await killedAt(nth, isolate);
    expect(status).toBe(null);
    expect(await refs()).toHaveLength(nth - 1);
    const now = Date.now() + GONE_CAPTURES_KEPT_MS + 60_000;
    // The first one keeps those of the worktree that it removes.
    const times = [await collectGarbage(null, root, { now }), await collectGarbage(null, root, { now })];
    expect(times.flatMap(({ unknown }) => unknown)).toEqual([]);
    expect(await refs()).toEqual([]);
  },
);
