import type { AnyEvent, EventOf, ImprovementEvent, Recorded } from '../../../machines/events.ts';
import { amount } from '../../text/amount.ts';
import { describedAttempts } from '../attempt-loop.ts';
import { IntegrationQuestions } from './questions.ts';
import { ImprovementReport } from './report/improvement-report.ts';
import { ImprovementTracker } from './tracker/improvement-tracker.ts';

const REMARKABLE: ReadonlySet<string> = new Set([
  'evaluation.completed',
  'integration.completed',
  'integration.failed',
]);

/** How people read an improvement loop. */
export const improvementDescription = {
  ...describedAttempts({ child: 'experiment', line: (event) => lineOf(event as Recorded<ImprovementEvent>) }),
  adds: (event: Recorded<AnyEvent>) => {
    const remark = REMARKABLE.has(event.type) ? lineOf(event as Recorded<ImprovementEvent>) : null;
    return remark === null ? {} : { remark };
  },
  questions: () => new IntegrationQuestions(),
  tracker: () => new ImprovementTracker(),
  report: () => new ImprovementReport(),
};

function lineOf({ type, payload }: Recorded<ImprovementEvent>): string | null {
  switch (type) {
    case 'discovery.completed':
      return discovered(payload);
    case 'filter.completed':
      return `${amount(payload.candidates.length, 'candidate')}, ${payload.refused} below the minimum of relevance`;
    case 'experiment.started':
      return `experiment: ${payload.candidate}`;
    case 'batch.submitted':
      return `${amount(payload.requests, 'plan')} asked for in a batch: ${payload.batch}`;
    case 'plans.written':
      return `${amount(payload.plans.length, 'plan')}${payload.fault ? `: ${payload.fault.message}` : ''}`;
    case 'experiment.prepared':
      return `worktree: ${payload.directory}`;
    case 'experiment.refused':
      return `cannot be tried: ${payload.fault.message}`;
    case 'candidate.built':
      return `${amount(payload.changed.length, 'file')} changed`;
    case 'tier.completed':
      return `tier ${payload.tier}: ${payload.passed ? 'passed' : payload.detail}`;
    case 'evaluation.completed':
      return payload.passed ? 'evaluated: passed' : `refused by ${payload.tier ?? 'the evaluation'}: ${payload.reason}`;
    case 'integration.approved':
    case 'integration.denied':
      return `a person has ${type === 'integration.approved' ? 'approved' : 'denied'} it`;
    case 'integration.completed':
      return `kept: ${payload.commit.slice(0, 10)} on ${payload.branch}`;
    case 'integration.failed':
      return `${payload.reverted ? 'taken back' : 'not kept'}: ${payload.reason}`;
    default:
      return type.endsWith('.interrupted') && 'reason' in payload ? String(payload.reason) : null;
  }
}

function discovered({ discoveries, known, sources }: EventOf<'discovery.completed'>['payload']): string {
  const failed = sources.filter(({ fault }) => fault).map(({ source }) => source);
  const tried = known === 0 ? '' : `, ${known} tried before`;
  const broken = failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`;
  return `${discoveries.length} found${tried}${broken}`;
}
