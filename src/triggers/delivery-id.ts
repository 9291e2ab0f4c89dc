import { createHash } from 'node:crypto';
import type { IssueRule } from './trigger-rules.ts';

/** A UUID of version 7 that a delivery has each time it comes. */
export function runIdOf(delivery: string, { source, on, match }: IssueRule, at: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([delivery, source, on, match]))
    .digest('hex');
  const time = Number.isNaN(Date.parse(at)) ? 0 : Math.max(0, Date.parse(at));
  const ms = time.toString(16).padStart(12, '0').slice(-12);
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 3) | 8).toString(16);
  const parts = [
    ms.slice(0, 8),
    ms.slice(8),
    `7${digest.slice(0, 3)}`,
    variant + digest.slice(4, 7),
    digest.slice(7, 19),
  ];
  return parts.join('-');
}
