#!/usr/bin/env node
const NEEDED = [22, 13];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 13)) {
  await import('./main.ts');
} else {
  console.error(`loopfold needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node}.`);
  console.error('Install a newer one (https://nodejs.org), or try: npx -p node@24 -p loopfold loopfold');
  process.exitCode = 5;
}
