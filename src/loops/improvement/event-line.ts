import type { EventOf, ImprovementEvent, Recorded } from '../../../machines/events.ts';
import { oneLine } from '../../projections/phrases.ts';
import { amount, grouped } from '../../text/money.ts';
import { FINISHED } from './evaluation/experiment-end.ts';

const SHORT_COMMIT = 10;
const MAX_FAULT_CHARS = 200;

/** How a candidate is named, by its id. */
export type NameOf = (candidate: string) => string;

const byId: NameOf = (candidate) => candidate;

/** An event of the loop's own in one line. Null: it is one of every loop. */
export function lineOf({ type, payload }: Recorded<ImprovementEvent>, nameOf: NameOf = byId): string | null {
  switch (type) {
    case 'discovery.completed':
      return discovered(payload);
    case 'filter.completed':
      return filtered(payload);
    case 'experiment.started':
      return `experiment: ${nameOf(payload.candidate)}${payload.built ? ', done in an earlier iteration' : ''}`;
    case 'batch.submitted':
      return `${amount(payload.requests, 'plan')} asked for in a batch: ${payload.batch}`;
    case 'plans.written':
      return planned(payload);
    case 'experiment.prepared':
      return `worktree: ${payload.directory}`;
    case 'experiment.refused':
      return `${nameOf(payload.candidate)} cannot be tried: ${payload.fault.message}`;
    case 'candidate.built':
      return `${nameOf(payload.candidate)} changes ${amount(payload.changed.length, 'file')}`;
    case 'tier.completed':
      return `tier ${payload.tier}: ${payload.passed ? passedText(payload) : payload.detail}`;
    case 'evaluation.completed':
      return evaluated(payload, nameOf(payload.candidate));
    case 'integration.approved':
    case 'integration.denied':
      return [
        `a person ${type === 'integration.approved' ? 'approved' : 'denied'} the change`,
        ...(payload.reason === null ? [] : [payload.reason]),
      ].join(': ');
    case 'integration.completed':
      return `${nameOf(payload.candidate)} kept: commit ${payload.commit.slice(0, SHORT_COMMIT)} on ${payload.branch}`;
    case 'integration.failed':
      return `${nameOf(payload.candidate)} ${payload.reverted ? 'taken back' : 'not integrated'}: ${payload.reason}`;
    default:
      return type.endsWith('.interrupted') && 'reason' in payload ? String(payload.reason) : null;
  }
}

/**
 * Of a benchmark also how: one that measures nothing passes whatever is not for it. An experiment that did not simply
 * finish passes its own tier, too.
 */
function passedText({ kind, detail }: EventOf<'tier.completed'>['payload']): string {
  const tells = kind === 'benchmark' ? detail !== '' : kind === 'ended' && detail !== FINISHED;
  return tells ? `passed: ${detail}` : 'passed';
}

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
function planned({ plans, acceptance = [], fault, usage }: EventOf<'plans.written'>['payload']): string | null {
  if (plans.length === 0 && acceptance.length === 0 && !fault && !usage) return null;
  const tests = acceptance.map((one) =>
    'test' in one
      ? `red on the head: ${one.test.path}`
      : `no acceptance test: ${oneLine(one.refused, MAX_FAULT_CHARS)}`,
  );
  const failed = fault ? [`not all: ${oneLine(fault.message, MAX_FAULT_CHARS)}`] : [];
  return [amount(plans.length, 'plan'), ...failed, ...tests].join('; ');
}

function evaluated(
  { passed, tier, reason, grade, because, apart, cut }: EventOf<'evaluation.completed'>['payload'],
  name: string,
): string {
  if (passed) return grade ? `${name} passed, ${grade}: ${because}` : `${name} passed`;
  if (grade) return `${name} is not shown${apart ? `, on the branch ${apart.branch}` : ''}: ${because ?? reason}`;
  const again = cut ? '; it goes on in a later iteration' : '';
  return `${name} refused by ${tier ?? 'the evaluation'}: ${reason}${again}`;
}
