import type { RecordedHeldOut } from '../../machines/recorded-proof.ts';

/** What the first prompt says beside how the checks go on what is there: a paragraph each. */
export const beginningText = (heldOut: RecordedHeldOut | undefined): readonly string[] =>
  heldOut ? [heldOutText(heldOut)] : [];

const heldOutText = ({ checks }: RecordedHeldOut): string =>
  `When the checks pass, ${checks === 1 ? 'one more check runs' : `${checks} more checks run`} with files that are not ` +
  'here. You are told at most how many of them fail: do what the task says, and not only what the tests here ask for.';
