/**
 * A store that cannot be trusted or used. Nothing was written. `kind` decides what a caller does next: after `lost`,
 * the file that was open is gone, and with it what was recorded there.
 */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly kind: 'damaged' | 'foreign' | 'diverged' | 'unavailable' | 'lost';
  /** The store, as the user named it. */
  readonly store: string;
  /** What was found, without the store. */
  readonly detail: string;
  /** What to do, as a sentence. */
  readonly remedy: string;

  constructor(kind: LogError['kind'], store: string, detail: string, remedy: string, cause?: unknown) {
    super(`${store}: ${detail}. ${remedy}`, { cause });
    this.kind = kind;
    this.store = store;
    this.detail = detail;
    this.remedy = remedy;
  }
}
