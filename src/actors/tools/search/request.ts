import type { Place } from '../confine.ts';
import type { TextPattern } from './text-search.ts';

interface Begin {
  /** Where it begins. */
  readonly place: Place;
  /** How paths in the answer begin: what is to be put before a path relative to the place. */
  readonly prefix: string;
  readonly includeIgnored: boolean;
  /** How long it may take before it answers with what it has. */
  readonly limitMs: number;
}

export interface ListRequest extends Begin {
  readonly kind: 'list';
  readonly depth: number;
}

export interface GlobRequest extends Begin {
  readonly kind: 'glob';
  readonly pattern: string;
}

export interface GrepRequest extends Begin {
  readonly kind: 'grep';
  readonly pattern: TextPattern;
  readonly glob: string | null;
  /** Lines shown before and after each match. */
  readonly context: number;
  readonly show: 'content' | 'files' | 'counts';
}

/** What is asked of the thread that searches. It is sent there, so it is data. */
export type SearchRequest = ListRequest | GlobRequest | GrepRequest;

export type SearchAnswer =
  | { readonly kind: 'found'; readonly output: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string };
