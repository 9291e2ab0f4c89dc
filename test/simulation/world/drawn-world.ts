import { Chance } from './chance.ts';
import { Outside } from './outside.ts';
import { type Plan, planOf } from './plan.ts';
import { SimulatedBranch } from './simulated-branch.ts';
import { type DiskFault, SimulatedDisk } from './simulated-disk.ts';

type Fault = DiskFault | 'busy';

/** What a world is drawn from: each part has draws of its own, so that one more in one changes nothing in another. */
export class DrawnWorld {
  readonly plan: Plan;
  /** How long things take, and what happens in between. */
  readonly chance: Chance;
  readonly disk: SimulatedDisk;
  readonly outside: Outside;
  readonly branch = new SimulatedBranch();
  readonly #faults: Chance;

  constructor(seed: number, change: (drawn: Plan) => Plan = (drawn) => drawn) {
    const chance = new Chance(seed);
    this.plan = change(planOf(chance.apart()));
    this.chance = chance.apart();
    this.#faults = chance.apart();
    this.disk = new SimulatedDisk(chance.apart());
    this.outside = new Outside(chance.apart(), this.plan);
  }

  /** The fault that the next transaction meets. Null: none. */
  fault(): Fault | null {
    if (!this.#faults.happens(this.plan.faultChance)) return null;
    return this.#faults.pick<Fault>(['busy', 'ENOSPC', 'EIO', 'short', 'EIO at sync']);
  }
}
