"""torch's settings of the process. Each job has its own values, set again before it works."""

from __future__ import annotations

from typing import Any, Callable

MATMUL = "float32 matrix products"


class Globals:
    """The values of torch's global settings at one moment."""

    def __init__(self, torch: Any) -> None:
        self._settings = _settings(torch)
        self._values: dict[str, Any] = {}
        for name, (read, _) in self._settings.items():
            try:
                self._values[name] = read()
            except RuntimeError:
                pass  # newer versions refuse to read what was set by their newer names

    def with_matmul(self, precision: str) -> Globals:
        """The same, but with another precision of fp32 matrix products: "high" allows TF32."""
        changed = Globals.__new__(Globals)
        changed._settings = self._settings
        changed._values = {**self._values, MATMUL: precision}
        return changed

    def apply(self) -> None:
        """Writes only what differs: some settings make torch forget what it has compiled."""
        for name, value in self._values.items():
            read, write = self._settings[name]
            try:
                if read() != value:
                    write(value)
            except RuntimeError:
                pass


def _settings(torch: Any) -> dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """How each setting is read and written."""
    settings: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
        MATMUL: (torch.get_float32_matmul_precision, torch.set_float32_matmul_precision),
        "dtype": (torch.get_default_dtype, torch.set_default_dtype),
        "gradients": (torch.is_grad_enabled, torch.set_grad_enabled),
    }
    cudnn = torch.backends.cudnn

    def of_cudnn(name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
        return lambda: getattr(cudnn, name), lambda value: setattr(cudnn, name, value)

    for name in ("benchmark", "deterministic", "enabled", "allow_tf32"):
        settings[name] = of_cudnn(name)
    return settings
