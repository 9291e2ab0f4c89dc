import { Finding } from '../../machines/outcome.ts';

const LEVELS = Finding.shape.level.options;

/** The finding of the highest level; of several, the newest. */
export function strongest(findings: readonly Finding[]): { readonly finding?: Finding } {
  let finding: Finding | undefined;
  for (const one of findings) if (!finding || LEVELS.indexOf(one.level) >= LEVELS.indexOf(finding.level)) finding = one;
  return finding ? { finding } : {};
}
