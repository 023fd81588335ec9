"""Loads the settings below a directory and prints fault, fingerprint and every value, one a line."""

import sys

from table.settings import Settings
from tablelink import asciijson

settings = Settings(sys.argv[1])
print(settings.fault)
print(settings.fingerprint())
for name, value in settings.items():
    print(name, asciijson.dumps(value))
