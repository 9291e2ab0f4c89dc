import { describe } from 'vitest';
import { memoryLog } from '../../src/log/memory/engine.ts';
import { logContract } from './log.contract.ts';

describe('memory', () => logContract(async (now) => memoryLog({ now })));
