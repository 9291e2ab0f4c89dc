# For `workerd serve worker.capnp` on this machine, with worker.mjs and a folder `runs` beside it.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "loops", worker = .loops),
    (name = "model", external = (address = "127.0.0.1:8788", http = ())),
    (name = "channel", external = (address = "127.0.0.1:8789", http = ())),
    (name = "runs", disk = (path = "runs", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "loops")],
);

const loops :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [(className = "LoopObject", uniqueKey = "loopfold", enableSql = true)],
  durableObjectStorage = (localDisk = "runs"),
  bindings = [
    (name = "RUNS", durableObjectNamespace = "LoopObject"),
    (name = "MODEL", service = "model"),
    (name = "CHANNEL", service = "channel"),
  ],
);
