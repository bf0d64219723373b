"""torch's settings of the process. Each job has its own values, set again before it works."""

from __future__ import annotations

from typing import Any


class Globals:
    """The values of torch's global settings at one moment."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._matmul = torch.get_float32_matmul_precision()
        self._dtype = torch.get_default_dtype()
        self._gradients = torch.is_grad_enabled()
        self._cudnn: dict[str, Any] = {}
        for name in ("benchmark", "deterministic", "enabled", "allow_tf32"):
            try:
                self._cudnn[name] = getattr(torch.backends.cudnn, name)
            except RuntimeError:
                pass  # newer versions refuse to read a setting that was made by their newer names

    def with_matmul(self, precision: str) -> Globals:
        """The same, but with another precision of fp32 matrix products: "high" allows TF32."""
        changed = Globals(self._torch)
        changed.__dict__.update(self.__dict__)
        changed._matmul = precision
        return changed

    def apply(self) -> None:
        torch = self._torch
        if torch.get_float32_matmul_precision() != self._matmul:
            torch.set_float32_matmul_precision(self._matmul)
        if torch.get_default_dtype() != self._dtype:
            torch.set_default_dtype(self._dtype)
        torch.set_grad_enabled(self._gradients)
        for name, value in self._cudnn.items():
            try:
                if getattr(torch.backends.cudnn, name) != value:
                    setattr(torch.backends.cudnn, name, value)
            except RuntimeError:
                pass
