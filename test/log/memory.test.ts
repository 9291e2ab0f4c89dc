import { describe } from 'vitest';
import { memoryLog } from '../../src/log/memory/log.ts';
import { logContract } from './log.contract.ts';

describe('memory', () => logContract(async (now) => memoryLog({ now })));
