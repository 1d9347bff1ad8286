"""`python -m opilio` is `opilio`."""

from opilio.cli import main

main()
