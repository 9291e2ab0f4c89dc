import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Person } from './api-host.ts';

const KEY_BYTES = 32;

/** A token that a user has made for a person. */
export interface UserToken {
  readonly name: string;
  readonly email: string | null;
  /** SHA-256 of the token. */
  readonly digest: Buffer;
}

export interface KeysOptions {
  /** The cookie is bound to it: another server of this machine has one of its own. */
  readonly port: number;
  /** Who opens the address that was printed. */
  readonly person: Person;
  readonly tokens?: readonly UserToken[];
}

/** The keys of one server: addresses that are used once, cookies, and tokens of users. All of them end with it. */
export class Keys {
  readonly cookieName: string;
  readonly #secret = randomBytes(KEY_BYTES);
  readonly #port: number;
  readonly #person: Person;
  readonly #tokens: readonly UserToken[];
  /** Digests of addresses that were not used yet. */
  readonly #unused = new Set<string>();

  constructor({ port, person, tokens = [] }: KeysOptions) {
    this.cookieName = `loopfold-${port}`;
    this.#port = port;
    this.#person = person;
    this.#tokens = tokens;
  }

  /** A token for an address that is used once. */
  once(): string {
    const token = randomBytes(KEY_BYTES).toString('base64url');
    this.#unused.add(digestOf(token).toString('hex'));
    return token;
  }

  /** The cookie for the token of an address. Null: it is of another server, or was used before. */
  redeem(token: string): string | null {
    return this.#unused.delete(digestOf(token).toString('hex')) ? this.#cookie(randomBytes(KEY_BYTES)) : null;
  }

  /** Who a cookie belongs to. */
  byCookie(cookie: string | undefined): Person | null {
    const nonce = Buffer.from(cookie?.split('.', 1)[0] ?? '', 'base64url');
    if (cookie === undefined || nonce.length !== KEY_BYTES) return null;
    return isSame(cookie, this.#cookie(nonce)) ? this.#person : null;
  }

  /** Who a token in a header belongs to. */
  byToken(token: string): Person | null {
    const digest = digestOf(token);
    const found = this.#tokens.find((one) => timingSafeEqual(one.digest, digest));
    return found ? { name: found.name, email: found.email, isKnown: true } : null;
  }

  #cookie(nonce: Buffer): string {
    const mac = createHmac('sha256', this.#secret).update(`${this.#port} `).update(nonce).digest('base64url');
    return `${nonce.toString('base64url')}.${mac}`;
  }
}

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));
