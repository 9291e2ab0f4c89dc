import type { AnyEvent, EventOf, ImprovementEvent, Recorded } from '../../../machines/events.ts';
import { oneLine } from '../../projections/phrases.ts';
import { amount, grouped } from '../../text/amount.ts';
import type { Additions } from '../../kernel/loop-description.ts';
import { describedAttempts } from '../attempt-loop.ts';
import { IntegrationQuestions } from './integration-questions.ts';
import { ImprovementReport } from './report/improvement-report.ts';
import { ImprovementTracker } from './tracker/improvement-tracker.ts';

const SHORT_COMMIT = 10;

/** What the row of an iteration says: what it tried, and what became of each candidate. */
const REMARKABLE: ReadonlySet<string> = new Set([
  'filter.completed',
  'experiment.refused',
  'evaluation.completed',
  'integration.denied',
  'integration.completed',
  'integration.failed',
]);

/** How people read an improvement loop. */
export const improvementDescription = {
  ...describedAttempts({ child: 'experiment', line: (event) => lineOf(event as Recorded<ImprovementEvent>) }),
  adds: (event: Recorded<AnyEvent>): Additions => {
    const own = event as Recorded<ImprovementEvent>;
    const remark = isRemarkable(own) ? lineOf(own) : null;
    return {
      ...(remark === null ? {} : { remark }),
      ...(event.type.endsWith('.interrupted') ? { phase: 'failures' } : {}),
    };
  },
  questions: () => new IntegrationQuestions(),
  tracker: () => new ImprovementTracker(),
  report: () => new ImprovementReport(),
};

/** A candidate that passed is told of when it is kept; a discovery, where it is all that there was. */
function isRemarkable({ type, payload }: Recorded<ImprovementEvent>): boolean {
  if (type === 'discovery.completed') return payload.discoveries.length === 0;
  if (type === 'evaluation.completed') return !payload.passed;
  return REMARKABLE.has(type);
}

function lineOf({ type, payload }: Recorded<ImprovementEvent>): string | null {
  switch (type) {
    case 'discovery.completed':
      return discovered(payload);
    case 'filter.completed':
      return filtered(payload);
    case 'experiment.started':
      return `experiment: ${payload.candidate}`;
    case 'batch.submitted':
      return `${amount(payload.requests, 'plan')} asked for in a batch: ${payload.batch}`;
    case 'plans.written':
      return planned(payload);
    case 'experiment.prepared':
      return `worktree: ${payload.directory}`;
    case 'experiment.refused':
      return `${payload.candidate} cannot be tried: ${payload.fault.message}`;
    case 'candidate.built':
      return `${payload.candidate} changes ${amount(payload.changed.length, 'file')}`;
    case 'tier.completed':
      return `tier ${payload.tier}: ${payload.passed ? passedText(payload) : payload.detail}`;
    case 'evaluation.completed':
      return evaluated(payload);
    case 'integration.approved':
    case 'integration.denied':
      return [
        `a person ${type === 'integration.approved' ? 'approved' : 'denied'} the change`,
        ...(payload.reason === null ? [] : [payload.reason]),
      ].join(': ');
    case 'integration.completed':
      return `${payload.candidate} kept: commit ${payload.commit.slice(0, SHORT_COMMIT)} on ${payload.branch}`;
    case 'integration.failed':
      return `${payload.candidate} ${payload.reverted ? 'taken back' : 'not integrated'}: ${payload.reason}`;
    default:
      return type.endsWith('.interrupted') && 'reason' in payload ? String(payload.reason) : null;
  }
}

/** Of a benchmark also how: one that measures nothing passes whatever is not for it. */
const passedText = ({ kind, detail }: EventOf<'tier.completed'>['payload']): string =>
  kind === 'benchmark' && detail !== '' ? `passed: ${detail}` : 'passed';

const MAX_FAULT_CHARS = 200;

function discovered({ discoveries, left, known, sources }: EventOf<'discovery.completed'>['payload']): string {
  const most = left === 0 ? '' : `, and ${grouped(left)} less relevant ones`;
  const tried = known === 0 ? '' : `, ${known} tried before`;
  const broken = sources.flatMap(({ source, fault }) =>
    fault ? [`; ${source} failed: ${oneLine(fault.message, MAX_FAULT_CHARS)}`] : [],
  );
  return `${discoveries.length} found${most}${tried}${broken.join('')}`;
}

function filtered({ candidates, refused, beyond }: EventOf<'filter.completed'>['payload']): string {
  const more = beyond === 0 ? '' : `, ${beyond} more than are tried`;
  return `${amount(candidates.length, 'candidate')}, ${refused} below the minimum of relevance${more}`;
}

/** Where nothing was asked for, there is nothing to tell. */
function planned({ plans, fault, usage }: EventOf<'plans.written'>['payload']): string | null {
  if (plans.length === 0 && !fault && !usage) return null;
  return `${amount(plans.length, 'plan')}${fault ? `: ${fault.message}` : ''}`;
}

function evaluated({ candidate, passed, tier, reason }: EventOf<'evaluation.completed'>['payload']): string {
  return passed ? `${candidate} passed` : `${candidate} refused by ${tier ?? 'the evaluation'}: ${reason}`;
}
