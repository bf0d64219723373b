"""The version of the package, which is also that of the program it was written for."""

VERSION = "0.1.0"
