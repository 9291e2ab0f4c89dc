import type { ImprovementContext } from '../../../machines/improvement-progress.ts';
import type { Evidence } from '../../kernel/decision.ts';
import type { ImprovementMemory } from './memory.ts';

/** What the judge of the improvement loop and its rules rest on. */
export type ImprovementEvidence = Evidence<ImprovementContext, ImprovementMemory>;
