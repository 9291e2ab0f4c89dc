import type { EventOf, ToolCall } from '../../../machines/events.ts';
import type { AskedPermission } from '../../../machines/permissions.ts';
import { callInWords, permissionWords } from '../call-words.ts';
import { listed } from '../../text/list-text.ts';
import { formChoices, formText } from '../../prompt/answer-form.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { AskedQuestion, Questions } from '../../kernel/loop-description.ts';

/** The tools whose answer is a permission, not text. */
const READ_ACCESS = 'request_read_access';
const COMMAND_ACCESS = 'request_command_access';

/** The questions that the model of a turn asks users by its calls. */
export class TurnQuestions implements Questions {
  #asked: readonly AskedQuestion[] = [];
  /** The newest answer's calls. */
  #calls: readonly ToolCall[] = [];

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'model.completed':
        this.#calls = fact.payload.calls;
        this.#close();
        break;
      case 'calls.admitted':
        this.#close();
        this.#asked = [...this.#asked, ...askedBy(fact, this.#calls)];
        break;
      case 'person.answered':
        this.#answer(fact.payload);
        break;
      case 'server.asked':
        this.#asked = [...this.#asked, fact.payload.question.opens ? this.#ofWalls(fact) : askedByServer(fact)];
        break;
      case 'server.answered':
        this.#answer(fact.payload);
        break;
      case 'effect.interrupted':
        if (fact.payload.actor === 'server') this.#close(fact.payload.lane);
        break;
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.interrupted':
        this.#close(fact.payload.callId);
        break;
      case 'abort.requested':
        this.#close();
        break;
      case 'timer.fired':
        if (fact.payload.timer === 'deadline') this.#close();
        break;
    }
  }

  asked(): readonly AskedQuestion[] {
    return this.#asked;
  }

  /** The question whether a call that walls have refused a place runs again with it. */
  #ofWalls({ payload, run, version, at }: Fact & EventOf<'server.asked'>): AskedQuestion {
    const { callId, question } = payload;
    const call = this.#calls.find((one) => one.callId === callId);
    const allows = call ? callInWords(call).allows : callId;
    const places = listed(question.opens ?? [], 'and');
    return {
      run,
      callId,
      kind: 'approval',
      text:
        `May ${allows} run again, and reach ${places}? The walls refused that. ` +
        `It had printed:\n${question.message}`,
      choices: [],
      path: null,
      approval: { allows: `this call of ${allows} to run again and reach ${places}, once`, digest: question.digest },
      opensWalls: true,
      askedAt: at,
      event: `${run}/${version}`,
      isOpen: true,
      answer: null,
    };
  }

  #answer(answered: EventOf<'person.answered' | 'server.answered'>['payload']): void {
    const index = this.#asked.findLastIndex(({ callId }) => callId === answered.callId);
    this.#asked = this.#asked.map((one, at) =>
      at === index ? { ...one, isOpen: false, answer: answerText(answered) } : one,
    );
  }

  /** Closes the question of one call, or all questions. */
  #close(callId?: string): void {
    const isMeant = (one: AskedQuestion) => one.isOpen && (callId === undefined || one.callId === callId);
    this.#asked = this.#asked.map((one) => (isMeant(one) ? { ...one, isOpen: false } : one));
  }
}

function askedBy(
  { payload, run, version, at }: Fact & EventOf<'calls.admitted'>,
  calls: readonly ToolCall[],
): AskedQuestion[] {
  return payload.run.flatMap(({ callId, actor, permission }) => {
    const call = actor === 'askPerson' ? calls.find((one) => one.callId === callId) : undefined;
    if (!call) return [];
    const asked = permission ? permissionOf(call, permission) : textOf(call);
    return [{ run, callId, ...asked, askedAt: at, event: `${run}/${version}`, isOpen: true, answer: null }];
  });
}

/** The question of a server, in its words, with the name of the server. */
function askedByServer({ payload, run, version, at }: Fact & EventOf<'server.asked'>): AskedQuestion {
  const { callId, question } = payload;
  const text = { kind: 'question', text: formText(question), choices: formChoices(question.form), path: null } as const;
  return { run, callId, ...text, form: question, askedAt: at, event: `${run}/${version}`, isOpen: true, answer: null };
}

type Asked = Pick<AskedQuestion, 'kind' | 'text' | 'choices' | 'path' | 'opens' | 'approval' | 'remembers'>;

/** The question whether a call may be tried, with all that it says. */
function permissionOf(call: ToolCall, { because, digest, remembers }: AskedPermission): Asked {
  const { allows, text } = callInWords(call);
  return {
    kind: 'approval',
    text: `May it call ${allows}? (${because})${text === '' ? '' : `\n${text}`}`,
    choices: [],
    path: null,
    approval: { allows: `this call of ${allows}, once`, digest },
    remembers,
  };
}

/** The question of a call, in the model's words. */
function textOf({ tool, arguments: given }: ToolCall): Asked {
  const { question, choices, path, reason, opens, place } = Object(given) as { readonly [name: string]: unknown };
  const access = { kind: 'access', text: String(reason), choices: [] } as const;
  if (tool === READ_ACCESS) return { ...access, path: String(path) };
  if (tool === COMMAND_ACCESS)
    return { ...access, path: String(place), opens: opens === 'network' ? 'network' : 'write' };
  const text = typeof question === 'string' ? question : `${tool}: ${JSON.stringify(given)}`;
  return { kind: 'question', text, choices: Array.isArray(choices) ? choices.map(String) : [], path: null };
}

function answerText(answered: EventOf<'person.answered' | 'server.answered'>['payload']): string {
  if ('form' in answered) return answered.answer;
  const { answer, access, permission } = answered;
  if (access) return `${access.granted ? 'granted' : 'denied'}: ${access.path}`;
  return permission ? permissionWords(permission) : answer;
}
