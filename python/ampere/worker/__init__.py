"""The worker that trains with PyTorch on behalf of ampere-runner (docs/worker-protocol.md).

Nothing here imports torch at import time, so that `python3 -m ampere.worker` can say what is
missing where torch cannot be imported.
"""
