import type { StateChanges } from '../../../machines/ralph-facts.ts';
import { STATE_FILE } from '../../ralph/ralph-options.ts';
import { head } from '../../text/excerpt.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { AskedQuestion, Questions } from '../../kernel/loop-description.ts';

/** Under this name a person allows an edit: `approve RUN state-file`. */
const STATE_FILE_QUESTION = 'state-file';

const MAX_SHOWN_CHARS = 200;

/** Edits of the state file that wait for a person. There is at most one at a time. */
export class StateFileQuestions implements Questions {
  #asked: readonly AskedQuestion[] = [];

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'state_file.edited': {
        this.#close(null);
        const { held, changes, digest } = fact.payload.edit;
        if (held && changes.active === undefined) this.#ask(fact, changes, digest);
        break;
      }
      case 'edit.approved':
      case 'edit.denied':
        this.#close(answerText(fact.type === 'edit.approved', fact.payload.reason));
        break;
      case 'edit.withdrawn':
      case 'run.resumed':
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

  #ask({ run, version, at }: Fact, changes: StateChanges, digest: string): void {
    const what = changesOf(changes).join('; ');
    this.#asked = [
      ...this.#asked,
      {
        run,
        callId: STATE_FILE_QUESTION,
        kind: 'approval',
        text: `${STATE_FILE} was edited while the agent could have written it: ${what}`,
        choices: [],
        path: null,
        approval: { allows: `this content of ${STATE_FILE} counts: ${what}`, digest },
        askedAt: at,
        event: `${run}/${version}`,
        isOpen: true,
        answer: null,
      },
    ];
  }

  #close(answer: string | null): void {
    this.#asked = this.#asked.map((one) => (one.isOpen ? { ...one, isOpen: false, answer } : one));
  }
}

const answerText = (isGranted: boolean, reason: string | null): string =>
  `${isGranted ? 'approved' : 'denied'}${reason === null ? '' : `: ${reason}`}`;

/** Each change in a few words. */
export function changesOf(changes: StateChanges): string[] {
  const { active, iteration, maxIterations, completionPromise, originalPrompt } = changes;
  return [
    ...(active === undefined ? [] : ['it is not active any more']),
    ...(iteration === undefined ? [] : [`the iteration is ${iteration}`]),
    ...(maxIterations === undefined
      ? []
      : [`the maximum is ${maxIterations === 0 ? 'none below the ceiling' : maxIterations}`]),
    ...(completionPromise === undefined
      ? []
      : [`the promise is ${completionPromise === null ? 'none' : `"${completionPromise}"`}`]),
    ...(originalPrompt === undefined ? [] : [`the task is "${head(originalPrompt, MAX_SHOWN_CHARS)}"`]),
  ];
}
