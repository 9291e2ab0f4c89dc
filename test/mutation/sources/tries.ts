/** One test under one edit, or under none. */
export interface Try {
  readonly number: number | null;
  /** The test's id, and its name. Files that are loaded under an edit have no id. */
  readonly test: string | null;
  readonly name: string;
}

/** What a process says of its tries as it comes to them: so that is known also where one of them ends it. */
export type Said =
  | { readonly kind: 'begun'; readonly one: Try }
  /** Why the test failed. Null: it passed. */
  | { readonly kind: 'ended'; readonly why: string | null };

export interface Tried extends Try {
  readonly why: string | null;
}

export interface Fatal extends Tried {
  /** Whether the process was at it. */
  readonly isSure: boolean;
}

/** The tries of one pass over test files. */
export class Tries {
  readonly #ended: Tried[] = [];
  #begun: Try | null = null;
  #fatal: Fatal | null = null;

  said(said: Said): void {
    if (said.kind === 'begun') this.#begun = said.one;
    else if (this.#begun) {
      this.#ended.push({ ...this.#begun, why: said.why });
      this.#begun = null;
    }
  }

  /** The process has ended before it was through: by the try that it was at, or by what those before it have left. */
  died(why: string): void {
    const isSure = this.#begun !== null;
    this.said({ kind: 'ended', why });
    const last = this.#ended.at(-1);
    if (!last) throw new Error(`a process ended before it tried an edit: ${why}`);
    this.#fatal = { ...last, why, isSure };
  }

  get all(): readonly Tried[] {
    return this.#ended;
  }

  /** The last try, where the process has ended after it. Null: it was through. */
  get fatal(): Fatal | null {
    return this.#fatal;
  }
}
