import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { logContract } from '../../src/testing/log-contract/log-contract.ts';

const RUNNER = { describe, expect, onTestFinished, test };

describe('memory', () => logContract(async (now) => memoryLog({ now }), RUNNER));
