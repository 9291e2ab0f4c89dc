import type { Witness } from '../../../../machines/improvement-facts.ts';
import { MAX_CONTROLLED, type RecordedProof } from '../../../../machines/recorded-proof.ts';

/** Tells whether a witness turned, so that a change may be kept by itself. */
export interface Shown {
  readonly turned: boolean;
  /** What turned, or why nothing shows that it is done. */
  readonly because: string;
}

/** What the evaluation of a candidate without losses has come to, whose finding is gone. */
interface Held {
  readonly proof: RecordedProof;
  /** The check that the finding comes from. Absent: none. */
  readonly check?: string | undefined;
  /** Of a witness that is a test: its file, from the top, where its runner names it. */
  readonly file: string | null;
  /** Files to which tests that must fail were added beside the witness, and failed. */
  readonly held: readonly string[];
  /**
   * No other experiment was under way. Beside others, worktrees that share the files of dependencies change times that
   * would tell of a write which has put the others back: that is not known then, and not held against it.
   */
  readonly isAlone: boolean;
}

const notShown = (because: string): Shown => ({ turned: false, because });

/** A change of which nothing could show that it is done. */
export const unshown = ({ text }: Pick<Witness, 'text'>): Shown => notShown(text);

/**
 * Says whether a witness has turned: what was red on the head is not with the change, and what it rests on is what it
 * was. A test needs a control besides: tests that must fail did, in its file.
 *
 * @example
 * turnedBy({ kind: 'none', text: 'no check names its tests' }, held).turned; // false
 */
export function turnedBy(witness: Witness, { proof, check, file, held, isAlone }: Held): Shown {
  const { kind, text } = witness;
  if (kind === 'none') return unshown(witness);
  const { dependenciesChanged, toolsChanged = [], pointersHome, allowed = [], controls = [] } = proof;
  if (dependenciesChanged === null && isAlone)
    return notShown('whether installed dependencies have changed is not known');
  if (dependenciesChanged) return notShown('installed dependencies have changed since the run began');
  if (toolsChanged.length > 0) return notShown(`programs of the checks have changed: ${toolsChanged.join(', ')}`);
  if (pointersHome > 0) return notShown('what is installed leads back into the workspace, and there were no walls');
  const isBlind = controls.some((control) => control.check === check && control.is !== 'held');
  if (kind === 'error' && isBlind) return notShown(`no error that was planted in the change is reported by ${check}`);
  if (kind === 'error') return { turned: true, because: `gone: ${text}` };
  if (kind === 'interval') return { turned: true, because: `measured: ${text}` };
  if (allowed.length > 0) return notShown(`changes of what its checks rest on were let count: ${allowed.join(', ')}`);
  const isHeld = file === null ? held.length > 0 : held.includes(file) || held.length >= MAX_CONTROLLED;
  if (!isHeld)
    return notShown(`no test that must fail could be run beside its test${file === null ? '' : ` in ${file}`}`);
  return { turned: true, because: `red before, and passes now: ${text}` };
}
