import type { EventOf } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import { asksPerson, ImprovementOptions } from '../../../machines/improvement-options.ts';
import { amount } from '../../text/money.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { GivenAnswer } from '../../kernel/loop-definition.ts';
import type { AskedQuestion, Questions } from '../../kernel/loop-description.ts';
import { changedFile } from '../../projections/phrases.ts';
import { closed, rulingText } from '../grounds-questions.ts';

/** Under this name a person lets a change be kept: `approve RUN integration`. */
const INTEGRATION = 'integration';
const SHORT = 12;
const MAX_NAMED_FILES = 20;

const NOT_ASKED = 'no integration waits for a person';

/** What a person may send about integrations, and why it was not taken. */
export const integrationCommands = {
  'integration.approved': () => NOT_ASKED,
  'integration.denied': () => NOT_ASKED,
};

/** A person's ruling, as an event. It is bound to the content of the change. */
export function integrationRuling(callId: string, { approval }: GivenAnswer) {
  if (callId !== INTEGRATION || !approval) throw new TypeError(`no question has the id ${callId}`);
  const { granted, digest, reason = null } = approval;
  return { type: granted ? 'integration.approved' : 'integration.denied', payload: { digest, reason } };
}

/** Changes that have passed and wait for a person. There is at most one at a time. */
export class IntegrationQuestions implements Questions {
  #options: ImprovementOptions = ImprovementOptions.parse({});
  readonly #candidates = new Map<string, Discovery>();
  #asked: readonly AskedQuestion[] = [];
  #built: EventOf<'candidate.built'>['payload'] | null = null;

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'run.started':
        this.#options = ImprovementOptions.parse(fact.payload.settings.options ?? {});
        break;
      case 'filter.completed':
        for (const one of fact.payload.candidates) this.#candidates.set(one.id, one);
        break;
      case 'candidate.built':
        this.#built = fact.payload;
        break;
      case 'evaluation.completed':
        if (asksPerson(this.#options) && fact.payload.passed)
          this.#ask(fact, this.#candidates.get(fact.payload.candidate)?.title ?? '', fact.payload);
        break;
      case 'integration.approved':
      case 'integration.denied':
        this.#close(rulingText(fact.type === 'integration.approved', fact.payload.reason));
        break;
      case 'abort.requested':
      case 'decision.made':
        this.#close(null);
        break;
      case 'timer.fired':
        if (fact.payload.timer === 'deadline') this.#close(null);
        break;
    }
  }

  asked(): readonly AskedQuestion[] {
    return this.#asked;
  }

  #ask({ run, version, at }: Fact, title: string, evaluation: EventOf<'evaluation.completed'>['payload']): void {
    if (!this.#built) return;
    const { modification, changed, base, tree } = this.#built;
    const what = `the change of ${amount(changed.length, 'file')} for "${title}"`;
    const { enabled } = this.#options.phases.evaluate;
    const proven = enabled ? provenText(evaluation) : 'It applies; nothing else was evaluated.';
    // A person cannot decide about what they cannot see. Git has both trees for as long as the run waits.
    const shown = `To see it: git diff ${base.slice(0, SHORT)} ${tree.slice(0, SHORT)}`;
    const more = changed.length > MAX_NAMED_FILES ? [`… and ${changed.length - MAX_NAMED_FILES} more`] : [];
    const lines = [...changed.slice(0, MAX_NAMED_FILES).map(changedFile), ...more, shown];
    this.#asked = [
      ...this.#asked,
      {
        run,
        callId: INTEGRATION,
        kind: 'approval',
        text: `Shall ${what} be kept? ${proven}\n${lines.join('\n')}`,
        choices: [],
        path: null,
        approval: { allows: `${what} is kept`, digest: modification },
        askedAt: at,
        event: `${run}/${version}`,
        isOpen: true,
        answer: null,
      },
    ];
  }

  #close(answer: string | null): void {
    this.#asked = closed(this.#asked, answer);
  }
}

/** What its evaluation is worth, for the person who decides. */
function provenText({ grade, because }: EventOf<'evaluation.completed'>['payload']): string {
  if (grade === 'witnessed') return `It has passed its evaluation, witnessed: ${because}.`;
  if (grade) return `Nothing is lost with it, and nothing shows that it is done: ${because}.`;
  return 'It has passed its evaluation.';
}
