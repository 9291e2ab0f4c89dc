import type { DetectorChoice } from '../../machines/settings.ts';

/**
 * The detector that a choice leaves out; null where it adds one.
 *
 * @example
 * leftOutBy('-monologue'); // 'monologue'
 */
export const leftOutBy = (choice: DetectorChoice): string | null =>
  typeof choice === 'string' && choice.startsWith('-') ? choice.slice(1).trim() : null;
