import { type Head, START, type StoredEvent } from '../../../src/log/chain.ts';
import type { RunRecord } from '../../../src/log/event-store.ts';

/** A run in memory: the versions it shares with the run it was forked from, then its own. */
export class MemoryRun {
  readonly run: string;
  readonly root: string;
  readonly parentEffect: string | null;
  readonly createdAt: string;
  readonly prefix: { readonly of: MemoryRun; readonly version: number } | null;
  readonly own: StoredEvent[] = [];
  closed: string | null = null;

  constructor(facts: Pick<MemoryRun, 'run' | 'root' | 'parentEffect' | 'createdAt' | 'prefix'>) {
    this.run = facts.run;
    this.root = facts.root;
    this.parentEffect = facts.parentEffect;
    this.createdAt = facts.createdAt;
    this.prefix = facts.prefix;
  }

  get head(): Head {
    return this.own.at(-1) ?? this.at(this.shared) ?? START;
  }

  get shared(): number {
    return this.prefix?.version ?? 0;
  }

  at(version: number): StoredEvent | undefined {
    return version > this.shared ? this.own[version - this.shared - 1] : this.prefix?.of.at(version);
  }

  record(): RunRecord {
    const { run, root, parentEffect, prefix, createdAt, closed } = this;
    const { version, hash } = this.head;
    const forkedFrom = prefix ? { run: prefix.of.run, version: prefix.version } : null;
    const updatedAt = this.own.at(-1)?.at ?? createdAt;
    return { run, root, parentEffect, forkedFrom, version, hash, createdAt, updatedAt, closed };
  }
}
