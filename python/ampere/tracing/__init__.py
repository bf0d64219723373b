"""Programs: one training iteration as PyTorch executes it, operation by operation.

docs/program-format.md describes the result. A recorder listens below autograd while one whole
iteration runs, with real tensors or with fake ones, which have shapes but no numbers.
"""
