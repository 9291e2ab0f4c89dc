import type { Json } from '../../../machines/json.ts';
import { type Fault, NO_ANSWER } from '../../../machines/outcome.ts';
import { answersBy, unfitText } from '../../prompt/answer-schema.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';

/** How many answers in a row may not fit: the model is asked again after each, and not after the last. */
const MAX_UNFIT_ANSWERS = 3;
const MAX_NAMED = 3;

/** The answers of a turn that do not fit the schema that they are asked by, folded from its facts. */
export class UnfitAnswers {
  readonly #schema: Json | undefined;
  #reads: ReturnType<typeof answersBy> | null = null;
  #count = 0;
  #faults: readonly string[] = [];

  constructor(schema: Json | undefined) {
    this.#schema = schema;
  }

  observe({ type, payload }: Fact): void {
    if (this.#schema === undefined) return;
    if (type === 'run.steered' || type === 'run.continued') this.#count = 0;
    if (type === 'model.completed' && payload.calls.length === 0 && payload.cut === undefined) this.#read(payload.text);
    if (type === 'tool.completed' && payload.answer !== undefined) this.#read(payload.answer);
  }

  /** What the model is told of the newest answer. Null: it fits, or none is asked for by a schema. */
  get feedback(): string | null {
    return this.#faults.length === 0 ? null : unfitText(this.#faults);
  }

  /** Why the model is not asked again. Null: it is. */
  get fault(): Fault | null {
    if (this.#faults.length === 0 || this.#count < MAX_UNFIT_ANSWERS) return null;
    const named = this.#faults.slice(0, MAX_NAMED).join('; ');
    const said = `The answer did not fit its schema ${this.#count} times in a row: ${named}.`;
    return { code: NO_ANSWER.unfit, message: `${said} Simplify the schema, or choose another model.` };
  }

  #read(answer: string): void {
    this.#reads ??= answersBy(this.#schema ?? {});
    const read = this.#reads(answer);
    this.#faults = read.kind === 'unfit' ? read.faults : [];
    this.#count = read.kind === 'unfit' ? this.#count + 1 : 0;
  }
}
