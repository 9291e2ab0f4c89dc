import { z } from 'zod';
import type { GroundChange } from '../../machines/recorded-proof.ts';
import { isAddedTest } from '../evidence/new-tests.ts';
import { pathText } from '../text/path-text.ts';
import { type Detector, eventId, type Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';

const MAX_PATHS = 5;
const MAX_PATH_CHARS = 100;

export interface Told {
  /** The changes of the verification before: the same ones are told once. */
  readonly changes: string;
}

/**
 * D15: the work changed files that its checks rest on. The checks went by those of the beginning, so that is no cheat
 * that has worked, and may be honest, such as a renamed function: it is told, and never ends a run. Tests that were
 * only added are no tampering.
 */
export function tampering(): Detector<Told> {
  return {
    name: 'tampering',
    sees: new Set(['verification.completed']),
    init: () => ({ changes: '' }),
    step: (before, event): Noticed<Told> => {
      if (event.type !== 'verification.completed' || !event.payload.proof) return { state: before };
      const { grounds, groundsChanged, dispute } = event.payload.proof;
      const changes = grounds.map(textOf).join(', ');
      const state = { changes };
      if (grounds.length === 0 || changes === before.changes || dispute?.is === 'approved') return { state };
      if (groundsChanged === grounds.length && grounds.every(isAddedTest)) return { state };
      const named = grounds.slice(0, MAX_PATHS).map(textOf).join(', ');
      const more = groundsChanged - Math.min(grounds.length, MAX_PATHS);
      const message =
        'the work changed files that its checks rest on, and the checks ran without these changes: ' +
        `${named}${more > 0 ? ` and ${more} more` : ''}`;
      const finding = { detector: 'tampering', level: 'nudge' as const, count: groundsChanged, message };
      return { state, finding: { ...finding, evidence: [eventId(event)] } };
    },
  };
}

const NOTE = { restored: '', keys: '', absent: ' (new)' } as const;

const textOf = ({ path, how, keys }: GroundChange): string =>
  `${pathText(path, MAX_PATH_CHARS)}${keys ? ` (${keys.join(', ')})` : NOTE[how]}`;

export const tamperingKind = detectorKind({
  name: 'tampering',
  row: 'D15',
  notices: 'the work changed files that its checks rest on',
  config: z.strictObject({}),
  inDefault: true,
  reports: true,
  create: () => tampering(),
});
