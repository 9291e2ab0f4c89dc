import { provenByChance } from './invariants.contract.ts';

// A file for each loop, so that both run at the same time.
provenByChance('iteration');
