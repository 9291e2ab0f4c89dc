import { shellWords } from '../../text/shell-words.ts';
import type { RecordedProof } from '../../../machines/recorded-proof.ts';
import { unaskedGrounds } from '../../evidence/grounds-not-asked.ts';
import { flagOf } from '../../options/option-table.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_PATHS = 3;
const MAX_PATH_CHARS = 200;
/** Signs that mean something in a glob: any one character fits each of them. */
const SPECIAL = /[*[\]{}()!\\]/g;

/** What helps where checks failed without changed tests that no person was asked about; null where nothing did. */
export function unaskedText(proof: RecordedProof | undefined): string | null {
  const paths = unaskedGrounds(proof);
  if (paths.length === 0) return null;
  const globs = paths.map((path) => pathText(path, MAX_PATH_CHARS).replace(SPECIAL, '?'));
  const wanted = globs.length > MAX_PATHS ? ['GLOB'] : globs;
  const flags = shellWords(wanted.flatMap((glob) => [flagOf('allowGrounds'), glob]));
  return (
    'A check failed with tests or configuration as they were when the run began, and the work was not tried with its ' +
    `own. If the task needs these changes, undo the work and start again with ${flags}`
  );
}
