import type { JudgedControl } from '../../evidence/control/judge-control.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_PATH_CHARS = 80;

/** What tests that must fail came to, by the files that they were added to. */
export function controlLines(control: JudgedControl | undefined): readonly string[] {
  if (!control) return [];
  const said = {
    held: 'tests that must fail did, in',
    broken: 'tests that must fail did not, in',
    unnoticed: 'the runner takes no test that must fail, in',
  } as const;
  return (['held', 'broken', 'unnoticed'] as const)
    .filter((which) => control[which].length > 0)
    .map(
      (which) => `control: ${said[which]} ${control[which].map((path) => pathText(path, MAX_PATH_CHARS)).join(', ')}`,
    );
}
