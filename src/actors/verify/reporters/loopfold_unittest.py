"""Reports what unittest runs, whatever starts it: a line of JSON for each test.

What the tests start finds no folder for reports: only the outermost runner reports.
"""
import os  # pragma: no cover
import re  # pragma: no cover
import sys  # pragma: no cover

from loopfold_record import Record  # pragma: no cover

WORST = {"passed": 0, "skipped": 1, "failed": 2}  # pragma: no cover


def report(module):  # pragma: no cover
    runner = module.TextTestRunner
    run, make = runner.run, runner._makeResult

    def recorded_run(self, test):
        self.loopfold_folder = os.environ.pop("LOOPFOLD_REPORTS", "")
        only = os.environ.pop("LOOPFOLD_ONLY", "")
        if self.loopfold_folder and only:
            keep(test, re.compile(only))
        return run(self, test)

    def recorded_result(self):
        result = make(self)
        folder = getattr(self, "loopfold_folder", "")
        if folder:
            listen(result, Record(folder, "unittest", os.getcwd()))
        return result

    runner.run, runner._makeResult = recorded_run, recorded_result


def keep(suite, pattern):  # pragma: no cover
    """Leaves the tests of a suite whose names match, and what could not be loaded."""
    tests = getattr(suite, "_tests", None)
    if tests is None:
        return
    for test in tests:
        keep(test, pattern)
    suite._tests = [
        test for test in tests if hasattr(test, "_tests") or is_broken(test) or pattern.search(" ".join(path_of(test)))
    ]


def listen(result, record):  # pragma: no cover
    running = {}

    def note(test, outcome, message=""):
        known = running.get(id(test))
        if known is None or WORST[outcome] > WORST[known[0]]:
            running[id(test)] = (outcome, message)

    def before(name, outcome, takes_error=False):
        method = getattr(result, name)

        def noted(test, *more):
            note(test, outcome, said(more[0]) if takes_error else "")
            # What failed outside of every test is never stopped.
            if not hasattr(test, "_testMethodName") and not hasattr(test, "_dt_test"):
                finish(test)
            return method(test, *more)

        setattr(result, name, noted)

    def finish(test):
        outcome, message = running.pop(id(test), ("passed", ""))
        record.add(file_of(test), path_of(test), outcome, message)

    before("addSuccess", "passed")
    before("addFailure", "failed", True)
    before("addError", "failed", True)
    before("addSkip", "skipped")
    before("addExpectedFailure", "skipped")
    before("addUnexpectedSuccess", "failed")
    start, stop, ended, add_part = result.startTest, result.stopTest, result.stopTestRun, result.addSubTest

    def started(test):
        record.start(file_of(test), path_of(test))
        return start(test)


    def stopped(test):
        finish(test)
        return stop(test)

    def part_added(test, part, error):
        if error is not None:
            note(test, "failed", said(error))
        return add_part(test, part, error)

    def run_ended():
        record.end()
        return ended()

    result.startTest, result.stopTest = started, stopped
    result.addSubTest, result.stopTestRun = part_added, run_ended


def is_broken(test):  # pragma: no cover
    """Stands for a module that could not be loaded, or for what failed outside of every test."""
    return type(test).__name__ in ("_FailedTest", "ModuleImportFailure") or not hasattr(test, "id")


def path_of(test):  # pragma: no cover
    if is_broken(test) or not (hasattr(test, "_testMethodName") or hasattr(test, "_dt_test")):
        return []
    if hasattr(test, "_dt_test"):
        return [test._dt_test.name]
    return [type(test).__qualname__, test._testMethodName]


def file_of(test):  # pragma: no cover
    if type(test).__name__ in ("_FailedTest", "ModuleImportFailure"):
        path = test._testMethodName.replace(".", "/")
        return path + "/__init__.py" if os.path.isdir(path) else path + ".py"
    if hasattr(test, "_dt_test"):
        return test._dt_test.filename
    module = sys.modules.get(type(test).__module__)
    return getattr(module, "__file__", None) if hasattr(test, "_testMethodName") else None


def said(error):  # pragma: no cover
    kind, value = error[0], error[1]
    name = getattr(kind, "__name__", str(kind))
    return str(value) if name == "AssertionError" else "%s: %s" % (name, value)
