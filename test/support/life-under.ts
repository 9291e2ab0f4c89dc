import type { Life } from '../../machines/life.ts';
import type { Limits } from '../../machines/settings.ts';
import { lifeOf, open } from '../../src/kernel/fold.ts';
import { turnStarted } from './facts.ts';
import { timeAt } from './given.ts';

/** What a turn remembers at its start, under these limits. */
export function lifeUnder(limits: Partial<Limits> = {}): Life {
  const opened = open({ ...turnStarted({ limits }), version: 1, at: timeAt(0) });
  if (opened.kind !== 'opened') throw new Error('no machine');
  return lifeOf(opened.state);
}
