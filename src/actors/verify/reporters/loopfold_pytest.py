"""Reports what pytest runs, a line of JSON for each test, into the folder that the environment names.

What the tests start finds no folder there: only the outermost pytest reports. Workers of pytest-xdist are silent.
Coverage that is measured of all that runs leaves this file out.
"""
import json  # pragma: no cover
import os  # pragma: no cover
import re  # pragma: no cover
import uuid  # pragma: no cover

# Of what one failed test says, and of what all say: those behind it keep a short piece, so that the report is whole.
MAX_MESSAGE_CHARS = 8000  # pragma: no cover
MAX_MESSAGES_CHARS = 2000000  # pragma: no cover
SHORT_MESSAGE_CHARS = 200  # pragma: no cover
MIDDLE = "\n[\u2026 the middle is left out \u2026]\n"  # pragma: no cover


def pytest_configure(config):  # pragma: no cover
    if hasattr(config, "workerinput"):
        return
    folder = os.environ.pop("LOOPFOLD_REPORTS", "")
    only = os.environ.pop("LOOPFOLD_ONLY", "")
    if folder and only:
        config.pluginmanager.register(Selection(only), "loopfold-selection")
    if folder:
        config.pluginmanager.register(Report(config, folder), "loopfold-report")


class Selection:  # pragma: no cover
    def __init__(self, pattern):
        self.pattern = re.compile(pattern)

    def pytest_collection_modifyitems(self, config, items):
        chosen, left = [], []
        for item in items:
            name = " ".join(parts_of(item.nodeid)[1:])
            (chosen if self.pattern.search(name) else left).append(item)
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = chosen


def parts_of(node):  # pragma: no cover
    parameters = node.find("[")
    parts = (node if parameters < 0 else node[:parameters]).split("::")
    if parameters >= 0:
        parts[-1] += node[parameters:]
    return parts


class Report:  # pragma: no cover
    def __init__(self, config, folder):
        self.file = open(os.path.join(folder, "%d-%s.jsonl" % (os.getpid(), uuid.uuid4().hex)), "a", encoding="utf-8")
        self.tests = 0
        self.room = MAX_MESSAGES_CHARS
        self.running = {}
        root = getattr(config, "rootpath", None) or config.rootdir
        self.write({"runner": "pytest", "directory": str(root)})

    def write(self, line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def add(self, node, result, message):
        parts = parts_of(node)
        test = {"file": parts[0], "path": parts[1:], "result": result}
        if result == "failed":
            test["message"] = excerpt(message, MAX_MESSAGE_CHARS if self.room > 0 else SHORT_MESSAGE_CHARS)
            self.room -= len(test["message"])
        self.write(test)
        self.tests += 1

    def pytest_collectreport(self, report):
        if report.failed:
            self.add(report.nodeid.split("::")[0], "failed", said(report))

    def pytest_runtest_logreport(self, report):
        known = self.running.get(report.nodeid)
        if report.failed and (known is None or known[0] != "failed"):
            self.running[report.nodeid] = ("failed", said(report))
        elif report.skipped and known is None:
            self.running[report.nodeid] = ("skipped", "")
        elif report.when == "call" and known is None and report.passed:
            self.running[report.nodeid] = ("passed", "")
        if report.when == "teardown":
            result, message = self.running.pop(report.nodeid, ("skipped", ""))
            self.add(report.nodeid, result, message)

    def pytest_sessionfinish(self):
        self.write({"tests": self.tests})


def excerpt(text, most):  # pragma: no cover
    if len(text) <= most:
        return text
    half = (most - len(MIDDLE)) // 2
    return text[:half] + MIDDLE + text[-half:]


def said(report):  # pragma: no cover
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash is not None else str(report.longrepr)
