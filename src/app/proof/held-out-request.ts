import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { HeldOutSettings } from '../../../machines/settings.ts';
import { heldOutFiles } from '../../actors/proof/held-out-files.ts';
import { withCheckTimeout } from '../../config/check-timeout.ts';
import { RunOptions } from '../../config/options.ts';
import { isWithin } from '../../actors/tools/confine.ts';
import { faultAt } from '../../options/config-fault.ts';
import { OptionsError } from '../start/options-error.ts';

type Asked = Pick<RunOptions, 'heldOut' | 'heldOutChecks' | 'heldOutTells' | 'checkTimeout'>;

const HeldOutChecks = z.object({
  heldOutChecks: RunOptions.shape.heldOutChecks,
  checkTimeout: RunOptions.shape.checkTimeout,
});

export const wantsHeldOut = ({ heldOut, heldOutChecks = [] }: Asked): boolean =>
  heldOut !== undefined || heldOutChecks.length > 0;

/** The held-out checks that these options ask for. Throws an `OptionsError` where they cannot be had. */
export async function heldOutOf(options: Asked, root: string): Promise<HeldOutSettings | undefined> {
  if (!wantsHeldOut(options)) return undefined;
  const { heldOut, heldOutTells: tells = 'count' } = options;
  const { heldOutChecks = [], checkTimeout } = HeldOutChecks.parse(options);
  const checks = withCheckTimeout(heldOutChecks, checkTimeout);
  if (heldOut === undefined)
    throw fault('heldOut', heldOut, 'the folder of the files that heldOutChecks run with, outside of the workspace');
  if (checks.length === 0)
    throw fault('heldOutChecks', options.heldOutChecks, `a check that runs with the files of ${heldOut}`);
  const from = resolve(heldOut);
  const [real, workspace] = await Promise.all([from, root].map((path) => realpath(path).catch(() => path)));
  if (real === undefined || workspace === undefined) throw new TypeError('two paths were asked for');
  if (isWithin(real, workspace) || isWithin(workspace, real))
    throw fault('heldOut', heldOut, `a folder outside of ${root}, which the agent reads, and not around it`);
  const found = await heldOutFiles(from);
  if (found.kind === 'refused') throw fault('heldOut', heldOut, `a folder with files: it ${found.because}`);
  return { from: found.from, digest: found.digest, checks, tells };
}

/** They are not left out in silence where there is no proof: the person counts on them. */
export const heldOutWithoutProof = ({ heldOut }: Asked): OptionsError =>
  fault('heldOut', heldOut, 'checks (--verify) that run in a proof: git, and not --check-in workspace');

const fault = (option: 'heldOut' | 'heldOutChecks', value: unknown, expected: string): OptionsError =>
  new OptionsError([faultAt(option, value, expected)]);
