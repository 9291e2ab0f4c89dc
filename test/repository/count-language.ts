import { puzzlingWordsIn } from './language.ts';
import { trackedTree } from './tree.ts';

const asked = process.argv.slice(2);
const found = [...trackedTree()]
  .filter(([file]) => asked.length === 0 || asked.some((path) => file.startsWith(path)))
  .flatMap(([file, text]) => puzzlingWordsIn(file, text));
for (const { file, line, word, instead } of found) console.log(`${file}:${line}  ${word}  (${instead})`);
console.log(`${found.length} puzzling words`);
process.exitCode = found.length === 0 ? 0 : 1;
