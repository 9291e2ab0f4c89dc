import { describe } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { logContract } from './log.contract.ts';
import { temporaryStore } from './store.ts';

describe('sqlite', () => logContract(async (now) => openSqliteLog(temporaryStore(), { now })));
