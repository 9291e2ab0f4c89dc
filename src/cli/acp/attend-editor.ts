import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import type { Question } from '../../projections/questions.ts';
import { comesTo, somethingElse } from '../live/waiting-changes.ts';
import { type Asked, isLeft, passOn, requestFor } from './editor-questions.ts';
import { message } from './run-updates.ts';
import type { Tell } from './run-telling.ts';

/** What a session may say to its editor. */
export interface Editor {
  readonly tell: Tell;
  /** Returns the option that was chosen; null where the request was closed, or the editor is gone. */
  readonly ask: (asked: Asked) => Promise<string | null>;
}

interface Attended {
  readonly loops: App;
  readonly live: LiveRun;
  readonly editor: Editor;
  readonly isCancelled: () => boolean;
}

/**
 * Asks the person at an editor what a run waits for, until it has left. A question that only a message answers pauses
 * the run: its turn is over.
 */
export async function attendEditor(attended: Attended): Promise<void> {
  const { loops, live, isCancelled } = attended;
  while (await comesTo(live, true)) {
    const questions = (await loops.questions(live.run)) ?? [];
    const isAnswered = questions.length > 0 && (await askAll(attended, questions));
    if (!isAnswered && !isCancelled()) await live.pause('waiting');
    // Its answer is on its way to the run: the same question is not asked twice.
    await somethingElse({ loops, live, facts: live.events }, questions);
  }
}

/** False as soon as one question gets no answer. */
async function askAll(attended: Attended, questions: readonly Question[]): Promise<boolean> {
  for (const question of questions) if (attended.isCancelled() || !(await ask(attended, question))) return false;
  return true;
}

async function ask({ loops, live, editor }: Attended, question: Question): Promise<boolean> {
  const asked = await requestFor(loops, question);
  if (!asked) editor.tell(message(`${question.text}\n\n`));
  const option = asked && (await editor.ask(asked));
  if (option === null || isLeft(option)) return false;
  const refused = await passOn(loops, live.run, question, option);
  if (refused !== null) editor.tell(message(`${refused}\n\n`));
  return true;
}
