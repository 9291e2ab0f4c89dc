import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import type { Question } from '../../projections/questions.ts';
import { comesTo, somethingElse } from '../live/wait-changes.ts';
import { message } from './run-updates.ts';
import type { Tell } from './run-telling.ts';
import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { localUser } from '../../app/people/local-user.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { oneLine, plain } from '../../projections/phrases.ts';
import { head } from '../../text/excerpt.ts';
import { shownQuestion } from '../live/question-view.ts';

const MAX_SHOWN_CHARS = 8_000;
const MAX_TITLE_CHARS = 300;
const MAX_CHOICES = 20;

/** A request for permission without its session, and the option that is meant by a later message. */
export type Asked = Omit<RequestPermissionRequest, 'sessionId'>;

/** The option of a question that is answered by a message of its own. */
const OTHERWISE = 'otherwise';

const RULINGS: PermissionOption[] = [
  { optionId: 'approve', name: 'Approve', kind: 'allow_once' },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
];
const IN_RUN: PermissionOption = {
  optionId: 'approve_in_run',
  name: 'Approve such calls in this run',
  kind: 'allow_always',
};

/** The request that a question is for an editor. Null: it has no choices, so only a message answers it. */
async function requestFor(loops: App, question: Question): Promise<Asked | null> {
  const { kind, choices, event, callId } = question;
  if (kind === 'question' && choices.length === 0) return null;
  const { lines } = await shownQuestion(loops, question);
  const [first = ''] = lines;
  const options = kind === 'question' ? choiceOptions(choices) : withoutApproval(question);
  const text = plain(head(lines.join('\n'), MAX_SHOWN_CHARS));
  return {
    toolCall: {
      toolCallId: `question/${event}/${callId}`,
      title: oneLine(first, MAX_TITLE_CHARS),
      kind: 'other',
      status: 'pending',
      content: [{ type: 'content', content: { type: 'text', text } }],
    },
    options,
  };
}

/** Passes on what was chosen. Returns why it was not taken; null where it was, or came too late to matter. */
async function passOn(loops: App, run: string, question: Question, option: string): Promise<string | null> {
  const { kind, callId: call, approval, choices } = question;
  if (kind === 'question') {
    const text = choices[Number(option)];
    const said = text === undefined ? null : await loops.answer(run, { call, text });
    return said?.kind === 'refused' ? said.message : null;
  }
  const digest = approval ? { digest: approval.digest } : {};
  const directory = (await readSettings(loops.log, run))?.directory;
  const said = await loops.grant(run, {
    call,
    granted: option !== 'deny',
    ...digest,
    remember: option === IN_RUN.optionId,
    ...(directory === undefined ? {} : { by: { ...(await localUser(directory)), door: 'editor' } }),
  });
  return said.kind === 'refused' ? said.message : null;
}

/** Whether a question waits for a message: that was chosen, or the request was closed. */
const isLeft = (option: string | null): boolean => option === null || option === OTHERWISE;

const choiceOptions = (choices: readonly string[]): PermissionOption[] => [
  ...choices.slice(0, MAX_CHOICES).map((choice, index): PermissionOption => ({
    optionId: String(index),
    name: oneLine(choice, MAX_TITLE_CHARS),
    kind: 'allow_once',
  })),
  { optionId: OTHERWISE, name: 'Answer in a message', kind: 'reject_once' },
];

/** Where nothing is that could be read, a request can only be denied. */
const withoutApproval = ({ approval, remembers }: Question): PermissionOption[] => [
  ...RULINGS.filter(({ optionId }) => approval !== undefined || optionId === 'deny'),
  ...(remembers ? [IN_RUN] : []),
];

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
