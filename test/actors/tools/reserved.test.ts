import { expect, test } from 'vitest';
import { isReserved } from '../../../src/actors/tools/state-paths.ts';

const spelt = ['.git', '.GIT', '.g\u0131t', '.\uff47\uff49\uff54', '.gi\u200ct', '\ufeff.git', '.git. .', 'GIT~1'];

const CONFIGURATION = ['loopfold.config.json', 'loopfold.config.ts', 'LoopFold.Config.MJS', 'LOOPFO~1.JSO'];

test.each([...CONFIGURATION, ...spelt, '.git::$INDEX_ALLOCATION', '.LoopFold', '.loopfold ', 'LOOPFO~1'])(
  '%j is off limits',
  (name) => expect(isReserved(name)).toBe(true),
);

test.each(['.gitignore', '.github', 'git', '.git-old', 'x.git', '.loopfolder', 'loopfold.config', 'git~', 'agit~1'])(
  '%j is not',
  (name) => expect(isReserved(name)).toBe(false),
);
