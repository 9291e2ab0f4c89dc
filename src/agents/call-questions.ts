import type { Json } from '../../machines/json.ts';
import type { ToolCall } from '../../machines/events.ts';
import type { CallRuling } from '../permissions/call-ruling.ts';
import type { Called } from '../permissions/call-parts.ts';
import type { PermissionAnswer, PermissionQuestion } from './agent-port.ts';

/** The most questions of one prompt that a person is asked about. */
const MAX_ASKED = 20;

/**
 * The questions of an agent in one prompt, by the rules of its run. It does not wait for a person, who may come in
 * days: what is to be asked is refused, and told as a call of its answer, which a person is then asked about.
 */
export class AskedCalls {
  readonly #ruling: (call: Called) => CallRuling;
  readonly #lets: (call: Called) => Promise<boolean>;
  readonly #asked = new Map<string, Called>();

  constructor(ruling: (call: Called) => CallRuling, lets: (call: Called) => Promise<boolean> = async () => true) {
    this.#ruling = ruling;
    this.#lets = lets;
  }

  async permit(question: PermissionQuestion): Promise<PermissionAnswer> {
    const call = callOf(question);
    const { action, digest } = this.#ruling(call);
    if (action === 'ask' && this.#asked.size < MAX_ASKED) this.#asked.set(digest, call);
    return action === 'allow' && (await this.#lets(call)) ? 'allowed' : 'refused';
  }

  /** The calls that a person is to be asked about, as those of a step. */
  calls(step: number): ToolCall[] {
    return [...this.#asked.values()].map(({ tool, arguments: given }, index) => ({
      callId: `${step}.${index}`,
      providerId: null,
      tool,
      arguments: given,
    }));
  }
}

/**
 * A question as a call of a tool of ours, so that the same rules hold. It has nothing that another wording of the same
 * question would lack: what a person allows is found again by it.
 */
function callOf({ kind, title, paths, input }: PermissionQuestion): Called {
  const tool = kind === 'execute' ? 'shell' : kind;
  const places = paths.length === 0 ? {} : { paths: [...paths].toSorted() };
  if (kind === 'execute') return { tool, arguments: { command: textOf(input, 'command') ?? bare(title), ...places } };
  if (kind === 'fetch') return { tool, arguments: { url: textOf(input, 'url') ?? bare(title), ...places } };
  if (paths.length > 0) return { tool, arguments: places };
  return { tool, arguments: input === null ? { title } : { title, input } };
}

/** A text in the input of a call, or the words of a list there. */
function textOf(input: Json, name: string): string | null {
  const value: unknown = Reflect.get(Object(input), name);
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value.join(' ') : null;
}

/** A title may be a command in quotation marks for Markdown. */
const bare = (title: string): string => title.replace(/^`+|`+$/g, '').trim();
