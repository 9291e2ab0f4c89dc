import { proseOf } from '../../../src/config/agents/find-agent.ts';
import { commentPlaces } from '../../../src/evidence/comment-places.ts';
import { boundNames } from '../../../src/evidence/control/names-in-scope.ts';
import { goRequires } from '../../../src/evidence/packages/go-manifest.ts';
import { readNodeLock } from '../../../src/evidence/packages/node-lock.ts';
import { pythonRanges } from '../../../src/evidence/packages/python-manifest.ts';
import { replacedModules } from '../../../src/evidence/module-mocks.ts';
import { holdsSecret } from '../../../src/evidence/secret-files.ts';
import { literalSyntax, withoutTexts } from '../../../src/evidence/literals.ts';
import { recipeOf } from '../../../src/evidence/steps/make-recipe.ts';
import { suppressionsIn } from '../../../src/evidence/suppressions.ts';
import { testsWithin } from '../../../src/evidence/tests-in-sources.ts';
import { todoComments } from '../../../src/loops/improvement/discovery/todo-comments.ts';
import { coveredFiles } from '../../../src/loops/improvement/discovery/coverage-gaps.ts';
import { statePartsOf } from '../../../src/ralph/front-text.ts';
import type { Reader } from './reader.ts';

const UNKNOWN = { parts: /x/g, isUnsure: () => true };

/** Readers of files: sources, manifests, lockfiles and pages. */
export const SOURCE_READERS: readonly Reader[] = [
  ['proseOf', (text) => proseOf(`## A\n---\n${text}\n---\n`)],
  ['statePartsOf', (text) => statePartsOf(`---\na: ${text}\n---\n${text}`)],
  ...['ts', 'tsx', 'py', 'rs', 'go', 'rb', 'c', 'md', 'sh'].map((extension): Reader => [
    `commentPlaces, of .${extension}`,
    (text) => commentPlaces(`a.${extension}`, text),
  ]),
  ['boundNames', boundNames],
  ['boundNames, of an import', (text) => boundNames(`import ${text}`)],
  ['boundNames, of require', (text) => boundNames(`const {${text}} = require('a')`)],
  ['boundNames, of many', (text) => boundNames(text.replaceAll(/\W/g, '\nimport a\nconst {a'))],
  ...['py', 'go', 'rs', 'c', 'java', 'kt', 'cs'].map((extension): Reader => [
    `withoutTexts, of .${extension}`,
    (text) => withoutTexts(text, literalSyntax(extension) ?? UNKNOWN),
  ]),
  ['withoutTexts, of a format', (text) => withoutTexts(`f"${text}"`, literalSyntax('py') ?? UNKNOWN)],
  [
    'todoComments',
    (text) => todoComments([{ file: 'a.ts', line: 1, text: `// TODO(${text}) ${text}`, below: [text] }]),
  ],
  ['testsWithin, of .rs', (text) => testsWithin('a.rs', text)],
  ['testsWithin, of .py', (text) => testsWithin('a.py', text)],
  ['testsWithin, of .ts', (text) => testsWithin('a.ts', text)],
  ['suppressionsIn', (text) => suppressionsIn(text, 'all')],
  ['goRequires', (text) => goRequires(`require ${text}`)],
  ['replacedModules', (text) => replacedModules(`replace (\n${text}`)],
  ['readNodeLock, of yarn', (text) => readNodeLock('yarn.lock', text)],
  ['pythonRanges', (text) => pythonRanges('requirements.txt', text)],
  ['holdsSecret', (text) => holdsSecret('a.env', text)],
  ['recipeOf', (text) => recipeOf(`test: ${text}\n\t${text}`, 'test', () => false)],
  ['coveredFiles', (text) => coveredFiles(`SF:a${text}\nDA:1,1\nend_of_record\n`, () => null)],
];
