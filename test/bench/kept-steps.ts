import { costs, rates, ratios } from './blocks.ts';
import { estimate } from './interval.ts';
import type { MeasuredSteps } from './measured.ts';
import { Measured } from './step-history.ts';
import type { StepFigures } from './steps.ts';

/** One measurement of durable steps, as it is kept for the page. */
export function keptSteps({ blocks, commits }: StepFigures) {
  const perSecond = (lane: string) => rates(blocks[lane]);
  return {
    sequence: estimate(perSecond('sequence')),
    together: estimate(perSecond('together')),
    rawAsBefore: estimate(perSecond('rawAsBefore')),
    floor: estimate(perSecond('floor')),
    floorOfRawAsBefore: estimate(ratios(perSecond('floor'), perSecond('rawAsBefore'))),
    floorCpuMicroseconds: estimate(costs(blocks['floor'])),
    ofRaw: estimate(ratios(perSecond('sequence'), perSecond('raw'))),
    ofRawAsBefore: estimate(ratios(perSecond('sequence'), perSecond('rawAsBefore'))),
    togetherOfSequence: estimate(ratios(perSecond('together'), perSecond('sequence'))),
    togetherOfRawAsBefore: estimate(ratios(perSecond('together'), perSecond('rawAsBefore'))),
    cpuMicroseconds: estimate(costs(blocks['sequence'])),
    togetherCpuMicroseconds: estimate(costs(blocks['together'])),
    inMemoryCpuMicroseconds: estimate(costs(blocks['inMemory'])),
    unsyncedCpuMicroseconds: estimate(costs(blocks['unsynced'])),
    spins: estimate(ratios(costs(blocks['sequence']), costs(blocks['spin']))),
    commits,
  };
}

/** The same as a line of the history. */
export const lineOf = ({ commit, on, spins, ofRaw, togetherOfSequence }: MeasuredSteps): Measured =>
  Measured.parse({
    commit,
    on,
    spinsPerStep: spins.value,
    ofRawLoop: ofRaw.value,
    ofSequence: togetherOfSequence.value,
  });
