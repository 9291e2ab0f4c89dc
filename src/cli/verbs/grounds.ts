import { DEFAULTS } from '../../config/config.ts';
import { userFolder } from '../../config/places.ts';
import { type LeftGrounds, leftGrounds } from '../../app/proof/grounds-left.ts';
import { RunOptions } from '../../config/options.ts';
import { type WorkspaceGrounds, workspaceGrounds } from '../../app/start/workspace-grounds.ts';
import { curedLacks } from '../../evidence/checkout-lacks.ts';
import { lacksOfCheckout } from '../../app/start/lacks-of-checkout.ts';
import { asJson } from '../pages/as-json.ts';
import { groundLines } from '../pages/grounds-page.ts';
import type { Session } from '../session.ts';

export interface GroundsFlags {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Shows what the checks of this workspace rest on: by reason, or every file. Nothing of the workspace runs. */
export async function grounds(session: Session, { all = false, json = false }: GroundsFlags): Promise<number> {
  const { out } = session.streams;
  const { values } = await session.config();
  const { protect = [], unprotect = [], deps = DEFAULTS.deps ?? [] } = values;
  const checks = RunOptions.shape.checks.parse(values.checks) ?? [];
  const found = await workspaceGrounds(session.directory, { checks, protect, unprotect, deps });
  const { left, others } = await leftHere(session, found);
  const captureLimit = RunOptions.shape.captureLimit.parse(values.captureLimit);
  const lacking = await lacksOfCheckout(found, checks, captureLimit);
  const wanted = { isWhole: all, hasChecks: checks.length > 0, left, others, lacking };
  if (json)
    out.line(
      asJson({ ...jsonOf(found), left, changedSince: others, lacks: curedLacks(lacking.lacks, lacking.build) }, 2),
    );
  else for (const line of groundLines(found, wanted)) out.line(line);
  return 0;
}

/** Without a log no run has left any. */
async function leftHere(session: Session, { root, grounds: known }: WorkspaceGrounds): Promise<LeftGrounds> {
  const loops = await session.loops('read').catch(() => null);
  if (loops === null) return { left: [], others: [] };
  try {
    return await leftGrounds(loops.log, root, (path) => known.has(path), userFolder(process.env));
  } finally {
    await loops.log.close();
  }
}

const jsonOf = ({ grounds: found, keys, ...rest }: WorkspaceGrounds) => ({
  ...rest,
  grounds: [...found].map(([path, ground]) => ({ path, ...ground })),
  keys: [...keys].map(([path, { kind: _kind, ...of }]) => ({ path, ...of })),
});
