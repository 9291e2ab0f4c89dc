import type { RunSettings } from '../../machines/settings.ts';
import { instructionsText } from './instructions-text.ts';

/** What a system prompt is made of. */
export type SystemParts = Pick<RunSettings, 'system' | 'instructions' | 'systemAppend'>;

/**
 * The system prompt of a run, from what was recorded when it began: the same in every request of it, also after the
 * date, the branch or the files have changed. Null: it has none.
 *
 * @example
 * systemText({ system: 'You review.', systemAppend: 'Be brief.' }); // 'You review.\n\nBe brief.'
 */
export function systemText({ system, instructions = [], systemAppend }: SystemParts): string | null {
  const parts = [system, instructionsText(instructions), systemAppend ?? null].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('\n\n');
}
