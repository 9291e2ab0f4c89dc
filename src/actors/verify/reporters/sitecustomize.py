"""Loaded by each Python that a check starts. It lets unittest report, and loads the sitecustomize that it hides.

Coverage that is measured of all that runs leaves this file out.
"""
import sys  # pragma: no cover


def load_hidden():  # pragma: no cover
    import importlib.machinery
    import importlib.util
    import os

    own = os.path.dirname(os.path.abspath(__file__))
    places = [place for place in sys.path if os.path.abspath(place) != own]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", places)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


class UnittestFinder:  # pragma: no cover
    """Finds the module of unittest that runs tests, and changes it once it is loaded."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "unittest.runner":
            return None
        import importlib.machinery

        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            import loopfold_unittest

            loopfold_unittest.report(module)

        spec.loader.exec_module = exec_module
        return spec


if "LOOPFOLD_REPORTS" in __import__("os").environ:  # pragma: no cover
    sys.meta_path.insert(0, UnittestFinder)
try:  # pragma: no cover
    load_hidden()
except ImportError:  # pragma: no cover
    pass
