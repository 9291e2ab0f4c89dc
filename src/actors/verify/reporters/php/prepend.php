<?php

// Loaded by each PHP that a check starts, before its program. Where that is PHPUnit it is told to keep a log of all
// tests beside what it prints. Programs that the tests start find neither this file nor a folder for reports.

(static function (): void {
    $folder = getenv('LOOPFOLD_REPORTS');
    $scanned = preg_replace('/:[^:]*$/', '', (string) getenv('PHP_INI_SCAN_DIR'));
    $words = $_SERVER['argv'] ?? [];
    $isPhpunit = preg_match('/^phpunit(?:[-.\d]*)(?:\.phar)?$/', basename((string) ($words[0] ?? ''))) === 1;
    if (!$isPhpunit || $folder === false || $folder === '') {
        return;
    }
    putenv('LOOPFOLD_REPORTS');
    putenv($scanned === '' ? 'PHP_INI_SCAN_DIR' : "PHP_INI_SCAN_DIR=$scanned");
    unset($_SERVER['LOOPFOLD_REPORTS'], $_ENV['LOOPFOLD_REPORTS']);
    foreach ($words as $word) {
        // What asks for no tests, or for this log already, is left as it is.
        if (preg_match('/^--(?:log-teamcity|version|help|list-.*|generate-.*|migrate-.*|check-.*)/', (string) $word)) {
            return;
        }
    }
    $report = sprintf('%s/%d-%s.teamcity', $folder, getmypid(), bin2hex(random_bytes(6)));
    array_splice($words, 1, 0, ['--log-teamcity', $report]);
    $_SERVER['argv'] = $words;
    $GLOBALS['argv'] = $words;
    $_SERVER['argc'] = $GLOBALS['argc'] = count($words);
})();
