import { expect, test } from 'vitest';
import { isLinting } from '../../src/evidence/reading-commands.ts';
import { SuppressionCount } from '../../src/evidence/suppression-count.ts';
import type { SuppressionKind } from '../../src/evidence/suppressions.ts';
import { cpuTime } from '../support/cpu-time.ts';

function suppressionsAdded(lines: readonly string[], kind: SuppressionKind): number {
  const count = new SuppressionCount(kind);
  for (const line of lines) count.add(line);
  return count.total();
}

test.each([
  ['a type error that is ignored', ['+  // @ts-expect-error it is'], 1],
  ['two in one line', ['+/* eslint-disable */ // @ts-ignore'], 2],
  ['one of Python', ['+x = 1  # type: ignore[int]', '+y = 1  # noqa: F'], 2],
  ['one of Rust', ['+#[allow(unused)]'], 1],
  ['one of Rust under a condition', ['+#![cfg_attr(all(), allow(clippy::all))]'], 1],
  ['a whole file of Python', ['+# ruff: noqa', '+# pylint: skip-file', '+# mypy: disable-error-code="misc"'], 3],
  ['a function of Python', ['+@typing.no_type_check'], 1],
  ['rules that a comment sets', ['+/* eslint eqeqeq: "off" */'], 1],
  ['a place that is not laid out', ['+// prettier-ignore', '+# fmt: off', '+#[rustfmt::skip]'], 3],
  ['one that has two lines', ['+/*', '+eslint no-undef: 0 */'], 1],
  ['what a comment sets for eslint', ['+/* eslint "no-undef": 0 */', '+/* eslint-env node */', '+/* global x */'], 3],
  ['what a comment sets for jshint and tslint', ['+// jshint -W117', '+// tslint:disable'], 2],
  ['a marker of lines, by which a header of the system follows', ['+# 1 "a.c" 3'], 1],
  ['a pragma of a compiler of C', ['+#pragma GCC system_header', '+#pragma clang diagnostic ignored "-Wall"'], 2],
  ['one of Rust with a blank', ['+#![ allow(x)]', '+#![warn(x)]'], 2],
  [
    'settings of mypy and pyright',
    ['+# pyright: strict=false', '+# mypy: no-strict-optional', '+# mypy: follow-imports=skip'],
    3,
  ],
  ['reports of pyright, and bandit', ['+# pyright: reportMissingImports=none', '+x = eval(y)  # nosec'], 2],
  ['one of Ruby, PHP and Swift', ['+# rubocop:disable all', '+// phpcs:disable', '+// swiftlint:disable x'], 3],
  ['one of Sonar, Kotlin and revive', ['+// NOSONAR', '+@Suppress("x")', '+//revive:disable'], 3],
  ['a file that no build takes', ['+//go:build ignore'], 1],
  ['a line that begins with two signs', ['+++ /* eslint-disable */ x'], 1],
  ['one of Go', ['+//nolint:errcheck', '+//lint:ignore SA1 it is'], 2],
  ['a comment about a linter', ['+/* eslint is strict here */', '+// see prettier'], 0],
  ['one that is moved', ['-// @ts-nocheck', ' a', '+// @ts-nocheck'], 0],
  ['one that is removed', ['-// oxlint-disable-next-line no-console'], -1],
  ['one that was there', [' // biome-ignore lint: it is'], 0],
  ['a text without any', ['+const eslint = 1;'], 0],
])('V5 of comments that silence a compiler or linter, a patch adds: %s', (_what, lines, added) => {
  expect(suppressionsAdded(lines, 'all')).toBe(added);
  expect(suppressionsAdded(lines, 'coverage')).toBe(0);
});

test.each([
  ['c8', ['+/* c8 ignore start */', '+/* v8 ignore next 3 */'], 2],
  ['istanbul', ['+/* istanbul ignore else */'], 1],
  ['node:test', ['+/* node:coverage disable */', '+/* node:coverage ignore next */'], 2],
  ['Python', ['+if x:  # pragma: no cover', '+  y() # pragma: no branch'], 2],
  [
    'Rust',
    ['+#[coverage(off)]', '+#[cfg_attr(coverage_nightly, coverage(off))]', '+#[cfg(not(tarpaulin_include))]'],
    3,
  ],
  ['gcov and lcov', ['+// LCOV_EXCL_LINE', '+// GCOVR_EXCL_START'], 2],
  ['c8, which is moved', ['-/* c8 ignore next */', '+/* c8 ignore next */'], 0],
  ['none', ['+// the coverage of c8 is measured', '+#pragma once'], 0],
])('V15 comments that a measurement of coverage leaves a place out by count wherever checks run: %s', (...story) => {
  const [, lines, added] = story;
  expect(suppressionsAdded(lines, 'coverage')).toBe(added);
  expect(suppressionsAdded(lines, 'all')).toBe(added);
});

test('V5 a line as long as a file is looked through at once', () => {
  const took = cpuTime(() => {
    expect(suppressionsAdded([`+${'#[cfg_attr('.repeat(50_000)}`], 'all')).toBe(0);
  });
  expect(took).toBeLessThan(5_000);
});

test.each([
  ['tsc -p .', true],
  ['python3 -m mypy src', true],
  ['cargo clippy', true],
  ['grep -q a b', false],
  ['cargo test', false],
  ['node --check a.js', false],
])('V5 whether comments can silence `%s`: %s', (command, is) => {
  expect(isLinting(command.split(' '))).toBe(is);
});
