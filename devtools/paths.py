"""Paths in the project."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
NODE_MODULES = ROOT / "node_modules"
TOOLS = ROOT / ".tools"
FRONTEND_BUILD = ROOT / "frontend" / "dist"


def data_directory() -> Path:
    """DATA_DIR, by default `.data`; relative paths are relative to the project."""
    return (ROOT / os.environ.get("DATA_DIR", ".data")).resolve()
