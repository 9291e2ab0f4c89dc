import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { logContract } from '../../src/testing/log-contract/log-contract.ts';
import { temporaryStore } from './store.ts';

const RUNNER = { describe, expect, onTestFinished, test };

describe('sqlite', () => logContract(async (now) => openSqliteLog(temporaryStore(), { now }), RUNNER));
