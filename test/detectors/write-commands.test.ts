import { expect, test } from 'vitest';
import { isWritingCommand } from '../../src/detectors/write-commands.ts';

test.each([
  "sed -i 's/a/b/' src/a.ts",
  "sed -Ei.bak 's/a/b/' src/a.ts",
  'cd src && mkdir -p a/b',
  'git -C sub add -A',
  'git commit -m x',
  'echo hello > a.txt',
  "cat <<'EOF' >> a.txt\nx\nEOF",
  'for f in *.ts; do mv "$f" old/; done',
  'npm install left-pad',
  'npx prettier --write src',
  'sudo rm -rf build',
  'find . -name "*.orig" -delete',
  "printf '%s' hello >> a.txt",
  'node gen.js | tee out.txt',
])('D14 %s is there to change something', (command) => expect(isWritingCommand(command)).toBe(true));

test.each([
  '',
  'grep -rn main src 2>/dev/null',
  'git grep -n commit',
  'git log --oneline add.ts',
  "sed -n '1,40p' src/a.ts",
  'npm test',
  'npm run install:all',
  '{ date; ls; } > out.txt',
  'npm test > log.txt',
  'npm test &>> log.txt',
  'prettier --check src',
  'ls -la > /dev/null 2>&1',
  'cat a.txt | sort | uniq -c',
  'find . -name "*.ts" -newer a.txt',
  'echo "',
])('D14 %j only looks', (command) => expect(isWritingCommand(command)).toBe(false));
