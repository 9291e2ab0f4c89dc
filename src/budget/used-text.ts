import type { ReachedLimit } from '../../machines/outcome.ts';

/**
 * How much of a limit is spent, and how much of it is set aside: `190000/250000, 60000 set aside`.
 */
export const usedOf = (
  { used, limit, reserved = 0 }: Pick<ReachedLimit, 'used' | 'limit' | 'reserved'>,
  text: (amount: number) => string,
): string => `${text(used)}/${text(limit)}${reserved > 0 ? `, ${text(reserved)} set aside` : ''}`;
