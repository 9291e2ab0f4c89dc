import { succeeds } from '../../hosts/local/proof/proof-project.ts';
import type { Runner } from './runner-projects.ts';

const WRONG = 'def add(a, b) = a - b\n';
const RIGHT = { 'lib/sums.rb': 'def add(a, b) = a + b\n' };
const EXITS = { 'lib/sums.rb': 'exit!(0)\n' };
const LEAVES = { 'lib/sums.rb': 'def add(a, b) = exit(0)\n' };

const phpWith = (sign: string) => `<?php\nfunction add($a, $b) { return $a ${sign} $b; }\n`;
const PHP_TEST = String.raw`<?php
namespace Sums;
require_once __DIR__ . '/../src/sums.php';
final class SumsTest extends \PHPUnit\Framework\TestCase {
    /** @dataProvider pairs */
    public function testAdds(int $a, int $b): void { $this->assertSame($a + $b, \add($a, $b)); }
    public static function pairs(): array { return ["two" => [1, 2], "it's [odd] |" => [2, 3]]; }
    public function testKeeps(): void { $this->assertSame(1, \add(1, 0)); }
    public function testRounds(): void { $this->markTestSkipped('later'); }
    public function testAssertsNothing(): void { }
}
`;
const phpNames = (result: string) =>
  [
    `testAdds with data set "it's [odd] |": ${result}`,
    `testAdds with data set "two": ${result}`,
    'testAssertsNothing: skipped',
    'testKeeps: passed',
    'testRounds: skipped',
  ].map((name) => String.raw`tests/SumsTest.php Sums\SumsTest > ${name}`);

const rspecNames = (result: string) => [
  `spec/sums_spec.rb sums > #add > adds: ${result}`,
  'spec/sums_spec.rb sums > #add > is expected to eq 1: passed',
  'spec/sums_spec.rb sums > #add > rounds: skipped',
];
const minitestNames = (result: string) => [
  `test/sums_test.rb SumsTest > test_adds: ${result}`,
  'test/sums_test.rb SumsTest > test_rounds: skipped',
  'test/sums_test.rb sums > of one > keeps: passed',
];

export const RUBY_AND_PHP: readonly Runner[] = [
  {
    name: 'rspec',
    command: 'rspec --format documentation',
    isHere: succeeds('rspec', '--version'),
    files: {
      'lib/sums.rb': WRONG,
      'spec/sums_spec.rb': `require_relative '../lib/sums'
RSpec.describe 'sums' do
  describe '#add' do
    it('adds') { expect(add(1, 2)).to eq 3 }
    it { expect(add(1, 0)).to eq 1 }
    it('rounds') { skip 'later' }
  end
end
`,
    },
    right: RIGHT,
    red: rspecNames('failed'),
    green: rspecNames('passed'),
    cheats: { 'exits on import': EXITS, 'exits in a test': LEAVES },
    runsAll: true,
  },
  {
    name: 'minitest',
    command: 'ruby test/sums_test.rb',
    isHere: succeeds('ruby', '-e', 'require "minitest"'),
    files: {
      'lib/sums.rb': WRONG,
      'test/sums_test.rb': `require 'minitest/autorun'
require_relative '../lib/sums'
class SumsTest < Minitest::Test
  def test_adds = assert_equal(3, add(1, 2))
  def test_rounds = skip('later')
end
describe 'sums' do
  describe 'of one' do
    it('keeps') { _(add(1, 0)).must_equal 1 }
  end
end
`,
    },
    right: RIGHT,
    red: minitestNames('failed'),
    green: minitestNames('passed'),
    cheats: { 'exits on import': EXITS, 'exits in a test': LEAVES },
    runsAll: true,
  },
  {
    name: 'phpunit',
    command: 'phpunit tests',
    isHere: succeeds('phpunit', '--version'),
    files: { 'src/sums.php': phpWith('-'), 'tests/SumsTest.php': PHP_TEST },
    right: { 'src/sums.php': phpWith('+') },
    red: phpNames('failed'),
    green: phpNames('passed'),
    cheats: {
      'exits on import': { 'src/sums.php': '<?php exit(0);\n' },
      'exits in a test': { 'src/sums.php': '<?php function add($a, $b) { exit(0); }\n' },
    },
    runsAll: true,
  },
];
