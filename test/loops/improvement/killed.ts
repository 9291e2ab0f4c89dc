import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../../git/repository.ts';
import type { AnyEvent } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../../support/bundled.ts';

const file = bundled('test/loops/improvement/integrating.process.ts');
const GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/** A git that kills the process that uses it, before or after it has moved a branch of the loop. */
const killing = (when: string) => `#!/bin/sh
case " $* " in
*" update-ref refs/heads/loopfold/"*)
  until [ -s "$FOLDER/pid" ]; do sleep 0.01; done
  ${when === 'before' ? '' : `${GIT} "$@"`}
  kill -9 "$(cat "$FOLDER/pid")" 0;;
esac
exec ${GIT} "$@"
`;

/**
 * Executes an effect in a process of its own, which is killed at a moment: as `integrating.process.ts` has it, or
 * `branch before` and `branch after`. What it had recorded.
 */
export async function killedAt(
  until: string,
  actor: string,
  given: { readonly settings: RunSettings; readonly store: string; readonly facts: readonly AnyEvent[] },
): Promise<AnyEvent[]> {
  const folder = await temporaryFolder();
  const recorded = join(folder, 'recorded');
  const input = join(folder, 'given.json');
  await writeFile(input, JSON.stringify(given));
  await writeFile(recorded, '');
  const [what, when = ''] = until.split(' ');
  if (what === 'branch') {
    await writeFile(join(folder, 'git'), killing(when));
    await chmod(join(folder, 'git'), 0o755);
  }
  const env = { ...process.env, ...compileCache, PATH: `${folder}:${process.env['PATH']}`, FOLDER: folder };
  const words = [...YOUNG_GENERATION, file, input, actor, recorded, until];
  const child = spawn(process.execPath, words, { stdio: 'inherit', env });
  await writeFile(join(folder, 'pid'), String(child.pid));
  const [code, signal] = await once(child, 'exit');
  expect({ until, code, signal }).toEqual({ until, code: null, signal: 'SIGKILL' });
  const lines = (await readFile(recorded, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as AnyEvent);
}
