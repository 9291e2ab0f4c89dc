import { keepContent } from '../../actors/whole-output.ts';
import type { KeepBlob } from './result-text.ts';

/** The run of an effect: `RUN/version/n`. */
export const runOf = (effect: string): string => effect.slice(0, Math.max(0, effect.indexOf('/')));

/** Keeps blobs where the tools of a run may read them. */
export const keepingFor =
  (run: string): KeepBlob =>
  (content, extension) =>
    keepContent(run, content, extension);
