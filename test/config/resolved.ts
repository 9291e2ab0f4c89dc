import type { RunSettings } from '../../machines/settings.ts';
import type { Ceilings } from '../../src/options/defaults.ts';
import { faultSentence } from '../../src/options/config-fault.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { resolveSettings } from '../../src/config/resolve.ts';

export interface Resolved {
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
}

/** The settings of options that must resolve. */
export function resolved(options: Partial<RunOptions>, ceilings: Partial<Ceilings> = {}): Resolved {
  const resolution = resolveSettings({ prompt: 'Fix the tests', ...options }, { ceilings });
  if (resolution.kind === 'settings') return resolution;
  throw new Error(`refused: ${resolution.faults.map(faultSentence).join('; ')}`);
}

/** The sentences with which options are refused; none where they are not. */
export function refusals(options: unknown, ceilings: Partial<Ceilings> = {}): string[] {
  const resolution = resolveSettings(options, { ceilings });
  return resolution.kind === 'refused' ? resolution.faults.map(faultSentence) : [];
}
