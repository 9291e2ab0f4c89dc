import { describe, expect, onTestFinished, test } from 'vitest';
import { hostContract } from '../../src/hosts/contract/host-contract.ts';
import { fleetUnderTest, localUnderTest, xstateUnderTest } from './in-process.ts';

const RUNNER = { describe, expect, onTestFinished, test };

describe('H1 local', () => hostContract(localUnderTest, RUNNER));
describe('H1 xstate', () => hostContract(xstateUnderTest, RUNNER));
describe('H1 fleet', () => hostContract(fleetUnderTest, RUNNER));
