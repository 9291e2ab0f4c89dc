import { type LoggedEvent, eventId } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import type { Observed } from './observation.ts';

/** Steps in a row that have changed nothing. */
export interface Planning {
  /** A change is asked for: the work is checked, or it is an attempt of a loop. A turn that answers may only read. */
  readonly isAsked: boolean;
  readonly steps: number;
  readonly tokens: number;
  readonly evidence: readonly string[];
}

export const NO_PLANNING: Planning = { isAsked: false, steps: 0, tokens: 0, evidence: [] };

const MAX_EVIDENCE = 5;

/** The row after one more event; `observed` are the calls that it completes. */
export function plannedLonger(before: Planning, event: LoggedEvent, observed: readonly Observed[]): Planning {
  switch (event.type) {
    case 'run.started': {
      const { checks, parent } = event.payload.settings;
      const isAttempt = parent !== null && (parent.lineage ?? []).length === 0;
      return { ...before, isAsked: checks.length > 0 || isAttempt };
    }
    case 'model.completed': {
      if (!before.isAsked) return before;
      const { inputTokens, outputTokens } = event.payload.usage;
      return {
        ...before,
        steps: before.steps + 1,
        tokens: before.tokens + inputTokens + outputTokens,
        evidence: withEvidence(before.evidence, eventId(event), MAX_EVIDENCE),
      };
    }
    default:
      return observed.some(isChange) && before.steps > 0 ? { ...NO_PLANNING, isAsked: before.isAsked } : before;
  }
}

/** A call that waits is no plan either. */
const isChange = ({ mayChange, isPolling, end }: Observed): boolean => (mayChange || isPolling) && end === 'done';
