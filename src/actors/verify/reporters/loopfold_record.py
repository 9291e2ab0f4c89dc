"""Writes what a test runner of Python reports, a line of JSON for each test, into a file of its own in a folder."""
import json  # pragma: no cover
import os  # pragma: no cover
import uuid  # pragma: no cover

# Of what one failed test says, and of what all say: those behind it keep a short piece, so that the report is whole.
MAX_MESSAGE_CHARS = 8000  # pragma: no cover
MAX_MESSAGES_CHARS = 2000000  # pragma: no cover
SHORT_MESSAGE_CHARS = 200  # pragma: no cover
MIDDLE = "\n[\u2026 the middle is left out \u2026]\n"  # pragma: no cover


class Record:  # pragma: no cover
    def __init__(self, folder, runner, directory):
        path = os.path.join(folder, "%d-%s.jsonl" % (os.getpid(), uuid.uuid4().hex))
        self.file = open(path, "a", encoding="utf-8")
        self.tests = 0
        self.room = MAX_MESSAGES_CHARS
        self.write({"runner": runner, "directory": directory})

    def write(self, line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def start(self, file, path):
        self.write({"begun": {"file": file, "path": path}})

    def add(self, file, path, result, message):
        test = {"file": file, "path": path, "result": result}
        if result == "failed":
            test["message"] = excerpt(message, MAX_MESSAGE_CHARS if self.room > 0 else SHORT_MESSAGE_CHARS)
            self.room -= len(test["message"])
        self.write(test)
        self.tests += 1

    def end(self):
        self.write({"tests": self.tests})


def excerpt(text, most):  # pragma: no cover
    if len(text) <= most:
        return text
    half = (most - len(MIDDLE)) // 2
    return text[:half] + MIDDLE + text[-half:]
