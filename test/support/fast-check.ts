import fc from 'fast-check';
import { seed } from './seed.ts';

// The same cases again for the same seed, wherever a property does not name its own.
fc.configureGlobal({ seed });

export { fc };
