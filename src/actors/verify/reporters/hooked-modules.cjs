'use strict';
// Some runners offer no place for a second reporter. Their module is changed as it is loaded, whatever loads it.
const { readFileSync, realpathSync } = require('node:fs');
const Module = require('node:module');

const HOOKS = [
  [/[\\/]tape[\\/]lib[\\/]results\.js$/, './tape-hook.cjs'],
  [/[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/, './mocha-hook.cjs'],
  [/[\\/]@jest[\\/]core[\\/]build[\\/](index|jest)\.js$/, './jest-hook.cjs'],
];

function hookModules() {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, filename, ...more) {
    const result = compile.call(this, content, filename, ...more);
    for (const [place, hook] of HOOKS) if (place.test(filename)) this.exports = require(hook).hooked(this.exports);
    return result;
  };
}

/** Changes the source of each module whose address fits, as it is loaded. Only since Node 22.15. */
function changeSources(place, change) {
  Module.registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!place.test(url) || !loaded.source) return loaded;
      return { ...loaded, source: change(String(loaded.source)) };
    },
  });
}

/** Tells whether a manifest is of this package. */
function isOfPackage(manifest, name) {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).name === name;
  } catch {
    return false;
  }
}

/** Finds the real place of a program. Empty: it is not there. */
function realPlace(entry) {
  try {
    return realpathSync(entry);
  } catch {
    return '';
  }
}

module.exports = { changeSources, hookModules, isOfPackage, realPlace };
