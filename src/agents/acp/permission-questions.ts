import { Json } from '../../../machines/json.ts';
import type { PermissionAnswer } from '../agent-port.ts';
import type { AgentWork } from '../agent-work.ts';
import { isObject, type JsonObject, listIn, textIn } from '../json-object.ts';
import { pathsOf, type Updates } from './updates.ts';

/** Questions for permission in one prompt: an agent that asks more asks for ever. */
const MAX_QUESTIONS = 1_000;

/** The kinds of options by which each answer is given. An answer for once comes first: others outlive the question. */
const OPTIONS = { allowed: ['allow_once', 'allow_always'], refused: ['reject_once', 'reject_always'] } as const;

/** Answers the questions for permission of one prompt, until its agent is cancelled. */
export class Questions {
  readonly #work: AgentWork;
  readonly #updates: Updates;
  #count = 0;

  constructor(work: AgentWork, updates: Updates) {
    this.#work = work;
    this.#updates = updates;
  }

  /** A question that waits when the agent is cancelled is answered so: the agent would else never stop. */
  async answer(params: JsonObject): Promise<JsonObject> {
    const { task, tell, watch } = this.#work;
    this.#count += 1;
    if (this.#count > MAX_QUESTIONS) watch.end('asked-too-often', `${MAX_QUESTIONS} questions`);
    const call = isObject(params['toolCall']) ? params['toolCall'] : {};
    const known = this.#updates.known(call) ?? { call: '', title: '', kind: 'other' };
    const { call: id, title, kind } = known;
    const input = Json.safeParse(call['rawInput']);
    const question = { call: id, title, kind, paths: pathsOf(call), input: input.success ? input.data : null };
    const cancelled = watch.cut.then((): PermissionAnswer => 'cancelled');
    const asked = task.permit(question).catch((): PermissionAnswer => 'refused');
    const answer = await watch.during(Promise.race([cancelled, asked]));
    tell({ kind: 'permission', question, answer });
    const option = answer === 'cancelled' ? null : optionFor(answer, listIn(params['options']));
    return { outcome: option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option } };
  }
}

/** The answer by its kind; null where the agent does not offer it. */
function optionFor(answer: Exclude<PermissionAnswer, 'cancelled'>, options: readonly unknown[]): string | null {
  for (const kind of OPTIONS[answer]) {
    const option = options.find((offered) => isObject(offered) && offered['kind'] === kind);
    if (isObject(option) && textIn(option['optionId']) !== '') return textIn(option['optionId']);
  }
  return null;
}
