import { DEFAULTS } from '../../config/config.ts';
import { proveRun } from '../../app/proof/prove-run.ts';
import type { Proof } from '../../app/proof/run-proof.ts';
import { isInsideCommand } from '../args/run-around.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { asJson } from '../pages/as-json.ts';
import { noChange } from '../pages/print-patch.ts';
import { LEG_TEXT } from '../../app/views/proof-words.ts';
import { proofLines } from '../pages/proof-page.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

export interface ProveFlags {
  readonly trustDependencies?: boolean;
  readonly json?: boolean;
}

/** Runs the checks of a run on what was recorded of it, with the grounds of its start, outside of its workspace. */
export async function prove(session: Session, reference: RunReference, flags: ProveFlags): Promise<number> {
  const { out, err } = session.streams;
  const { values } = await session.config();
  const { protect = [], unprotect = [], deps = DEFAULTS.deps ?? [] } = values;
  const loops = await session.loops('read', { runs: [reference], otherwise: 'warn' });
  const { run } = await findRun(loops.log, reference);
  const proof = await proveRun(loops, run, {
    protect,
    unprotect,
    deps,
    trustsDependencies: flags.trustDependencies ?? false,
    signal: new AbortController().signal,
    onLeg: (leg) => err.status(`the checks run on ${LEG_TEXT[leg]}`),
  });
  await loops.log.close();
  err.status('');
  if (proof.kind !== 'proof') throw noChange('prove', proof);
  const shown = (await isInsideCommand()) ? withoutNames(proof) : proof;
  if (flags.json) out.line(asJson(jsonOf(shown), 2));
  else for (const line of proofLines(shown, out.colours)) out.line(line);
  return proof.proven ? EXIT.success : EXIT.unverified;
}

/** Which held-out checks fail, and what they print, is for a person, and not for a command of a run. */
const withoutNames = (proof: Proof): Proof =>
  proof.heldOut?.kind === 'ran' ? { ...proof, heldOut: { ...proof.heldOut, failing: [] } } : proof;

const jsonOf = ({ kind: _kind, ...proof }: Proof) => proof;
