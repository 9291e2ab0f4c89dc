import type { EventOf } from '../../machines/events.ts';

type Verification = EventOf<'verification.completed'>['payload'];

/** A verdict on a tree, which checks would come to again. */
interface EarlierVerdict {
  /** Whatever else it depends on, as text. */
  readonly state: string;
  readonly verification: Verification;
}

/** By tree. More of them are not remembered of a run. */
export type EarlierVerdicts = Map<string, EarlierVerdict>;
const MAX_REMEMBERED = 20;

/** The verdict on a tree that is as it was, on all that is as it was. Null: it is to be found out. */
export async function repeatedVerdict(
  verdicts: EarlierVerdicts,
  tree: string,
  state: () => Promise<string | null>,
): Promise<Verification | null> {
  const earlier = verdicts.get(tree);
  if (!earlier?.verification.proof || earlier.state !== (await state())) return null;
  return { ...earlier.verification, proof: { ...earlier.verification.proof, repeated: true } };
}

interface Found {
  /** Null: it is not known. */
  readonly state: string | null;
  readonly verification: Verification;
  /** The checks could reach something else that may be another way the next time. */
  readonly isOpen: boolean;
  /** The workspace has changed meanwhile. */
  readonly moved: boolean;
}

/**
 * Remembers a failure. A success ends the run; a dispute is told first and asked about next; and whatever checks
 * without walls or with the network find may be another thing the next time.
 */
export function rememberVerdict(verdicts: EarlierVerdicts, { state, verification, isOpen, moved }: Found): void {
  const { passed, workspace, proof } = verification;
  if (passed || moved || isOpen || proof?.dispute || state === null || workspace === null) return;
  verdicts.delete(workspace);
  verdicts.set(workspace, { state, verification });
  const [oldest = workspace] = verdicts.size > MAX_REMEMBERED ? verdicts.keys() : [];
  if (oldest !== workspace) verdicts.delete(oldest);
}
