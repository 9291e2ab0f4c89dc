import type { Model } from '../../src/actors/model/model.ts';
import type { AnyScript } from '../../src/actors/model/model-script.ts';
import type { Ceilings } from '../../src/options/defaults.ts';
import type { ServiceOptions } from '../../src/hosts/local/service-options.ts';
import type { Services } from '../../src/ports/services.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { Log } from '../../src/log/log.ts';
import type { MakeHandlers } from '../../src/runtime/make-handlers.ts';

export interface HarnessOptions extends Omit<ServiceOptions, 'model'> {
  readonly model: Model | AnyScript;
  readonly log?: Log;
  readonly ceilings?: Partial<Ceilings>;
  /** Beside those that ship. */
  readonly loops?: readonly LoopDefinition[];
  /** Services in place of the local ones. Captures and checks are stand-ins anyway: nothing touches a disk. */
  readonly services?: Partial<Services>;
  readonly aroundHandlers?: (inner: MakeHandlers) => MakeHandlers;
}

/** No wrapper around the handlers. */
export const unchanged = (inner: MakeHandlers): MakeHandlers => inner;
