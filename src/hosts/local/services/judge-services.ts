import type { DetectorServices } from './detector-services.ts';
import type { StrategyServices } from './strategy-services.ts';
import type { ToolServices } from './tool-services.ts';

/** The services that judging a recorded run needs. */
export type JudgeServices = DetectorServices & Pick<StrategyServices, 'strategies'> & Pick<ToolServices, 'callKind'>;
