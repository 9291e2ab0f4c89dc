import { readOwnSources } from './own-package.ts';

readOwnSources();
