import type { RunSettings } from '../../../machines/settings.ts';
import { checksOfWork } from '../../config/clean-tree.ts';
import { DEPENDENCY_FOLDERS } from '../../options/defaults.ts';
import type { RunOptions } from '../../config/options.ts';
import { givenBy } from '../../evidence/checkout-lacks.ts';
import { type KnownLacks, lacksOfCheckout } from '../start/lacks-of-checkout.ts';
import { type WorkspaceGrounds, workspaceGrounds } from '../start/workspace-grounds.ts';

/** What checks rest on, and what a checkout lacks. */
export type PreviewedGrounds = WorkspaceGrounds & KnownLacks;

/** What the checks of a run that is to start rest on, in the workspace as it is, and what they may lack. */
export async function previewedGrounds(
  { directory, checks, captureLimit }: RunSettings,
  { protect = [], unprotect = [], deps = [...DEPENDENCY_FOLDERS], provide = [], prepare = [] }: RunOptions,
): Promise<PreviewedGrounds> {
  const asked = checksOfWork(checks);
  const found = await workspaceGrounds(directory, { checks: asked, protect, unprotect, deps });
  const { lacks, build } = await lacksOfCheckout(found, asked, captureLimit);
  const isGiven = givenBy(provide, prepare);
  return { ...found, build, lacks: lacks.filter((lack) => !isGiven(lack)) };
}
