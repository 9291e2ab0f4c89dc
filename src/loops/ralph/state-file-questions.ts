import type { StateChanges, StateEdit } from '../../../machines/ralph-facts.ts';
import { STATE_FILE } from '../../ralph/ralph-options.ts';
import { excerpt, head } from '../../text/excerpt.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { AskedQuestion, Questions } from '../../kernel/loop-description.ts';
import { closed, rulingText } from '../grounds-questions.ts';

/** Under this name a person allows an edit: `approve RUN state-file`. */
const STATE_FILE_QUESTION = 'state-file';

/** What people are told whose own edit has left some of the values as they were, or a part of the task. */
const SINCE =
  '. A person has edited the file since; these values still have something of the edit before, also where the person ' +
  'wrote the same';

const MAX_SHOWN_CHARS = 200;
/** Of what an edit adds to the task, or takes from it, where a person has to allow it. */
const MAX_ASKED_CHARS = 2_000;

/** Edits of the state file that wait for a person. There is at most one at a time. */
export class StateFileQuestions implements Questions {
  #asked: readonly AskedQuestion[] = [];
  #task = '';
  #heldTask: string | null = null;

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'run.started':
        this.#task = fact.payload.settings.prompt;
        break;
      case 'state_file.edited':
        this.#close(null);
        this.#noteTask(fact.payload.edit);
        if (fact.payload.edit.held && fact.payload.edit.changes.active === undefined)
          this.#ask(fact, fact.payload.edit);
        break;
      case 'state_file.revisited':
        if (fact.payload.edit) this.#noteTask(fact.payload.edit);
        break;
      case 'edit.approved':
      case 'edit.denied':
        if (fact.type === 'edit.approved') this.#task = this.#heldTask ?? this.#task;
        this.#heldTask = null;
        this.#close(rulingText(fact.type === 'edit.approved', fact.payload.reason));
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

  /** What stops the loop changes no task, and what is held changes none yet. */
  #noteTask({ held, changes, persons = {} }: StateEdit): void {
    if (changes.active === undefined) this.#task = (held ? persons : changes).originalPrompt ?? this.#task;
  }

  #ask({ run, version, at }: Fact, { changes, digest, by }: StateEdit): void {
    const { originalPrompt, ...others } = changes;
    const task = originalPrompt === undefined ? [] : taskChange(this.#task, originalPrompt);
    const what = [...changesOf(others), ...task].join('; ');
    this.#heldTask = originalPrompt ?? null;
    this.#asked = [
      ...this.#asked,
      {
        run,
        callId: STATE_FILE_QUESTION,
        kind: 'approval',
        text: `${STATE_FILE} was edited while the agent could have written it: ${what}${by === 'person' ? SINCE : ''}`,
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
    this.#asked = closed(this.#asked, answer);
  }
}

/** What differs, and not where the task begins: the person who allows an edit has to see all of it. */
function taskChange(before: string, after: string): string[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const part = (verb: string, text: string): string[] => {
    const changed = text.slice(start, text.length - end);
    if (changed === '') return [];
    const shown = JSON.stringify(excerpt(changed.toWellFormed(), MAX_ASKED_CHARS));
    const isCut = changed.length > MAX_ASKED_CHARS;
    return [`the task ${verb} ${shown}${isCut ? ` (of ${changed.length} characters: read the file first)` : ''}`];
  };
  return [...part('loses', before), ...part('gains', after)];
}

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
