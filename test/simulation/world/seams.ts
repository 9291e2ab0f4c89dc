import type { LoopDefinition } from '../../../src/kernel/loop-definition.ts';
import type { Log } from '../../../src/log/log.ts';
import type { MakeHandlers } from '../../../src/runtime/make-handlers.ts';
import type { Plan } from './plan.ts';
import type { CommitMoment } from './simulated-store.ts';
import type { StoreRecord } from './store-record.ts';
import type { World } from './world.ts';

/** Where a bug can be planted around the program, without any change to it. */
export interface Seams {
  readonly aroundLog?: (log: Log, world: World) => Log;
  readonly aroundHandlers?: (inner: MakeHandlers) => MakeHandlers;
  readonly loops?: readonly LoopDefinition[];
  readonly commitOrder?: (record: StoreRecord) => readonly CommitMoment[];
  /** What the drawn plan has to have, so that the bug gets its chance. */
  readonly plan?: (drawn: Plan) => Plan;
}
