"""Reports what pytest runs, a line of JSON for each test, into the folder that the environment names.

What the tests start finds no folder there: only the outermost pytest reports. Workers of pytest-xdist are silent.
Coverage that is measured of all that runs leaves this file out.
"""
import os  # pragma: no cover
import re  # pragma: no cover

from loopfold_record import Record  # pragma: no cover


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
        root = getattr(config, "rootpath", None) or config.rootdir
        self.record = Record(folder, "pytest", str(root))
        self.running = {}

    def add(self, node, result, message):
        parts = parts_of(node)
        self.record.add(parts[0], parts[1:], result, message)

    def pytest_runtest_logstart(self, nodeid):
        parts = parts_of(nodeid)
        self.record.start(parts[0], parts[1:])

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
        self.record.end()


def said(report):  # pragma: no cover
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash is not None else str(report.longrepr)
